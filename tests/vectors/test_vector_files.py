import gzip
import os
import pickle
import time
import tracemalloc
import zipfile
import zlib
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from gensim.models import KeyedVectors
from hypothesis import assume, example, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from components.vectors.checks import is_number
from components.vectors.limits import (
    MAX_LINE_BYTES,
    MAX_UPLOAD_BYTES,
    MAX_UPLOAD_CELLS,
    MAX_UPLOAD_DIM,
    MAX_UPLOAD_UNPACKED_BYTES,
    MAX_UPLOAD_WORDS,
    MAX_WORD_CHARS,
)
from components.vectors.uploads import read_upload

FLOATS = st.floats(-(2.0**40), 2.0**40, width=32)  # lengths of vectors that float32 can hold
WORDS = st.text(st.characters(codec="utf-8", exclude_categories=["Z", "C"]), min_size=1, max_size=12)
TEXT = b"3 2\nking 0.5 -1\nqueen 1e-3 2\ncaf\xc3\xa9 3.25 4\n"
GLOVE = TEXT.partition(b"\n")[2]


def binary(rows: dict[bytes, list[float]], header: str = "", line_end: bytes = b"") -> bytes:
    header = header or f"{len(rows)} {len(next(iter(rows.values())))}"
    return header.encode() + b"\n" + b"".join(w + b" " + np.float32(v).tobytes() + line_end for w, v in rows.items())


BINARY = binary({b"king": [0.5, -1], b"queen": [1e-3, 2], b"caf\xc3\xa9": [3.25, 4]})
BINARY_WITH_LINE_ENDS = binary({b"king": [0.5, -1], b"queen": [1e-3, 2], b"caf\xc3\xa9": [3.25, 4]}, line_end=b"\n")
FORMATS = {"text": TEXT, "GloVe": GLOVE, "binary": BINARY, "binary with line ends": BINARY_WITH_LINE_ENDS}
FILES = FORMATS | {f"{name}, gzip": gzip.compress(data) for name, data in FORMATS.items()}


@st.composite
def word_vectors(draw: st.DrawFn, words: st.SearchStrategy[str] = WORDS, least_dim: int = 1) -> KeyedVectors:
    chosen = draw(st.lists(words, unique=True, min_size=1, max_size=8))
    shape = (len(chosen), draw(st.integers(least_dim, 6)))
    vectors = KeyedVectors(shape[1])
    vectors.add_vectors(chosen, draw(arrays.arrays(np.float32, shape, elements=FLOATS)))
    return vectors


def saved(vectors: KeyedVectors, **how: bool) -> tuple[bytes, KeyedVectors]:
    """Return the file that gensim writes, and what gensim reads from it."""
    with TemporaryDirectory() as folder:
        path = os.path.join(folder, "vectors")
        vectors.save_word2vec_format(path, **how)
        read = {"binary": how.get("binary", False), "no_header": not how.get("write_header", True)}
        return Path(path).read_bytes(), KeyedVectors.load_word2vec_format(path, **read)


def assert_same(ours: KeyedVectors, theirs: KeyedVectors) -> None:
    assert ours.index_to_key == theirs.index_to_key
    assert ours.key_to_index == theirs.key_to_index
    assert ours.vectors.dtype == np.float32
    np.testing.assert_array_equal(ours.vectors, theirs.vectors)


def answer_to(data: bytes) -> KeyedVectors | str:
    try:
        return read_upload(data)
    except ValueError as refused:
        return str(refused)


def assert_plain(sentence: str) -> None:
    assert sentence.endswith(".")
    assert len(sentence.splitlines()) == 1
    assert sentence.isprintable()


def assert_vectors_or_a_sentence(data: bytes) -> None:
    answer = answer_to(data)
    if isinstance(answer, str):
        assert_plain(answer)
    else:
        assert answer.vectors.shape == (len(answer.index_to_key), answer.vector_size)
        assert list(answer.key_to_index) == answer.index_to_key
        assert np.isfinite(answer.vectors).all()


@pytest.mark.parametrize("data", FILES.values(), ids=FILES)
def test_each_format_is_told_by_its_content_plain_or_packed(data):
    vectors = read_upload(data)
    assert vectors.index_to_key == ["king", "queen", "café"]
    np.testing.assert_array_equal(vectors.vectors, np.float32([[0.5, -1], [1e-3, 2], [3.25, 4]]))
    assert vectors.most_similar("queen", topn=1)[0][0] == "café"


@given(word_vectors())
def test_text_written_by_gensim_is_read_as_gensim_reads_it(vectors):
    data, theirs = saved(vectors)
    assert_same(read_upload(data), theirs)
    assert_same(read_upload(gzip.compress(data)), theirs)


@given(word_vectors())
def test_binary_written_by_gensim_is_read_as_gensim_reads_it(vectors):
    data, theirs = saved(vectors, binary=True)
    assume(not is_number(vectors.vectors[0].tobytes().partition(b"\n")[0]))  # bytes that are numbers as text, too
    assert_same(read_upload(data), theirs)
    assert_same(read_upload(gzip.compress(data)), theirs)


@given(word_vectors(least_dim=2))  # a row of one number with a number for its word looks like a header
def test_text_without_a_header_is_read_as_gensim_reads_it(vectors):
    data, theirs = saved(vectors, write_header=False)
    assert_same(read_upload(data), theirs)
    assert_same(read_upload(gzip.compress(data)), theirs)


@given(
    st.lists(FLOATS, min_size=3, max_size=3), st.sampled_from(["nbsp\xa0word", "\x00", "a\x1b[0m", "\u202e", "x\x85y"])
)
def test_a_word_of_odd_characters_is_a_word_like_any_other(numbers, word):
    vectors = read_upload(f"{word} {' '.join(map(str, numbers))}\n".encode())
    assert vectors.index_to_key == [word]


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"king 1 2", ["king"]),
        (b"king\t1\t2\r\nqueen 3 4 \t\r\n\n \n", ["king", "queen"]),
        (b"2 2 \nking 1 2 \nqueen 3 4 \n", ["king", "queen"]),
        (b"\xef\xbb\xbf1 2\nking 1 2\n", ["king"]),
        (b"\xef\xbb\xbfking 1 2\n", ["king"]),
        (
            b". 1 2\nat name@domain.com 3 4\n. . 5 6\n1984 7 8\nnan 9 9\n",
            [".", "at name@domain.com", ". .", "1984", "nan"],
        ),
        (b"2 1\nking 1\nqueen 2", ["king", "queen"]),
        (b"the_king 1 2\n", ["the_king"]),
        (b"<unk> 0 0\nMZ 1 1\nBM 2 2\n%PDF 3 3\n", ["<unk>", "MZ", "BM", "%PDF"]),
        (b"2 1\na \n\xd7\xa3<b \x00\x00\x80?", ["a", "b"]),  # 0.02 as float32 starts with a line end
        (b"w" * MAX_WORD_CHARS + b" 1", ["w" * MAX_WORD_CHARS]),
        ("é".encode() * MAX_WORD_CHARS + b" 1", ["é" * MAX_WORD_CHARS]),
        (b"king " + b"1 " * MAX_UPLOAD_DIM, ["king"]),
        (gzip.compress(b"king 1 2\n", mtime=0) + gzip.compress(b"queen 3 4\n", mtime=0), ["king", "queen"]),
    ],
    ids=range(14),
)
def test_files_as_people_have_them_are_read(data, words):
    assert read_upload(data).index_to_key == words


def long_gzip(part: bytes, times: int) -> bytes:
    packer = zlib.compressobj(9, wbits=31)
    return b"".join(packer.compress(part) for _ in range(times)) + packer.flush()


def zipped(name: str) -> bytes:
    file = BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(name, TEXT)
    return file.getvalue()


def numpy_file(save: Callable[..., None]) -> bytes:
    file = BytesIO()
    save(file, np.eye(2))
    return file.getvalue()


NOT_OPENED = "nothing in it was opened or executed"
REFUSED: dict[str, tuple[bytes, tuple[str, ...]]] = {
    "nothing": (b"", ("The file is empty",)),
    "only blanks": (b" \r\n\n", ("The file is empty",)),
    "nothing packed": (gzip.compress(b""), ("The file is empty",)),
    "too many bytes": (b"a" * (MAX_UPLOAD_BYTES + 1), ("20.0 MB (20,000,001 bytes)", "20.0 MB is the limit")),
    "prose": (b"abc def\n", ("Line 1, 'abc def', is neither", "'1000 300'", "'king 0.1 -0.2'")),
    "commas": (b"king,0.1,0.2\n", ("Line 1, 'king,0.1,0.2', is neither",)),
    "no first line": (b"\nking 0.1\n", ("Line 1, '', is neither",)),
    "a long first line": (b"a" * MAX_LINE_BYTES, ("Line 1 has 131,072 bytes or more",)),
    "negative header": (b"-3 2\nking 1 2\n", ("The header '-3 2' in line 1", "from 1 to 1,000,000,000")),
    "zero in the header": (b"0 2\n", ("The header '0 2' in line 1",)),
    "no dimensions": (b"3 0\n", ("The header '3 0' in line 1",)),
    "fractions in the header": (b"3.0 2\n", ("The header '3.0 2' in line 1",)),
    "a word in the header": (b"3 two\n", ("The header '3 two' in line 1",)),
    "absurd header": (b"9" * 5000 + b" 2\n", ("The header '9999", "…' in line 1")),
    "a billion words": (b"1000000000 2\n", ("1,000,000,000 words or more", "50,000 is the limit with 2 numbers each")),
    "a word too many": (b"50001 2\n", ("By line 1 the file has 50,001 words or more",)),
    "a dimension too many": (b"2 1025\n", ("By line 1 each word has 1,025 numbers, and 1,024 is the limit",)),
    "too many cells": (b"50000 300\n", ("50,000 words or more, and 33,333 is the limit with 300 numbers each",)),
    "too many columns in all": (b"king " + b"1 " * 1025, ("By line 1 each word has 1,025 numbers",)),
    "too many lines": (
        b"\n".join(b"w%d 1" % i for i in range(MAX_UPLOAD_WORDS + 1)),
        ("By line 50,001 the file has 50,001 words or more, and 50,000 is the limit",),
    ),
    "too few columns": (
        TEXT.replace(b" 2\nc", b"\nc"),
        ("In line 3 the word 'queen' has 1 instead of the 2 numbers that the header states",),
    ),
    "too many columns": (
        GLOVE.replace(b"1e-3", b"1 1"),
        ("In line 2 the word 'queen' has 3 instead of the 2 numbers that line 1 has",),
    ),
    "a word alone": (GLOVE + b"man\n", ("In line 4 the word 'man' has 0 instead of the 2 numbers",)),
    "an empty column": (TEXT.replace(b"1e-3 ", b"1e-3  "), ("In line 3, column 3 is empty", "one space or tab")),
    "a line too long": (GLOVE + b"a" * (MAX_LINE_BYTES + 9), ("In line 4 there are more than 131,072 bytes",)),
    "no number": (TEXT.replace(b"1e-3", b"O.5"), ("In line 3, column 2, 'O.5' is not a number",)),
    "a number as Python writes it": (TEXT.replace(b"1e-3", b"1_0"), ("In line 3, column 2, '1_0' is not a number",)),
    "not a number": (TEXT.replace(b"3.25", b"NaN"), ("In line 4, column 2, 'NaN'", "the word 'café'")),
    "infinity": (GLOVE.replace(b"-1", b"-inf"), ("In line 1, column 3, '-inf'", "the word 'king'")),
    "overflow": (TEXT.replace(b"3.25", b"3.5e38"), ("In line 4, column 2, '3.5e38'", "float32")),
    "a word twice": (TEXT.replace(b"caf\xc3\xa9", b"king"), ("The word 'king' occurs in line 2 and again in line 4",)),
    "a word twice without header": (GLOVE + GLOVE, ("The word 'king' occurs in line 1 and again in line 4",)),
    "a word twice in binary": (
        BINARY.replace(b"caf\xc3\xa9", b"king"),
        ("The word 'king' occurs in word 1 and again in word 3",),
    ),
    "fewer lines": (TEXT.replace(b"3 2\n", b"4 2\n"), ("states 4 words", "ends after line 4 with 3")),
    "a header alone": (b"4 2\n", ("states 4 words", "ends after line 1 with 0")),
    "more lines": (TEXT.replace(b"3 2\n", b"2 2\n"), ("states 2 words", "in line 4 there is one more")),
    "an empty line": (b"king 1\n\nqueen 2\n", ("Line 2 is empty, but more lines follow",)),
    "no word": (b"king 1 2\n 1 2\n", ("In line 2 there is no word", "at byte 1")),
    "no UTF-8": (TEXT.replace(b"\xc3\xa9", b"\xe9s"), ("In line 4 the word 'caf�s' is not UTF-8 at byte 4",)),
    "a long word": (
        GLOVE + b"w" * 201 + b" 1 2",
        ("In line 4 the word 'www", "has 201 characters", "200 is the limit"),
    ),
    "a long binary word": (binary({b"w" * 201: [1.0]}), ("In word 1 the word 'www", "has 201 characters")),
    "an endless binary word": (b"9 1\na \0\0\0\0" + b"w" * 2000, ("In word 2, at byte 10, no space ends 'www",)),
    "no binary word": (binary({b"": [1.0]}), ("In word 1 there is no word", "at byte 4")),
    "no UTF-8 in binary": (
        BINARY.replace(b"\xc3\xa9", b"\xe9s"),
        ("In word 3 the word 'caf�s' is not UTF-8 at byte 34",),
    ),
    "a broken binary word": (binary({b"ki\nng": [1.0]}), ("In word 1 the word 'ki�ng' is broken", "at byte 6")),
    "not a number in binary": (
        binary({b"king": [1, 2], b"man": [3, np.nan]}),
        ("At byte 25 the word 'man' has the number nan",),
    ),
    "infinity in binary": (binary({b"king": [-np.inf, 2]}), ("At byte 9 the word 'king' has the number -inf",)),
    "truncated binary": (BINARY[:-1], ("ends at byte 44", "2 words read of 3 in the header")),
    "binary of fewer words": (
        BINARY.replace(b"3 2\n", b"4 2\n"),
        ("ends at byte 45", "3 words read of 4 in the header"),
    ),
    "binary of more words": (BINARY.replace(b"3 2\n", b"2 2\n"), ("states 2 words", "goes on after them at byte 31")),
    "damaged gzip": (b"\x1f\x8b" + b"x" * 50, ("The gzip is damaged after 0 bytes unpacked",)),
    "garbage behind a gzip": (gzip.compress(TEXT) + b"x" * 50, ("The gzip is damaged after 42 bytes unpacked",)),
    "truncated gzip": (gzip.compress(TEXT)[:-8], ("The gzip ends too early, after 42 bytes unpacked",)),
    "gzip of many parts": (gzip.compress(b"") * 10_001, ("The gzip has 10,001 parts, and 10,000 is the limit",)),
    "gzip in gzip": (gzip.compress(gzip.compress(TEXT)), ("Inside this gzip is another gzip: unpack it once",)),
    "too many bytes unpacked": (
        long_gzip(b"king 1 2\n" * 100_000, MAX_UPLOAD_UNPACKED_BYTES // 900_000 + 1),
        ("The gzip unpacks to more than 60.0 MB",),
    ),
    "pickle": (pickle.dumps({"king": [0.1]}), ("a Python pickle", NOT_OPENED)),
    "old pickle": (pickle.dumps({"king": [0.1]}, protocol=0), ("a Python pickle", NOT_OPENED)),
    "pickle that runs a program": (b"cos\nsystem\n(S'touch harm'\ntR.", ("a Python pickle", NOT_OPENED)),
    "packed pickle": (gzip.compress(pickle.dumps({"king": [0.1]})), ("a Python pickle", NOT_OPENED)),
    "numpy array": (numpy_file(np.save), ("a NumPy array (.npy)", NOT_OPENED)),
    "numpy archive": (numpy_file(np.savez), ("a NumPy archive (.npz)", NOT_OPENED)),
    "zip": (zipped("vectors.txt"), ("a zip archive", NOT_OPENED)),
    "PDF": (b"%PDF-1.7\n...", ("a PDF", NOT_OPENED)),
    "page": (b"\n<!DOCTYPE html>\n<html>...", ("a page of HTML or XML", NOT_OPENED)),
    "page without doctype": (b'<html lang="en">...', ("a page of HTML or XML", NOT_OPENED)),
    "PNG": (b"\x89PNG\r\n\x1a\n...", ("an image", NOT_OPENED)),
    "JPEG": (b"\xff\xd8\xff\xe0...", ("an image", NOT_OPENED)),
    "GIF": (b"GIF89a...", ("an image", NOT_OPENED)),
    "UTF-16": ("king 1 2".encode("utf-16"), ("text in UTF-16 instead of UTF-8",)),
    "fastText": (b"\xba\x16\x4f\x2f\x0c\0\0\0", ("a fastText model", NOT_OPENED)),
}


@pytest.mark.parametrize(("data", "named"), REFUSED.values(), ids=REFUSED)
def test_what_is_wrong_with_a_file_is_said_with_its_place(data, named):
    answer = answer_to(data)
    assert isinstance(answer, str)
    for part in named:
        assert part in answer
    assert_plain(answer)


@pytest.mark.parametrize("data", FILES.values(), ids=FILES)
def test_a_file_cut_anywhere_gives_vectors_or_a_plain_sentence(data):
    for length in range(len(data)):
        assert_vectors_or_a_sentence(data[:length])


@given(st.sampled_from([*FILES.values()]), st.lists(st.tuples(st.integers(0, 90), st.integers(0, 255)), max_size=4))
def test_a_file_with_a_few_wrong_bytes_gives_vectors_or_a_plain_sentence(data, changes):
    changed = bytearray(data)
    for place, byte in changes:
        changed[place % len(changed)] = byte
    assert_vectors_or_a_sentence(bytes(changed))


@given(
    st.binary()
    | st.text(st.characters(codec="utf-8")).map(str.encode)
    | st.text("0123456789.-+e naif_\t\r\n").map(str.encode)
    | st.tuples(st.integers(0, 9), st.integers(0, 9), st.binary()).map(lambda t: b"%d %d\n" % t[:2] + t[2])
)
@example(b"1 1\na \x80\x00\x00\x7f")
@example(b"\x1f\x8b")
def test_any_bytes_give_vectors_or_a_plain_sentence(data):
    assert_vectors_or_a_sentence(data)
    assert_vectors_or_a_sentence(gzip.compress(data))


def peak_bytes(data: bytes) -> int:
    tracemalloc.start()
    try:
        answer_to(data)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    "data",
    [
        long_gzip(bytes(10**6), 500),
        long_gzip(b" \n" * 500_000, 500),
        long_gzip(b"\x1f\x8b" * 500_000, 500),
        f"{MAX_UPLOAD_CELLS // 200} 200\nking 1".encode(),
        b"king " + b"1 " * 9_000_000,
        b"\n" * 19_000_000,
        b"k\n" * 9_000_000,
    ],
    ids=["zeros", "blanks", "gzip heads", "a large header", "one long line", "line ends", "short lines"],
)
def test_a_file_made_to_take_memory_takes_little(data):
    assert peak_bytes(data) < 8e6 + len(data)


def test_the_largest_upload_takes_no_longer_for_its_words_than_a_small_one():
    row = " ".join(f"{number:.5f}" for number in np.random.default_rng(0).normal(size=50))

    def cpu_seconds(n_words: int) -> float:
        data = gzip.compress("".join(f"word{i} {row}\n" for i in range(n_words)).encode(), 1)
        start = time.process_time()
        assert read_upload(data).vectors.shape == (n_words, 50)
        return time.process_time() - start

    assert cpu_seconds(MAX_UPLOAD_WORDS) < 3 * 8 * cpu_seconds(MAX_UPLOAD_WORDS // 8)  # the square would be 8 * 8
