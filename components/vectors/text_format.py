"""Rows of word vectors as text: a word, then its numbers, separated by single spaces or tabs.

The last D columns of a row are its numbers, everything before them is the word: a few files have words with spaces
("at name@domain.com"). Such a word must not end in a number, because then the row has one number too many. Spaces and
tabs at the end of a row, and empty lines at the end of the file, are ignored.
"""

from collections.abc import Iterator
from io import BufferedIOBase
from itertools import takewhile

import numpy as np
from jaxtyping import Float32

from components.vectors.checks import is_number, quote_raw, read_word
from components.vectors.layout import Layout, columns_of
from components.vectors.limits import MAX_LINE_BYTES

BLOCK_BYTES = 2**16


def text_rows(
    file: BufferedIOBase, layout: Layout, max_chars: int
) -> Iterator[tuple[str, Float32[np.ndarray, " dim"]]]:
    """Yield every word with its D numbers from `file`, which is positioned at the first row.

    Raises ValueError if a row is not a word of at most `max_chars` characters and D finite numbers, or if the number of
    rows differs from the header. The message contains the line and is shown to learners.

    >>> from io import BytesIO
    >>> list(text_rows(BytesIO(b"king 0.5 1\\n"), Layout(binary=False, dim=2, words=None, start=0), max_chars=200))
    [('king', array([0.5, 1. ], dtype=float32))]
    """
    index = 0
    while line := file.readline(MAX_LINE_BYTES + 1):
        location = layout.location(index)
        if not line.strip():
            if _is_blank(file):
                break
            raise ValueError(f"{location.capitalize()} is empty, but more lines follow: remove the empty line.")
        if index == layout.words:
            raise ValueError(
                f"The header promises {layout.words:,} words, and in {location} there is one more, "
                f"{quote_raw(line.strip())}: correct the header."
            )
        if len(line) > MAX_LINE_BYTES:
            raise ValueError(
                f"In {location} there are more than {MAX_LINE_BYTES:,} bytes: shorten it to a word and numbers."
            )
        yield _read_row(line, location, layout, max_chars)
        index += 1
    if layout.words is not None and index < layout.words:
        raise ValueError(
            f"The header promises {layout.words:,} words, and the file ends after {layout.location(index - 1)} with "
            f"{index:,} of them: correct the header, or upload the whole file."
        )


def _is_blank(file: BufferedIOBase) -> bool:
    while block := file.read(BLOCK_BYTES):
        if block.strip():
            return False
    return True


def _read_row(line: bytes, location: str, layout: Layout, max_chars: int) -> tuple[str, Float32[np.ndarray, " dim"]]:
    raw, *columns = columns_of(line, layout.dim)
    if len(columns) != layout.dim or b" " in raw:
        _check_columns(raw, columns, location, layout)
    word = read_word(raw, location, 1, max_chars)
    try:
        with np.errstate(over="ignore"):
            vector = np.array(columns, dtype=np.float32)
    except ValueError:
        _check_columns(raw, columns, location, layout)
        _check_numbers(columns, location)
        raise
    if b"_" in line:  # numpy accepts 1_000 as a number
        _check_numbers(columns, location)
    if not np.isfinite(vector).all():
        column = int(np.argmin(np.isfinite(vector)))
        raise ValueError(
            f"In {location}, column {column + 2:,}, {quote_raw(columns[column])} is not a finite float32 "
            f"number: give the word {quote_raw(word)} finite numbers, or remove it."
        )
    return word, vector


def _check_columns(raw: bytes, columns: list[bytes], location: str, layout: Layout) -> None:
    """Raise ValueError if a column is empty, or if the row has too few or too many numbers."""
    pieces = raw.split(b" ") if raw else []
    if b"" in [*pieces, *columns]:
        column = [*pieces, *columns].index(b"") + 1
        raise ValueError(f"In {location}, column {column:,} is empty: put one space or tab between two columns.")
    found = len(columns) + sum(1 for _ in takewhile(is_number, reversed(pieces[1:])))
    if found != layout.dim:
        source = "line 1 has" if layout.words is None else "the header promises"
        word = quote_raw(pieces[0] if pieces else raw)
        raise ValueError(
            f"In {location} the word {word} has {found:,} instead of the {layout.dim:,} numbers that {source}: give "
            f"every word the same number of them."
        )


def _check_numbers(columns: list[bytes], location: str) -> None:
    for column, number in enumerate(columns, start=2):
        if not is_number(number):
            raise ValueError(
                f"In {location}, column {column:,}, {quote_raw(number)} is not a number: write it like -0.25 or 1e-3."
            )
