import gzip
import tracemalloc
import zipfile
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO

import numpy as np
import pytest
from gensim.models import KeyedVectors, Word2Vec

from components.vectors import gensim_reader
from components.vectors.load import convert, load_vectors

WORDS = [f"word{number}" for number in range(98)] + ["café", "東京"]
TEXT = b"king 1\nqueen 2\n"


def zip_of(*names: str, content: bytes = TEXT, encrypted: bool = False) -> bytes:
    file = BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.mkdir("folder")
        for name in names:
            archive.writestr(f"folder/{name}", content)
    packed = bytearray(file.getvalue())
    packed[packed.rindex(b"PK\x01\x02") + 8] |= encrypted  # the flags of the last file in the table of contents
    return bytes(packed)


@pytest.fixture(scope="module")
def vectors() -> KeyedVectors:
    vectors = KeyedVectors(7)
    vectors.add_vectors(WORDS, np.random.default_rng(0).normal(size=(len(WORDS), 7)).astype(np.float32))
    return vectors


@pytest.fixture(scope="module")
def sources(vectors, tmp_path_factory) -> dict[str, bytes]:
    """Return the same vectors in every format that can be converted."""
    folder, files = tmp_path_factory.mktemp("sources"), {}
    for name, how in (("text", {}), ("binary", {"binary": True}), ("GloVe", {"write_header": False})):
        vectors.save_word2vec_format(str(folder / name), **how)
        files[name] = (folder / name).read_bytes()
        files[f"{name}, gzip"] = gzip.compress(files[name])
    return files | {"zip": zip_of("pruned.word2vec.txt", content=files["text"])}


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch) -> None:
    monkeypatch.setattr(gensim_reader, "BLOCK_CELLS", 7 * 10)


def assert_same(ours: KeyedVectors, theirs: KeyedVectors) -> None:
    assert (ours.index_to_key, ours.key_to_index) == (theirs.index_to_key, theirs.key_to_index)
    assert ours.vectors.dtype == np.float32
    np.testing.assert_array_equal(ours.vectors, theirs.vectors)


def refusal(function, *arguments) -> str:
    with pytest.raises(ValueError, match=r"\.$") as caught:
        function(*arguments)
    assert len(str(caught.value).splitlines()) == 1
    return str(caught.value)


@pytest.mark.parametrize("name", ["text", "binary", "GloVe", "text, gzip", "binary, gzip", "GloVe, gzip", "zip"])
def test_convert_and_load_of_each_format_give_the_same_vectors(sources, vectors, tmp_path, name):
    source, target, progress = tmp_path / "all.txt", tmp_path / "all.kv", []
    source.write_bytes(sources[name])
    convert(source, target, lambda *counts: progress.append(counts))
    assert sorted(set(progress)) == [(10 * block, 100) for block in range(1, 11)]
    assert progress == sorted(progress)
    files = ["vectors.kv", "vectors.kv.norms.npy", "vectors.kv.vectors.npy"]
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["all.kv", "all.txt", *files]
    loaded = load_vectors(str(target.rename(tmp_path / "moved.kv")))
    assert_same(loaded, vectors)
    assert (type(loaded.vectors), type(loaded.norms)) == (np.memmap, np.memmap)
    assert not loaded.vectors.flags.writeable
    np.testing.assert_array_equal(loaded.norms, np.linalg.norm(vectors.vectors, axis=1))
    assert loaded.most_similar("café") == vectors.most_similar("café")
    assert_same(load_vectors(source.rename(tmp_path / "misnamed.gz")), vectors)


def test_load_vectors_of_a_file_that_gensim_saved_is_mapped(vectors, tmp_path):
    vectors.save(str(tmp_path / "own.kv"), separately=["vectors"])
    loaded = load_vectors(tmp_path / "own.kv")
    assert_same(loaded, vectors)
    assert isinstance(loaded.vectors, np.memmap)


def test_repeated_word_has_the_vector_of_its_first_row(tmp_path):
    source = tmp_path / "twice.txt"
    source.write_text("4 1\nking 1\nking 2\nqueen 3\nking 4\n", "utf-8")
    convert(source, tmp_path / "twice.kv")
    for loaded in (load_vectors(tmp_path / "twice.kv"), load_vectors(source)):
        assert loaded.index_to_key == ["king", "queen"]
        assert loaded.vectors.tolist() == [[1.0], [3.0]]
        assert loaded.most_similar("king") == [("queen", 1.0)]


@pytest.mark.parametrize("last", [10, 100])
def test_convert_that_is_cancelled_leaves_no_file(sources, tmp_path, last):
    class Cancelled(BaseException):  # not an Exception, as in Streamlit
        pass

    def cancel(done: int, _: int) -> None:
        assert not (tmp_path / "all.kv").exists()
        assert len(list(tmp_path.iterdir())) == 2
        if done == last:
            raise Cancelled

    source = tmp_path / "source"
    source.write_bytes(sources["binary"])
    with pytest.raises(Cancelled):
        convert(source, tmp_path / "all.kv", cancel)
    assert list(tmp_path.iterdir()) == [source]


def test_convert_in_four_threads_succeeds_in_one(sources, vectors, tmp_path):
    (tmp_path / "source").write_bytes(sources["text"])

    def answer(_) -> str:
        try:
            convert(tmp_path / "source", tmp_path / "all.kv")
        except ValueError as error:
            return str(error)
        return "done"

    with ThreadPoolExecutor(4) as pool:
        answers = sorted(pool.map(answer, range(4)))
    assert answers == ["'all.kv' exists already: load it, or delete it first."] * 3 + ["done"]
    assert {path.name for path in tmp_path.iterdir()} == {"source", "all.kv"}
    assert_same(load_vectors(tmp_path / "all.kv"), vectors)


def test_convert_keeps_no_vectors_in_memory(tmp_path, monkeypatch):
    monkeypatch.setattr(gensim_reader, "BLOCK_CELLS", 2**17)  # as in the module
    source, row = tmp_path / "large.bin", np.ones(1_500, dtype=np.float32).tobytes()
    source.write_bytes(b"2000 1500\n" + b"".join(b"w%d " % number + row for number in range(2_000)))
    tracemalloc.start()
    try:
        convert(source, tmp_path / "large.kv")
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 8e6  # the vectors are 12 MB
    assert load_vectors(tmp_path / "large.kv").vectors.shape == (2_000, 1_500)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "The file is empty"),
        (b"king 1 1\nking 2 2\nman 3 3\nqueen 4 inf\n", "In line 4, column 3, 'inf' is not a finite"),
        (b"3 1\nking \0\0\0\0king \0\0\0\0\nqueen \0\0\xc0\x7f", "At byte 29 the word 'queen' has the number nan"),
        (b"a" * 10_001 + b" 1\n", "has 10,001 characters, 10,000 is the limit"),
        (gzip.compress(TEXT)[:-5], "'source' cannot be unpacked (EOFError): download it again"),
        (gzip.compress(TEXT) + b"x", "'source' cannot be unpacked (BadGzipFile)"),
        (gzip.compress(TEXT)[:10] + b"x" * 9, "'source' cannot be unpacked (error)"),
        (b"PK\x03\x04...", "'source' cannot be unpacked (BadZipFile)"),
        (zip_of("one", "two"), "'source' contains 2 files: use a zip of a single file"),
        (zip_of("one", encrypted=True), "'source' is encrypted: unpack it first"),
        (b"\x80\x04\x95", "a Python pickle, and nothing in it was opened or executed"),
    ],
    ids=range(11),
)
def test_convert_and_load_of_an_invalid_file_are_refused(monkeypatch, tmp_path, content, problem):
    monkeypatch.setattr(gensim_reader, "BLOCK_CELLS", 2)
    source = tmp_path / "source"
    source.write_bytes(content)
    assert problem in refusal(convert, source, tmp_path / "all.kv")
    assert list(tmp_path.iterdir()) == [source]
    assert problem in refusal(load_vectors, source)


@pytest.mark.parametrize(
    ("source", "target", "problem"),
    [
        ("two.txt", "all.bin", "ending in .kv"),
        ("two.txt", "missing/all.kv", "one that exists"),
        ("none.txt", "other.kv", "There is no file"),
    ],
)
def test_convert_to_an_unusable_target_is_refused(tmp_path, source, target, problem):
    (tmp_path / "two.txt").write_bytes(TEXT)
    assert problem in refusal(convert, tmp_path / source, tmp_path / target)


@pytest.mark.parametrize("name", ["vectors.kv", "vectors.kv.vectors.npy", "vectors.kv.norms.npy"])
def test_load_vectors_with_a_damaged_or_missing_file_is_refused(tmp_path, name):
    (tmp_path / "two.txt").write_bytes(TEXT)
    convert(tmp_path / "two.txt", tmp_path / "all.kv")
    file = tmp_path / "all.kv" / name
    file.write_bytes(file.read_bytes()[:-3])
    assert "'all.kv' is damaged" in refusal(load_vectors, tmp_path / "all.kv")
    file.unlink()
    assert refusal(load_vectors, tmp_path / "all.kv")


def test_load_vectors_of_another_object_or_a_missing_folder_is_refused(tmp_path):
    for path in ("none.kv", "https://example.org/harm.kv"):
        assert "There are no vectors at" in refusal(load_vectors, path)
    Word2Vec(vector_size=2).save(str(tmp_path / "model.kv"))
    assert "'model.kv' contains a Word2Vec, not KeyedVectors" in refusal(load_vectors, tmp_path / "model.kv")
