"""Read the words and the vectors of a file row by row, so that an error is reported with its line.

gensim reads the same numbers, but takes no tabs, and accepts a row with one number for D, repeated words and NaN.
"""

from collections.abc import Iterator
from functools import partial
from io import BufferedIOBase
from itertools import takewhile

import numpy as np
from jaxtyping import Float32

from components.vectors.layout import BYTES_PER_NUMBER, Layout, columns_of, is_number, quote_raw
from components.vectors.limits import MAX_LINE_BYTES, MAX_WORD_CHARS

BLOCK_BYTES = 2**16
BYTES_PER_CHARACTER = 4  # the maximum in UTF-8


def rows_of(file: BufferedIOBase, layout: Layout) -> Iterator[tuple[str, Float32[np.ndarray, " D"]]]:
    """Yield the word and the vector of every row. Raises ValueError if one is invalid or if rows are missing.

    The message has the line, or in binary the number of the word, and is shown to learners.

    >>> from io import BytesIO
    >>> file, layout = BytesIO(b"king\\t0.5\\t1 \\r\\n"), Layout(binary=False, dim=2, words=None, start=0)
    >>> [(word, vector.tolist()) for word, vector in rows_of(file, layout)]
    [('king', [0.5, 1.0])]
    """
    file.seek(layout.start)
    rows = _binary_rows(file, layout) if layout.binary else _text_rows(file, layout)
    for index, (raw, vector) in enumerate(rows):
        word = _read_word(raw, layout.location(index))
        finite = np.isfinite(vector)
        if not finite.all():
            raise ValueError(
                f"In {layout.location(index)} the word {quote_raw(raw)} has the number {vector[~finite][0]} as "
                f"float32: give it finite numbers, at most 3.4e38, or remove it."
            )
        yield word, vector


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
                f"The header states {layout.words:,} words, and in {location} there is one more, "
                f"{quote_raw(line.strip())}: correct the header."
            )
        if len(line) > MAX_LINE_BYTES:
            raise ValueError(f"{location.capitalize()} has more than {MAX_LINE_BYTES:,} bytes: shorten it.")
        yield _text_row(line, layout, location)
        index += 1
    if index < (layout.words or 0):
        raise ValueError(
            f"The header states {layout.words:,} words, and the file ends after {layout.location(index - 1)} with "
            f"{index:,} of them: correct the header, or upload the whole file."
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
        source = "line 1 has" if layout.words is None else "the header states"
        raise ValueError(
            f"In {location} the word {quote_raw(first)} has {found:,} instead of the {layout.dim:,} numbers that "
            f"{source}: give every word the same number of them."
        )
    return word, vector


def _binary_rows(file: BufferedIOBase, layout: Layout) -> Iterator[tuple[bytes, np.ndarray]]:
    """Yield the rows of a binary: a word, a space, D little-endian float32; word2vec itself adds a newline."""
    words = layout.words or 0
    longest, vector_bytes = BYTES_PER_CHARACTER * MAX_WORD_CHARS, BYTES_PER_NUMBER * layout.dim
    for index in range(words):
        start = file.tell()
        word, space, _ = file.read(len(b"\n") + longest + len(b" ")).partition(b" ")
        file.seek(start + len(word) + len(b" "))
        numbers = file.read(vector_bytes)
        if len(numbers) < vector_bytes:
            raise ValueError(
                f"The file ends in {layout.location(index)}, and the header states {words:,} words: upload the whole "
                f"file, or correct the header."
            )
        if not space:
            raise ValueError(
                f"In {layout.location(index)} no space ends {quote_raw(word)} within {MAX_WORD_CHARS:,} characters: "
                f"check that the header's dimensions are those of the file."
            )
        yield word.removeprefix(b"\n"), np.frombuffer(numbers, np.dtype("<f4"))
    if file.read(BLOCK_BYTES).strip():
        raise ValueError(f"The header states {words:,} words, and the file goes on after them: correct the header.")
