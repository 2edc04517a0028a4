"""The folders of vectors that are converted once and then mapped."""

import gzip
import zipfile
from pathlib import Path

import numpy as np
import pytest

from components.vectors import convert as conversion
from components.vectors.convert import convert
from components.vectors.load import load_vectors
from tests.vectors.small_vectors import keyed

WORDS = [f"word{number}" for number in range(98)] + ["café", "東京"]
VECTORS = keyed(WORDS, np.random.default_rng(0).normal(size=(len(WORDS), 7)))


def published(path: Path) -> Path:
    """Return `path`, where the vectors are written in the form of its name."""
    VECTORS.save_word2vec_format(str(path), binary=path.name == "binary.gz")
    if path.suffix == ".zip":
        content = path.read_bytes()
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.mkdir("word2vec_sample")
            archive.writestr("word2vec_sample/pruned.word2vec.txt", content)
    return path


@pytest.mark.parametrize("name", ["binary.gz", "sample.zip"])
def test_converted_file_is_mapped_and_has_the_same_vectors(tmp_path, monkeypatch, name):
    monkeypatch.setattr(conversion, "BLOCK_BYTES", 500)
    source, target, progress = published(tmp_path / name), tmp_path / "all.kv", []
    convert(source, target, name == "binary.gz", lambda *counts: progress.append(counts))
    size = source.stat().st_size
    assert (progress == sorted(progress), len(progress) > 4, progress[-1]) == (True, True, (size, size))
    loaded = load_vectors(target.rename(tmp_path / "moved.kv"))
    assert (loaded.index_to_key, loaded.key_to_index) == (WORDS, VECTORS.key_to_index)
    assert (type(loaded.vectors), type(loaded.norms)) == (np.memmap, np.memmap)
    assert not loaded.vectors.flags.writeable
    np.testing.assert_array_equal(loaded.vectors, VECTORS.vectors)
    assert loaded.most_similar("café") == VECTORS.most_similar("café")


def test_convert_of_a_repeated_word_stores_its_first_row(tmp_path):
    source, target = tmp_path / "twice.gz", tmp_path / "all.kv"
    source.write_bytes(gzip.compress(b"4 1\nking 1\nking 2\nqueen 3\nking 4\n"))
    convert(source, target, False)
    loaded = load_vectors(target)
    assert (loaded.index_to_key, loaded.vectors.tolist()) == (["king", "queen"], [[1.0], [3.0]])
    assert loaded.most_similar("king") == [("queen", 1.0)]
    for file in [*target.iterdir()]:
        content = file.read_bytes()
        for damaged in (content[:-3], b""):
            file.write_bytes(damaged)
            with pytest.raises(ValueError, match=r"^'all.kv' is damaged \(\w+\): delete it, and download it again\.$"):
                load_vectors(target)
        file.write_bytes(content)


@pytest.mark.parametrize("all_read", [False, True])
def test_convert_that_is_cancelled_ends_its_process(tmp_path, monkeypatch, all_read):
    class Cancelled(BaseException):  # not an Exception, as in Streamlit
        pass

    def cancel(done: int, total: int) -> None:
        if not all_read or done == total:
            raise Cancelled

    processes = []
    start = conversion.Popen
    monkeypatch.setattr(conversion, "Popen", lambda *a, **k: processes.append(start(*a, **k)) or processes[0])
    with pytest.raises(Cancelled):
        convert(published(tmp_path / "binary.gz"), tmp_path / "all.kv", True, cancel)
    assert processes[0].returncode is not None


@pytest.mark.parametrize(
    ("content", "target", "error", "message"),
    [
        (b"2 1\nking 1\n", "all.kv", ValueError, r"gensim cannot read source\.gz; the server's log has the reason"),
        (b"1 99999999999999\nking 1\n", "all.kv", MemoryError, None),
        (b"1 1\nking 1\n", "missing/all.kv", FileNotFoundError, None),
    ],
)
def test_convert_that_fails_raises_the_reason(tmp_path, content, target, error, message):
    source = tmp_path / "source.gz"
    source.write_bytes(gzip.compress(content))
    with pytest.raises(error, match=message):
        convert(source, tmp_path / target, False)
