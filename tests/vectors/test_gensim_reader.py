"""What gensim accepts in silence is refused, and its temporary files are deleted."""

import gzip
import re
import tempfile
from pathlib import Path

import numpy as np
import pytest
from gensim.models import KeyedVectors

from components.vectors import mapped
from components.vectors.load import convert
from components.vectors.uploads import read_upload

ONE, NAN = np.float32(1).tobytes(), np.float32("nan").tobytes()
SILENT = {
    "a repeated word": (b"3 1\nking 1\nking 2\nqueen 3\n", "The word 'king' occurs in line 2 and again in line 3"),
    "NaN": (b"1 2\nking 1 nan\n", "In line 2, column 3, 'nan' is not a finite float32 number"),
    "overflow": (b"1 2\nking 1 1e39\n", "In line 2, column 3, '1e39' is not a finite float32 number"),
    "surplus rows": (b"1 1\nking 1\nqueen 2\n", "The header states 1 words, and in line 3 there is one more"),
    "a number with an underscore": (b"1 1\nking 1_000\n", "In line 2, column 2, '1_000' is not a number"),
    "an empty word": (b"1 1\n 1\n", "In line 2 there is no word before the numbers"),
    "a repeated word, binary": (
        b"2 1\nking " + ONE + b"king " + ONE,
        "The word 'king' occurs in word 1 and again in word 2",
    ),
    "NaN, binary": (b"1 2\nking " + ONE + NAN, "At byte 13 the word 'king' has the number nan"),
    "surplus rows, binary": (b"1 1\nking " + ONE + b"man " + ONE, "the file goes on after them at byte 13"),
}


@pytest.fixture
def temporary_folder(monkeypatch, tmp_path) -> Path:
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


@pytest.mark.parametrize("name", SILENT)
@pytest.mark.filterwarnings("ignore:overflow")
def test_what_gensim_takes_in_silence_is_refused(tmp_path, name):
    data, sentence = SILENT[name]
    (tmp_path / "vectors").write_bytes(data)
    KeyedVectors.load_word2vec_format(str(tmp_path / "vectors"), binary="binary" in name)
    with pytest.raises(ValueError, match=re.escape(sentence)):
        read_upload(data)


@pytest.mark.parametrize("data", [b"king 1 2\nat home 3 4\n", b"\xef\xbb\xbf1 2\nking\t1 2\r\n", b"1 1\nking \0\0\0\0"])
def test_an_upload_is_read_by_gensim_and_its_temporary_files_are_deleted(temporary_folder, monkeypatch, data):
    load, read = KeyedVectors.load_word2vec_format, []

    def note_the_folder(path: str, **how: object) -> KeyedVectors:
        read.append(Path(path).parents[1])
        return load(path, **how)

    monkeypatch.setattr(KeyedVectors, "load_word2vec_format", note_the_folder)
    read_upload(gzip.compress(data))
    assert read == [temporary_folder]
    assert list(temporary_folder.iterdir()) == []


@pytest.mark.parametrize(
    "data",
    [*[data for data, _ in SILENT.values()], gzip.compress(b"king 1", mtime=0)[:-3], b"\x80\x04\x95", b"2 2\nking 1"],
)
def test_a_refused_upload_leaves_no_temporary_file(temporary_folder, data):
    with pytest.raises(ValueError, match=r"\.$"):
        read_upload(data)
    assert list(temporary_folder.iterdir()) == []


def test_a_temporary_file_that_cannot_be_written_is_named(monkeypatch, tmp_path):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "missing"))
    with pytest.raises(ValueError, match=r"cannot write the temporary file .* \(No such file or directory\): tell"):
        read_upload(b"king 1 2\n")


def test_words_that_gensim_reads_differently_are_refused(monkeypatch):
    other = KeyedVectors(1)
    other.add_vectors(["queen"], np.ones((1, 1), np.float32))
    monkeypatch.setattr(KeyedVectors, "load_word2vec_format", lambda path, **how: other)
    with pytest.raises(ValueError, match="gensim reads other words than the file has"):
        read_upload(b"king 1\n")


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"king 1 1\nking 2 2\nman 3 3\nqueen 4 inf\n", "In line 4, column 3, 'inf' is not a finite"),
        (
            b"4 1\nking " + ONE + b"king " + ONE + b"man " + ONE + b"\nqueen " + NAN,
            "At byte 37 the word 'queen' has the number nan",
        ),
    ],
    ids=["text", "binary"],
)
def test_a_number_in_a_later_block_is_named_by_its_location_in_the_file(monkeypatch, tmp_path, data, sentence):
    monkeypatch.setattr(mapped, "BLOCK_CELLS", 2)
    (tmp_path / "source").write_bytes(data)
    with pytest.raises(ValueError, match=re.escape(sentence)):
        convert(tmp_path / "source", tmp_path / "target.kv")
    assert [path.name for path in tmp_path.iterdir()] == ["source"]
