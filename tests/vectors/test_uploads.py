import bz2
import gzip
import lzma
import pickle
import tarfile
import tempfile
import tracemalloc
import zipfile
import zlib
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from gensim.models import KeyedVectors
from hypothesis import assume, example, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from components.base.limits import MAX_UPLOAD_BYTES, MAX_UPLOAD_CELLS, MAX_UPLOAD_DIM
from components.vectors import uploads
from components.vectors.layout import CONTROL, MAX_LINE_BYTES
from components.vectors.uploads import MAX_WORD_CHARS, read_upload
from tests.approved import compare

# Their norms are neither infinite in float32 nor too small.
FLOATS = st.floats(-(2.0**40), 2.0**40, width=32).map(lambda number: number if abs(number) > 2.0**-40 else 0.0)
WORDS = st.text(st.characters(codec="utf-8", exclude_categories=["Z", "C"]), min_size=1, max_size=12)
TEXT = b"3 2\nking 0.5 -1\nqueen 1e-3 2\ncaf\xc3\xa9 3.25 4\n"
GLOVE = TEXT.partition(b"\n")[2]


def binary(rows: dict[bytes, list[float]], line_end: bytes = b"") -> bytes:
    header = b"%d %d\n" % (len(rows), len(next(iter(rows.values()))))
    return header + b"".join(word + b" " + np.float32(row).tobytes() + line_end for word, row in rows.items())


ROWS = {b"king": [0.5, -1], b"queen": [1e-3, 2], b"caf\xc3\xa9": [3.25, 4]}
BINARY = binary(ROWS)
FORMATS = [TEXT, GLOVE, BINARY, binary(ROWS, b"\n")]
FILES = [*FORMATS, *[gzip.compress(data, mtime=0) for data in FORMATS]]


def long_gzip(part: bytes, times: int) -> bytes:
    packer = zlib.compressobj(1, wbits=31)
    return b"".join(packer.compress(part) for _ in range(times)) + packer.flush()


def written(write) -> bytes:
    file = BytesIO()
    write(file)
    return file.getvalue()


def problem_in(data: bytes) -> str:
    """Return the message about an invalid file, which must be one plain sentence; of a valid file, an empty one."""
    try:
        vectors = read_upload(data)
    except ValueError as error:
        problem = str(error)
        assert problem.endswith(".")
        assert len(problem.splitlines()) == 1
        assert problem.isprintable()
        return problem
    assert vectors.vectors.shape == (len(vectors.index_to_key), vectors.vector_size)
    assert list(vectors.key_to_index) == vectors.index_to_key
    assert np.isfinite(vectors.vectors).all()
    return ""


@pytest.fixture
def temporary_folder(monkeypatch, tmp_path) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


@pytest.mark.parametrize("how", [{}, {"binary": True}, {"write_header": False}], ids=["text", "binary", "GloVe"])
@given(data=st.data())
def test_read_upload_of_gensims_file_equals_what_gensim_reads(how, data):
    words = data.draw(st.lists(WORDS, unique=True, min_size=1, max_size=8))
    # without a header, a row of a number as the word and a single number looks like a header
    smallest = 3 if "binary" in how else 2 if "write_header" in how else 1
    shape = (len(words), data.draw(st.integers(smallest, 6)))
    vectors = KeyedVectors(shape[1])
    vectors.add_vectors(words, data.draw(arrays.arrays(np.float32, shape, elements=FLOATS)))
    if "binary" in how:  # a few numbers, unlike hundreds, may have only bytes that are text
        assume(CONTROL.search(vectors.vectors.tobytes()))
    with TemporaryDirectory() as folder:
        path = Path(folder, "vectors")
        vectors.save_word2vec_format(str(path), **how)
        content = path.read_bytes()
        theirs = KeyedVectors.load_word2vec_format(str(path), binary="binary" in how, no_header="write_header" in how)
    for ours in (read_upload(content), read_upload(gzip.compress(content))):
        assert ours.vectors.dtype == np.float32
        assert (ours.index_to_key, ours.key_to_index) == (theirs.index_to_key, theirs.key_to_index)
        np.testing.assert_array_equal(ours.vectors, theirs.vectors)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"king 1 2", ["king"]),
        (binary(ROWS, b"\n"), ["king", "queen", "café"]),
        (b"king\t1\t2\r\nqueen 3 4 \t\r\n\n \n", ["king", "queen"]),
        (b"2 2 \nking 1 2 \nqueen 3 4 \n", ["king", "queen"]),
        ("2 2\nking 1 2\né 3 4\n".encode(), ["king", "é"]),  # é is within the bytes that two float32 numbers take
        (b"\xef\xbb\xbf1 2\nking 1 2\n", ["king"]),
        (b"\xef\xbb\xbfking 1 2\n", ["king"]),
        (b". 1 2\nat a@b.com 3 4\n. . 5 6\n1984 7 8\nnan 9 9", [".", "at a@b.com", ". .", "1984", "nan"]),
        (b"<unk> 0 0\nMZ 1 1\nBM 2 2\n%PDF 3 3\nthe_king 4 4", ["<unk>", "MZ", "BM", "%PDF", "the_king"]),
        ("nbsp\xa0a 1\n\x00 2\n\u202e 4\nx\x85y 5\n".encode(), ["nbsp\xa0a", "\x00", "\u202e", "x\x85y"]),
        (b"2 1\na \n\xd7\xa3<b \x00\x00\x80?", ["a", "b"]),  # 0.02 as float32 starts with a line end
        (b"1 2\na \x01\x02\x03 1234", ["a"]),  # the bytes of the second float32 look like a number as text
        (b"w" * MAX_WORD_CHARS + b" 1", ["w" * MAX_WORD_CHARS]),
        ("é".encode() * MAX_WORD_CHARS + b" 1", ["é" * MAX_WORD_CHARS]),
        (binary({b"a": [1.0], "𝒳".encode() * MAX_WORD_CHARS: [1.0]}, b"\n"), ["a", "𝒳" * MAX_WORD_CHARS]),
        (b"king " + b"1 " * MAX_UPLOAD_DIM, ["king"]),
        (b"a 1\nb 1." + b"0" * (MAX_LINE_BYTES - 5) + b"\n", ["a", "b"]),
        (gzip.compress(b"king 1 2\n") + gzip.compress(b"queen 3 4\n"), ["king", "queen"]),
        (gzip.compress(b"king 1 2\n") + gzip.compress(b"") * 9_999, ["king"]),
    ],
    ids=range(19),
)
def test_read_upload_of_unusual_files_gives_their_words(data, words):
    assert read_upload(data).index_to_key == words


INVALID = {  # each with another message
    "only blanks": b"\xef\xbb\xbf \r\n\n",  # after a byte order mark
    "too many bytes": b"a" * (MAX_UPLOAD_BYTES + 1),
    "prose": b"abc def\n",
    "a long first line": b"a" * MAX_LINE_BYTES,
    "zero in the header": b"0 2\n",
    "absurd header": b"9" * 5000 + b" 2\n",
    "a word too many": b"50001 2\n",
    "a dimension too many": b"2 1025\n",
    "too many cells": b"50000 250\n",
    "too few columns": b"2 2\na 1 2\nb 1\n",
    "too many columns": b"a 1 2\nb 1 2 3\n",
    "an empty column": TEXT.replace(b"1e-3 ", b"1e-3  "),
    "a line too long": GLOVE + b"a" * (MAX_LINE_BYTES + 1),
    "not a number": TEXT.replace(b"3.25", b"NaN"),
    "overflow": TEXT.replace(b"3.25", b"3.5e38"),
    "norm too large": b"king 1 0\nqueen 3e38 3e38\n",
    "norm too small": b"king 1 0\nqueen 0 1e-30\nman 0 0\n",
    "a word twice": TEXT.replace(b"caf\xc3\xa9", b"king"),
    "fewer lines": TEXT.replace(b"3 2\n", b"4 2\n"),
    "no line": b"1 2\n",
    "more lines": TEXT.replace(b"3 2\n", b"2 2\n"),
    "an empty line": b"king 1\n\nqueen 2\n",
    "no word": b"king 1 2\n 1 2\n",
    "no UTF-8": TEXT.replace(b"\xc3\xa9", b"\xe9s"),
    "a long word": GLOVE + b"w" * 201 + b" 1 2",
    "an endless binary word": b"9 1\na \0\0\0\0" + b"w" * 2000,
    "a broken binary word": binary({b"ki\nng": [1.0]}),
    "not a number in binary": binary({b"a": [1, 2], b"b": [3, np.nan]}),
    "truncated binary": BINARY[:-1],
    "binary of fewer words": b"4" + BINARY[1:],
    "binary of more words": b"2" + BINARY[1:],
    "damaged gzip": gzip.compress(TEXT)[:10] + b"x" * 9,
    "garbage behind a gzip": gzip.compress(TEXT) + b"x" * 50,
    "truncated gzip": gzip.compress(TEXT)[:-8],
    "gzip of many parts": gzip.compress(b"") * 10_001,
    "gzip in gzip": gzip.compress(gzip.compress(TEXT)),
    "too many bytes unpacked": long_gzip(bytes(10**6), 60) + gzip.compress(b"a"),
}
OTHER_FORMATS = {
    "a Python pickle": [pickle.dumps([0.1]), pickle.dumps([0.1], 0), b"cos\nsystem\n(S'touch harm'\ntR."],
    "a NumPy array (.npy)": [written(lambda file: np.save(file, np.eye(2)))],
    "a NumPy archive (.npz)": [written(lambda file: np.savez(file, np.eye(2)))],
    "a zip archive": [
        written(lambda file: zipfile.ZipFile(file, "w").close()),
        b"PK\x03\x04\x14" + bytes(25) + b"a.txt",
    ],
    "a PDF": [b"%PDF-1.7\n..."],
    "a page of HTML or XML": [b"\n<!DOCTYPE html>\n<html>...", b"<?xml ..."],
    "an image": [b"\x89PNG\r\n\x1a\n...", b"\xff\xd8\xff...", b"RIFF....WEBP"],
    "text in UTF-16 instead of UTF-8": ["king 1 2".encode("utf-16")],
    "a fastText model": [b"\xba\x16\x4f\x2f\x0c\0\0\0"],
    "an HDF5 file": [b"\x89HDF\r\n\x1a\n"],
    "an archive other than gzip": [bz2.compress(b"king 1"), lzma.compress(b"king 1")],
    "a tar archive": [tarfile.TarInfo("vectors.txt").tobuf()],
    "a program": [b"\x7fELF\x02\x01"],
}


@pytest.mark.parametrize(("name", "files"), OTHER_FORMATS.items(), ids=OTHER_FORMATS)
def test_read_upload_of_other_format_names_it_and_opens_nothing(name, files):
    for data in files:
        assert problem_in(data).startswith(f"By its first bytes this is {name}, and nothing in it was opened")


def test_read_upload_of_invalid_file_names_fault_and_position(temporary_folder, tmp_path):
    problems = [f"{name}: {problem_in(data)}" for name, data in INVALID.items()]
    assert list(temporary_folder.iterdir()) == []
    compare(Path(__file__).with_name("approved") / "uploads.txt", problems, tmp_path)


def test_read_upload_is_refused_at_the_first_line_over_the_limit(monkeypatch):
    monkeypatch.setattr(uploads, "MAX_UPLOAD_WORDS", 50)
    data = b"".join(b"w%d 1\n" % n for n in range(51))
    assert problem_in(data).startswith(
        "By line 51 the file has 51 words or more, and 50 is the limit with 1 number each"
    )
    data = data.removesuffix(b"w50 1\n")
    monkeypatch.setattr(uploads, "MAX_UPLOAD_BYTES", len(data))
    assert problem_in(data) == ""


def with_bytes(data: bytes, changes: list[tuple[int, int]], length: int) -> bytes:
    changed = bytearray(data)
    for index, byte in changes:
        changed[index % len(changed)] = byte
    return bytes(changed[:length])


CHANGES = st.lists(st.tuples(st.integers(0, 90), st.integers(0, 255)), max_size=4)


@given(
    st.builds(with_bytes, st.sampled_from(FILES), CHANGES, st.integers(0, 120))
    | st.binary()
    | st.text(st.characters(codec="utf-8")).map(str.encode)
    | st.text("0123456789.-+e naif_\t\r\n").map(str.encode)
    | st.tuples(st.integers(0, 9), st.integers(0, 9), st.binary()).map(lambda t: b"%d %d\n" % t[:2] + t[2])
)
@example(b"1 1\na \x80\x00\x00\x7f")
@example(b"\x1f\x8b")
def test_read_upload_of_any_bytes_gives_vectors_or_one_sentence(data):
    problem_in(data)
    problem_in(gzip.compress(data))


def test_read_upload_without_a_temporary_folder_is_refused(temporary_folder, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(temporary_folder / "missing"))
    problem = problem_in(gzip.compress(b"king 1 2\n"))
    assert "file from which an upload is read (No such file or directory): try again later" in problem
    assert problem_in(b"king 1 2\n") == ""


@pytest.mark.parametrize(
    "data",
    [
        long_gzip(bytes(10**6), 100),
        f"{MAX_UPLOAD_CELLS // 200} 200\nking 1".encode(),
        b"king " + b"1 " * 9_000_000,
        b"\n" * 19_000_000,
    ],
    ids=["zeros, gzip", "a large header", "one long line", "line ends"],
)
def test_read_upload_of_a_file_made_to_take_memory_takes_little(data):
    tracemalloc.start()
    try:
        problem_in(data)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 8e6 + len(data)
