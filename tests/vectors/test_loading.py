import gzip
import shutil
import subprocess
import sys
import tracemalloc
import zipfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from gensim.models import KeyedVectors

from components.vectors import mapped as word_native
from components.vectors.load import convert, load_vectors
from components.vectors.uploads import read_upload
from tests.skipping import skip_or_fail

PROJECT = Path(__file__).parents[2]
WORDS = [f"word{i}" for i in range(998)] + ["café", "東京"]


@pytest.fixture(scope="session")
def golden_file() -> Path:
    path = PROJECT.parent / "shared" / "data" / "word2vec-1000x300.bin"
    if not path.exists():
        reason = f"{path} is missing: it is not part of this project"
        skip_or_fail(reason)
    return path


@pytest.fixture(scope="session")
def vectors() -> KeyedVectors:
    vectors = KeyedVectors(7)
    vectors.add_vectors(WORDS, np.random.default_rng(0).normal(size=(len(WORDS), 7)).astype(np.float32))
    return vectors


@pytest.fixture(scope="session")
def sources(vectors, tmp_path_factory) -> dict[str, Path]:
    """Return the same vectors in every format that can be converted."""
    folder = tmp_path_factory.mktemp("sources")
    files = {name: folder / name for name in ("text.txt", "binary.bin", "glove.txt")}
    vectors.save_word2vec_format(str(files["text.txt"]))
    vectors.save_word2vec_format(str(files["binary.bin"]), binary=True)
    vectors.save_word2vec_format(str(files["glove.txt"]), write_header=False)
    for path in list(files.values()):
        files[f"{path.name}.gz"] = folder / f"{path.name}.gz"
        files[f"{path.name}.gz"].write_bytes(gzip.compress(path.read_bytes()))
    files["sample.zip"] = folder / "sample.zip"
    with zipfile.ZipFile(files["sample.zip"], "w", zipfile.ZIP_DEFLATED) as archive:
        archive.mkdir("word2vec_sample")
        archive.write(files["text.txt"], "word2vec_sample/pruned.word2vec.txt")
    return files


FORMATS = ["text.txt", "binary.bin", "glove.txt", "text.txt.gz", "binary.bin.gz", "glove.txt.gz", "sample.zip"]


def refusal(call: Callable[..., object], *arguments: object) -> str:
    with pytest.raises(ValueError, match=r"\.$") as caught:
        call(*arguments)
    assert len(str(caught.value).splitlines()) == 1
    return str(caught.value)


def assert_same(ours: KeyedVectors, theirs: KeyedVectors) -> None:
    assert ours.index_to_key == theirs.index_to_key
    assert ours.key_to_index == theirs.key_to_index
    assert len(ours) == len(theirs)
    assert ours.vectors.dtype == np.float32
    np.testing.assert_array_equal(ours.vectors, theirs.vectors)


def test_king_minus_man_plus_woman_is_queen(golden_file, tmp_path):
    convert(golden_file, tmp_path / "golden.kv")
    for loaded in (
        load_vectors(golden_file),
        load_vectors(tmp_path / "golden.kv"),
        read_upload(golden_file.read_bytes()),
    ):
        nearest = loaded.most_similar(positive=["king", "woman"], negative=["man"], topn=3)
        assert [(word, round(cosine, 4)) for word, cosine in nearest] == [
            ("queen", 0.5516),
            ("she", 0.3172),
            ("her", 0.3058),
        ]


@pytest.mark.parametrize("name", FORMATS)
def test_what_is_converted_is_equal_and_mapped_into_memory(sources, vectors, tmp_path, name):
    convert(sources[name], tmp_path / "all.kv")
    loaded = load_vectors(tmp_path / "all.kv")
    assert_same(loaded, vectors)
    assert isinstance(loaded.vectors, np.memmap)
    assert isinstance(loaded.norms, np.memmap)
    assert not loaded.vectors.flags.writeable
    np.testing.assert_array_equal(loaded.norms, np.linalg.norm(vectors.vectors, axis=1))
    assert loaded.most_similar("café") == vectors.most_similar("café")
    assert sorted(path.name for path in tmp_path.rglob("*")) == [
        "all.kv",
        "vectors.kv",
        "vectors.kv.norms.npy",
        "vectors.kv.vectors.npy",
    ]


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_is_loaded_as_it_is(sources, vectors, name):
    assert_same(load_vectors(sources[name]), vectors)
    assert_same(load_vectors(str(sources[name])), vectors)


def test_a_file_that_gensim_saved_is_mapped_into_memory(vectors, tmp_path):
    vectors.save(str(tmp_path / "own.kv"), separately=["vectors"])
    loaded = load_vectors(tmp_path / "own.kv")
    assert_same(loaded, vectors)
    assert isinstance(loaded.vectors, np.memmap)


def test_what_is_converted_is_opened_by_another_process(sources, vectors, tmp_path):
    convert(sources["binary.bin"], tmp_path / "all.kv")
    code = (
        "import sys, numpy as np\n"
        "from components.vectors.load import load_vectors\n"
        "loaded = load_vectors(sys.argv[1])\n"
        "print(isinstance(loaded.vectors, np.memmap), loaded.most_similar('café', topn=1)[0][0])\n"
    )
    command = [sys.executable, "-X", "utf8", "-c", code, str(tmp_path / "all.kv")]
    run = subprocess.run(command, cwd=PROJECT, capture_output=True, encoding="utf-8", timeout=120)
    assert run.stdout.split() == ["True", vectors.most_similar("café", topn=1)[0][0]], run.stderr


def test_what_is_converted_can_be_moved(sources, vectors, tmp_path):
    convert(sources["text.txt"], tmp_path / "all.kv")
    (tmp_path / "all.kv").rename(tmp_path / "moved.kv")
    assert_same(load_vectors(tmp_path / "moved.kv"), vectors)


def test_of_a_word_that_comes_twice_the_first_is_kept(tmp_path):
    source = tmp_path / "twice.txt"
    source.write_text("4 1\nking 1\nking 2\nqueen 3\nking 4\n", "utf-8")
    convert(source, tmp_path / "twice.kv")
    for loaded in (load_vectors(tmp_path / "twice.kv"), load_vectors(source)):
        assert loaded.index_to_key == ["king", "queen"]
        assert loaded.vectors.tolist() == [[1.0], [3.0]]
        assert loaded.most_similar("king") == [("queen", 1.0)]


@pytest.fixture
def small_blocks(monkeypatch) -> None:
    monkeypatch.setattr(word_native, "BLOCK_CELLS", 7 * 100)


@pytest.mark.parametrize("name", FORMATS)
def test_progress_counts_the_words_up_to_all(sources, vectors, tmp_path, small_blocks, name):
    told = []
    convert(sources[name], tmp_path / "all.kv", lambda done, all_words: told.append((done, all_words)))
    assert sorted(set(told)) == [(100 * i, 1_000) for i in range(1, 11)]
    assert told == sorted(told)
    assert_same(load_vectors(tmp_path / "all.kv"), vectors)


class Cancelled(BaseException):
    """What a page raises to stop, which need not be an Exception."""


@pytest.mark.parametrize("last", [100, 500, 1_000])
def test_a_conversion_that_is_cancelled_leaves_nothing(sources, tmp_path, small_blocks, last):
    def stop(done: int, all_words: int) -> None:
        assert not (tmp_path / "all.kv").exists()
        assert list(tmp_path.iterdir()) != []
        if done == last:
            raise Cancelled

    with pytest.raises(Cancelled):
        convert(sources["binary.bin"], tmp_path / "all.kv", stop)
    assert list(tmp_path.iterdir()) == []


def test_of_two_conversions_at_once_one_wins_and_the_other_is_refused(sources, vectors, tmp_path, small_blocks):
    def attempt(name: str) -> str:
        try:
            convert(sources[name], tmp_path / "all.kv")
        except ValueError as refused:
            return str(refused)
        return "done"

    with ThreadPoolExecutor(4) as pool:
        answers = sorted(pool.map(attempt, ["text.txt", "binary.bin", "glove.txt", "text.txt.gz"]))
    assert answers == ["'all.kv' exists already: load it, or delete it first."] * 3 + ["done"]
    assert [path.name for path in tmp_path.iterdir()] == ["all.kv"]
    assert_same(load_vectors(tmp_path / "all.kv"), vectors)


def test_converting_holds_no_vectors_in_memory(tmp_path):
    source, rows = tmp_path / "large.bin", np.ones((1_000, 300), dtype=np.float32)
    with source.open("wb") as file:
        file.write(b"10000 300\n")
        for block in range(10):
            file.write(b"".join(b"w%d_%d " % (block, i) + row.tobytes() for i, row in enumerate(rows)))
    tracemalloc.start()
    try:
        convert(source, tmp_path / "large.kv")
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 8e6  # the vectors are 12 MB
    assert load_vectors(tmp_path / "large.kv").vectors.shape == (10_000, 300)


BROKEN = {
    "empty.txt": (b"", "The file is empty"),
    "prose.txt": (b"abc def\n", "Line 1, 'abc def', is neither"),
    "short.txt": (b"3 1\nking 1\nqueen 2\n", "states 3 words, and the file ends after line 3 with 2"),
    "bad.txt": (b"king 1 2\nqueen 1 x\n", "In line 2, column 3, 'x' is not a number"),
    "short.bin": (b"2 1\nking \0\0\0\0queen \0\0", "The file ends at byte 21 in the middle of a row"),
    "short.gz": (gzip.compress(b"king 1 2\n")[:-5], "'short.gz' cannot be unpacked (EOFError): download it again"),
    "broken.gz": (gzip.compress(b"king 1 2\n") + b"x", "'broken.gz' cannot be unpacked (BadGzipFile)"),
    "broken.zip": (b"PK\x03\x04...", "'broken.zip' cannot be unpacked (BadZipFile)"),
    "harm.bin": (b"\x80\x04\x95", "a Python pickle, and nothing in it was opened or executed"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_source_that_is_not_as_it_should_be_is_refused_and_leaves_nothing(tmp_path, name):
    data, named = BROKEN[name]
    source = tmp_path / name
    source.write_bytes(data)
    assert named in refusal(convert, source, tmp_path / "all.kv")
    assert list(tmp_path.iterdir()) == [source]
    assert named in refusal(load_vectors, source)


def test_a_zip_must_hold_just_one_file(sources, tmp_path):
    with zipfile.ZipFile(tmp_path / "files.zip", "w") as archive:
        archive.write(sources["text.txt"], "one.txt")
        archive.write(sources["text.txt"], "two.txt")
    named = refusal(convert, tmp_path / "files.zip", tmp_path / "all.kv")
    assert named.startswith("'files.zip' contains 2 files: use a zip of a single file")


def test_a_target_that_is_there_or_has_no_place_is_refused(sources, tmp_path):
    (tmp_path / "all.kv").mkdir()
    assert "'all.kv' exists already" in refusal(convert, sources["text.txt"], tmp_path / "all.kv")
    assert "ending in .kv" in refusal(convert, sources["text.txt"], tmp_path / "all.bin")
    assert "one that exists" in refusal(convert, sources["text.txt"], tmp_path / "nowhere" / "all.kv")
    assert "There is no file" in refusal(convert, tmp_path / "none.txt", tmp_path / "other.kv")


def test_what_cannot_be_loaded_is_named(sources, tmp_path):
    assert "There is no file" in refusal(load_vectors, tmp_path / "none.txt")
    assert "There are no vectors at" in refusal(load_vectors, tmp_path / "none.kv")
    assert "There are no vectors at" in refusal(load_vectors, "https://example.org/harm.kv")


@pytest.mark.parametrize(("name", "misnamed"), [("text.txt.gz", "packed.txt"), ("text.txt", "plain.gz")])
def test_a_misnamed_file_is_loaded_by_its_content(sources, vectors, tmp_path, name, misnamed):
    shutil.copy(sources[name], tmp_path / misnamed)
    assert_same(load_vectors(tmp_path / misnamed), vectors)


@pytest.mark.parametrize("lost", ["vectors.kv", "vectors.kv.vectors.npy", "vectors.kv.norms.npy"])
def test_a_converted_folder_with_a_file_lost_or_cut_is_refused(sources, tmp_path, lost):
    convert(sources["text.txt"], tmp_path / "all.kv")
    file = tmp_path / "all.kv" / lost
    file.write_bytes(file.read_bytes()[:-100])
    assert "'all.kv' is damaged" in refusal(load_vectors, tmp_path / "all.kv")
    file.unlink()
    assert refusal(load_vectors, tmp_path / "all.kv")
