"""Read the word vectors that a learner uploads: word2vec's text or binary, or GloVe's text, each plain or gzip.

Nothing in an upload is unpickled or executed. The rows are read one by one, so that an error is reported with its line:
gensim reads the same numbers, but takes no tabs, and accepts a row with one number for D, repeated words and NaN.
"""

import gzip
import zlib
from collections.abc import Iterator
from functools import partial
from io import BufferedIOBase, BytesIO
from itertools import takewhile
from tempfile import TemporaryFile
from threading import Lock

import numpy as np
from gensim.models import KeyedVectors

from components.base.field_types import quote
from components.base.limits import (
    BYTES_PER_FLOAT,
    MAX_UPLOAD_BYTES,
    MAX_UPLOAD_CELLS,
    MAX_UPLOAD_DIM,
    MAX_UPLOAD_UNPACKED_BYTES,
    MAX_UPLOAD_WORDS,
)
from components.base.text_format import pluralize, readable_bytes
from components.vectors.layout import MAX_LINE_BYTES, Layout, columns_of, is_number, layout_in, quote_raw
from components.vectors.load import fill_norms

MAX_WORD_CHARS = 200
SMALLEST = 1e-15  # the square of a much smaller number has few digits in float32, or is 0
BLOCK_BYTES = 2**18
GZIP = b"\x1f\x8b"
GZIP_MEMBER = GZIP + b"\x08"  # the first bytes of each member of a gzip file
MAX_MEMBERS = 10_000  # a small file of countless empty members would take a minute; block-wise compressors write 1,000
_reading = Lock()  # one file at a time, so that the memory for reading is needed only once


def read_upload(data: bytes) -> KeyedVectors:
    """Return the words of a file in its order, with their vectors [N, D] as float32 and the `layout` of the file.

    The format is detected from the content; a gzip is unpacked to a temporary file. Raises ValueError if the file is
    invalid or exceeds the limits of uploads; the message names the location and the fix, and is shown to learners. Zero
    vectors are accepted; they have no direction to compare.
    """
    if len(data) > MAX_UPLOAD_BYTES:
        raise ValueError(
            f"The file has {len(data):,} bytes, and {MAX_UPLOAD_BYTES:,} is the limit: upload fewer words."
        )
    packed = data.startswith(GZIP)
    try:
        with _reading, TemporaryFile() if packed else BytesIO(data) as file:
            if packed:
                _unpack(data, file)
            return _read(file)
    except OSError as error:
        raise ValueError(
            f"The server cannot write the temporary file from which an upload is read ({error.strerror}): "
            "try again later, or report this to the person who runs it."
        ) from None


def _unpack(data: bytes, target: BufferedIOBase) -> None:
    if (members := data.count(GZIP_MEMBER)) > MAX_MEMBERS:
        raise ValueError(f"The gzip has {members:,} parts, and {MAX_MEMBERS:,} is the limit: pack it again in one.")
    unpacked = 0
    try:
        with gzip.GzipFile(fileobj=BytesIO(data)) as file:
            if file.peek(len(GZIP)).startswith(GZIP):
                raise ValueError("Inside this gzip is another gzip: unpack it once, and upload what is inside.")
            while block := file.read1(BLOCK_BYTES):
                unpacked += len(block)
                if unpacked > MAX_UPLOAD_UNPACKED_BYTES:
                    limit = readable_bytes(MAX_UPLOAD_UNPACKED_BYTES)
                    raise ValueError(f"The gzip unpacks to more than {limit}, the limit: upload fewer words.")
                target.write(block)
    except EOFError:
        raise ValueError(
            f"The gzip ends too early, after {unpacked:,} bytes unpacked: upload the whole file."
        ) from None
    except (gzip.BadGzipFile, zlib.error):
        raise ValueError(f"The gzip is damaged after {unpacked:,} bytes unpacked: pack or download it again.") from None
    target.seek(0)


def _read(file: BufferedIOBase) -> KeyedVectors:
    layout = layout_in(file)
    _check_size(layout.words or 1, layout.dim, "line 1")
    file.seek(layout.start)
    key_to_index: dict[str, int] = {}
    numbers = bytearray()
    for index, (raw, vector) in enumerate(_binary_rows(file, layout) if layout.binary else _text_rows(file, layout)):
        location = layout.location(index)
        word = _read_word(raw, location)
        finite = np.isfinite(vector)
        if not finite.all():
            raise ValueError(
                f"In {location} the word {quote_raw(raw)} has the number {vector[~finite][0]} as float32: give it "
                f"finite numbers from -3.4e38 to 3.4e38, or remove it."
            )
        if word in key_to_index:
            first = layout.location(key_to_index[word])
            raise ValueError(f"The word {quote(word)} occurs in {first} and again in {location}: remove one of them.")
        _check_size(index + 1, layout.dim, location)
        key_to_index[word] = index
        numbers += vector.tobytes()
    # add_vectors would copy the numbers.
    keyed = KeyedVectors(layout.dim)
    keyed.vectors = np.frombuffer(numbers, np.float32).reshape(-1, layout.dim)
    keyed.index_to_key, keyed.key_to_index, keyed.next_index = list(key_to_index), key_to_index, len(key_to_index)
    keyed.layout = layout
    with np.errstate(over="ignore"):
        fill_norms(keyed)
    largest = np.maximum(keyed.vectors.max(axis=1), -keyed.vectors.min(axis=1))  # of each row
    too_small = (largest > 0) & (largest < SMALLEST)
    for rows, problem in (
        (~np.isfinite(keyed.norms), "large for float32: divide"),
        (too_small, "small for float32: multiply"),
    ):
        if rows.any():
            word = keyed.index_to_key[int(rows.argmax())]
            raise ValueError(f"The vector of {quote(word)} has a norm too {problem} all numbers by the same factor.")
    return keyed


def _check_size(words: int, dim: int, location: str) -> None:
    if dim > MAX_UPLOAD_DIM:
        raise ValueError(
            f"By {location} each word has {dim:,} numbers, and {MAX_UPLOAD_DIM:,} is the limit: upload vectors of "
            f"fewer dimensions."
        )
    limit = min(MAX_UPLOAD_WORDS, MAX_UPLOAD_CELLS // dim)
    if words > limit:
        raise ValueError(
            f"By {location} the file has {words:,} words or more, and {limit:,} is the limit with "
            f"{pluralize(dim, 'number')} each: upload the first {limit:,}, which are the most frequent in most files, "
            "and correct the header, if there is one."
        )


def _read_word(raw: bytes, location: str) -> str:
    try:
        word = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(
            f"In {location} the word {quote_raw(raw)} is not UTF-8 at its byte {error.start + 1:,}: save the file as "
            f"UTF-8."
        ) from None
    if not 1 <= len(word) <= MAX_WORD_CHARS or "\n" in word:
        raise ValueError(
            f"In {location} the word {quote_raw(raw)} has {len(word):,} characters, and 1 to {MAX_WORD_CHARS:,} on one "
            f"line are the limits: correct it, or remove the row."
        )
    return word


def _text_rows(file: BufferedIOBase, layout: Layout) -> Iterator[tuple[bytes, np.ndarray]]:
    """Yield the rows of a text. A word may contain spaces, as a few of GloVe do, unless it ends in a number then."""
    index = 0
    while line := file.readline(MAX_LINE_BYTES + 1):
        location = layout.location(index)
        if not line.strip():
            if any(block.strip() for block in iter(partial(file.read, BLOCK_BYTES), b"")):
                raise ValueError(f"{location.capitalize()} is empty, but more lines follow: remove the empty line.")
            break
        if index == layout.words:
            raise ValueError(
                f"The header states {pluralize(layout.words, 'word')}, and in {location} there is one more, "
                f"{quote_raw(line.strip())}: correct the header."
            )
        if len(line) > MAX_LINE_BYTES:
            raise ValueError(f"{location.capitalize()} has more than {MAX_LINE_BYTES:,} bytes: shorten it.")
        yield _text_row(line, layout, location)
        index += 1
    if index < (layout.words or 0):
        raise ValueError(
            f"The header states {pluralize(layout.words, 'word')}, and the file ends after "
            f"{layout.location(index - 1)} with {index:,} of them: correct the header, or upload the whole file."
        )


def _text_row(line: bytes, layout: Layout, location: str) -> tuple[bytes, np.ndarray]:
    word, *columns = columns_of(line, layout.dim)
    try:
        with np.errstate(over="ignore"):
            vector = np.fromiter(map(float, columns), np.float32)  # [D]
    except ValueError:
        column = next(column for column in columns if not is_number(column))
        raise ValueError(
            f"In {location} {quote_raw(column)} is not a number: write it like -0.25 or 1e-3, with one space or tab "
            f"before it."
        ) from None
    first, *others = word.split(b" ")
    found = len(columns) + sum(1 for _ in takewhile(is_number, reversed(others)))
    if found != layout.dim:
        source, also = ("line 1 has", "") if layout.words is None else ("the header states", ", or correct the header")
        raise ValueError(
            f"In {location} the word {quote_raw(first)} has {found:,} instead of the {pluralize(layout.dim, 'number')} "
            f"that {source}: give every word the same number of them{also}."
        )
    return word, vector


def _binary_rows(file: BufferedIOBase, layout: Layout) -> Iterator[tuple[bytes, np.ndarray]]:
    """Yield the rows of a binary: a word, a space, D little-endian float32; word2vec itself adds a newline."""
    vector_bytes = BYTES_PER_FLOAT * layout.dim
    for index in range(layout.words):
        start = file.tell()
        longest = len(b"\n") + 4 * MAX_WORD_CHARS + len(b" ")  # a character has up to 4 bytes in UTF-8
        word, space, _ = file.read(longest).partition(b" ")
        file.seek(start + len(word) + len(b" "))
        numbers = file.read(vector_bytes)
        if not word.strip() and not space:
            raise ValueError(
                f"The header states {pluralize(layout.words, 'word')}, and the file ends after {index:,} of them: "
                f"correct the header, or upload the whole file."
            )
        if len(numbers) < vector_bytes:
            raise ValueError(
                f"The file ends in {layout.location(index)}, and the header states {pluralize(layout.words, 'word')}: "
                f"upload the whole file, or correct the header."
            )
        if not space:
            raise ValueError(
                f"In {layout.location(index)} no space ends {quote_raw(word)} within {MAX_WORD_CHARS:,} characters: "
                f"check that the header's dimensions are those of the file."
            )
        yield word.removeprefix(b"\n"), np.frombuffer(numbers, np.dtype("<f4"))
    if file.read(BLOCK_BYTES).strip():
        raise ValueError(
            f"The header states {pluralize(layout.words, 'word')}, and the file has more: correct the header; words "
            "must have no spaces, and numbers must be float32."
        )
