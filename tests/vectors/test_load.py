"""Vectors that are trusted: files that gensim reads, and the folders of converted ones."""

import gzip
import zipfile
from pathlib import Path

import numpy as np
import pytest
from gensim.models import KeyedVectors

from components.vectors import load as conversion
from components.vectors.load import convert, load_vectors

WORDS = [f"word{number}" for number in range(98)] + ["café", "東京"]


@pytest.fixture(scope="module")
def vectors() -> KeyedVectors:
    vectors = KeyedVectors(7)
    vectors.add_vectors(WORDS, np.random.default_rng(0).normal(size=(len(WORDS), 7)).astype(np.float32))
    return vectors


@pytest.fixture
def sample(vectors, tmp_path) -> Path:
    """The same vectors as they are published in a .zip."""
    vectors.save_word2vec_format(str(tmp_path / "sample.txt"))
    with zipfile.ZipFile(tmp_path / "sample.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.mkdir("word2vec_sample")
        archive.write(tmp_path / "sample.txt", "word2vec_sample/pruned.word2vec.txt")
    return tmp_path / "sample.zip"


def assert_same(ours: KeyedVectors, theirs: KeyedVectors) -> None:
    assert (ours.index_to_key, ours.key_to_index) == (theirs.index_to_key, theirs.key_to_index)
    assert ours.vectors.dtype == np.float32
    np.testing.assert_array_equal(ours.vectors, theirs.vectors)


def test_converted_file_is_mapped_or_if_damaged_refused(sample, vectors, tmp_path, monkeypatch):
    monkeypatch.setattr(conversion, "BLOCK_BYTES", 500)
    monkeypatch.chdir(tmp_path)  # a server may be started anywhere
    target, progress = tmp_path / "all.kv", []
    convert(sample, target, False, lambda *counts: progress.append(counts))
    size = sample.stat().st_size
    assert (progress == sorted(progress), len(progress) > 4, progress[-1]) == (True, True, (size, size))
    files = ["vectors.kv", "vectors.kv.norms.npy", "vectors.kv.vectors.npy"]
    assert sorted(path.name for path in target.iterdir()) == files
    target = target.rename(tmp_path / "moved.kv")
    loaded = load_vectors(str(target))
    assert_same(loaded, vectors)
    assert (type(loaded.vectors), type(loaded.norms)) == (np.memmap, np.memmap)
    assert not loaded.vectors.flags.writeable
    np.testing.assert_array_equal(loaded.norms, np.linalg.norm(vectors.vectors, axis=1))
    assert loaded.most_similar("café") == vectors.most_similar("café")
    problem = r"^'moved.kv' is damaged \(\w+\): delete it, and download it again\.$"
    for file in sorted(target.iterdir()):
        content = file.read_bytes()
        file.unlink()  # a mapped file must not be made shorter
        for change in (lambda file=file, content=content: file.write_bytes(content[:-3]), file.unlink):
            change()
            with pytest.raises(ValueError, match=problem):
                load_vectors(target)
        file.write_bytes(content)
    load_vectors(target)


@pytest.mark.parametrize("name", ["text", "text.gz", "binary", "binary.gz", "glove.txt"])
def test_load_vectors_of_file_saved_by_gensim_gives_its_vectors(vectors, tmp_path, name):
    path = tmp_path / name
    vectors.save_word2vec_format(str(path), binary="binary" in name, write_header=name != "glove.txt")
    assert_same(load_vectors(path), vectors)


def test_load_vectors_of_a_repeated_word_gives_its_first_row(tmp_path):
    source = tmp_path / "twice.txt"
    source.write_text("4 1\nking 1\nking 2\nqueen 3\nking 4\n", "utf-8")
    loaded = load_vectors(source)
    assert (loaded.index_to_key, loaded.vectors.tolist()) == (["king", "queen"], [[1.0], [3.0]])
    assert loaded.most_similar("king") == [("queen", 1.0)]


@pytest.mark.parametrize(("all_read", "is_short"), [(False, False), (True, False), (False, True)])
def test_convert_that_is_cancelled_ends_its_process(sample, tmp_path, monkeypatch, all_read, is_short):
    source = sample
    if is_short:  # a block that fits in the buffer of the pipe
        source = tmp_path / "short.gz"
        source.write_bytes(gzip.compress(b"1 1\nking 1\n"))

    class Cancelled(BaseException):  # not an Exception, as in Streamlit
        pass

    class Process(conversion.Popen):
        def kill(self):
            super().kill()
            self.wait()  # what has not been written by now cannot be

    def cancel(done: int, total: int) -> None:
        if not all_read or done == total:
            raise Cancelled

    processes = []
    monkeypatch.setattr(conversion, "Popen", lambda *a, **k: processes.append(Process(*a, **k)) or processes[0])
    with pytest.raises(Cancelled):
        convert(source, tmp_path / "all.kv", False, cancel)
    assert processes[0].returncode is not None


def test_convert_of_a_file_that_gensim_refuses_raises(tmp_path, capfd):
    source = tmp_path / "source.gz"
    source.write_bytes(gzip.compress(b"2 1\nking 1\n"))
    with pytest.raises(ValueError, match=r"gensim cannot read source\.gz; the server's log has the reason"):
        convert(source, tmp_path / "all.kv", False)
    assert "Traceback" in capfd.readouterr().err


def test_convert_that_is_short_of_memory_raises_memory_error(tmp_path):
    source = tmp_path / "source.gz"
    source.write_bytes(gzip.compress(b"1 99999999999999\nking 1\n"))
    with pytest.raises(MemoryError):
        convert(source, tmp_path / "all.kv", False)
    assert not (tmp_path / "all.kv").exists()


def test_convert_into_a_missing_folder_raises_os_error(sample, tmp_path):
    with pytest.raises(FileNotFoundError):
        convert(sample, tmp_path / "missing/all.kv", False)
