"""Rows of word vectors written as text: a word, then its numbers, separated by single spaces or tabs.

The last D columns of a row are its numbers, whatever stands before them is the word: a few files have words with spaces
in them ("at name@domain.com"). Such a word must not end in a number, because then the row has a number too many.
Spaces and tabs at the end of a row, and empty lines at the end of the file, are left out.
"""

from collections.abc import Iterator
from io import BufferedIOBase
from itertools import takewhile

import numpy as np
from jaxtyping import Float32

from components.core.word_checks import is_number, read_word, shown
from components.core.word_layout import Layout, columns_of
from components.core.word_limits import MAX_LINE_BYTES

BLOCK_BYTES = 2**16


def text_rows(file: BufferedIOBase, layout: Layout, longest: int) -> Iterator[tuple[str, Float32[np.ndarray, " dim"]]]:
    """Yield every word with its D numbers from `file`, which stands at the first row.

    Raises ValueError, in one sentence with the line, for a row that is not a word of at most `longest` characters and
    D finite numbers, and for fewer or more rows than the header promises.

    >>> from io import BytesIO
    >>> list(text_rows(BytesIO(b"king 0.5 1\\n"), Layout(binary=False, dim=2, words=None, start=0), longest=200))
    [('king', array([0.5, 1. ], dtype=float32))]
    """
    index = 0
    while line := file.readline(MAX_LINE_BYTES + 1):
        place = layout.place(index)
        if not line.strip():
            if _is_blank(file):
                break
            raise ValueError(f"In {place} there is nothing, and more follows: remove the empty line.")
        if index == layout.words:
            raise ValueError(
                f"The header promises {layout.words:,} words, and in {place} there is one more, {shown(line.strip())}: "
                f"correct the header."
            )
        if len(line) > MAX_LINE_BYTES:
            raise ValueError(
                f"In {place} there are more than {MAX_LINE_BYTES:,} bytes: shorten it to a word and numbers."
            )
        yield _read_row(line, place, layout, longest)
        index += 1
    if layout.words is not None and index < layout.words:
        raise ValueError(
            f"The header promises {layout.words:,} words, and the file ends after {layout.place(index - 1)} with "
            f"{index:,} of them: correct the header, or upload the whole file."
        )


def _is_blank(file: BufferedIOBase) -> bool:
    while block := file.read(BLOCK_BYTES):
        if block.strip():
            return False
    return True


def _read_row(line: bytes, place: str, layout: Layout, longest: int) -> tuple[str, Float32[np.ndarray, " dim"]]:
    raw, *columns = columns_of(line, layout.dim)
    if len(columns) != layout.dim or b" " in raw:
        _check_columns(raw, columns, place, layout)
    word = read_word(raw, place, 1, longest)
    try:
        with np.errstate(over="ignore"):
            vector = np.array(columns, dtype=np.float32)
    except ValueError:
        _check_columns(raw, columns, place, layout)
        _check_numbers(columns, place)
        raise
    if b"_" in line:  # numpy reads 1_000 as a number
        _check_numbers(columns, place)
    if not np.isfinite(vector).all():
        column = int(np.argmin(np.isfinite(vector)))
        raise ValueError(
            f"In {place}, column {column + 2:,}, {shown(columns[column])} is no number that float32 can hold: give the "
            f"word {shown(word)} finite numbers, or leave it out."
        )
    return word, vector


def _check_columns(raw: bytes, columns: list[bytes], place: str, layout: Layout) -> None:
    """Take the second look at a row whose columns may be too few, too many or empty."""
    pieces = raw.split(b" ") if raw else []
    if b"" in [*pieces, *columns]:
        column = [*pieces, *columns].index(b"") + 1
        raise ValueError(f"In {place}, column {column:,} is empty: put one space or tab between two columns.")
    found = len(columns) + sum(1 for _ in takewhile(is_number, reversed(pieces[1:])))
    if found != layout.dim:
        source = "line 1 has" if layout.words is None else "the header promises"
        word = shown(pieces[0] if pieces else raw)
        raise ValueError(
            f"In {place} the word {word} has {found:,} instead of the {layout.dim:,} numbers that {source}: give every "
            f"word as many."
        )


def _check_numbers(columns: list[bytes], place: str) -> None:
    for column, number in enumerate(columns, start=2):
        if not is_number(number):
            raise ValueError(
                f"In {place}, column {column:,}, {shown(number)} is not a number: write it like -0.25 or 1e-3."
            )
