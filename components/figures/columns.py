"""Which rows and columns of many a figure shows, where each column is, and the buttons that turn to the others."""

from collections.abc import Sequence
from typing import NamedTuple

from components.figures.cells import number
from components.figures.sizes import COLUMN_GAP, COLUMN_PITCH

SHOWN, ROWS = 5, 8  # columns, and rows or tokens


class Column(NamedTuple):
    """A column: its index, its offset in units, its value in one row."""

    index: int
    offset: int
    value: float


def shown_columns(D: int, first: int = 0, shown: int = SHOWN) -> list[int]:
    """Return the indices of all columns or, of many, those of the page with column `first`, and the last one.

    >>> shown_columns(16), shown_columns(3), shown_columns(16, 13), shown_columns(16, shown=4)
    ([0, 1, 2, 3, 15], [0, 1, 2], [11, 12, 13, 14, 15], [0, 1, 2, 15])
    """
    if shown >= D:
        return list(range(D))
    first = max(0, min(first - first % (shown - 1), D - shown))
    return [*range(first, first + shown - 1), D - 1]


def columns(indices: Sequence[int], row: Sequence[float]) -> list[Column]:
    """Return the shown columns of one row, with a gap before the last one if columns are left out there.

    >>> [column.offset for column in columns([0, 1, 2, 3, 15], [0.0] * 16)]
    [0, 40, 80, 120, 168]
    """
    offsets = [COLUMN_PITCH * n for n in range(len(indices))]
    if len(indices) > 1 and indices[-1] - indices[-2] > 1:
        offsets[-1] += COLUMN_GAP
    return [Column(index, offset, row[index]) for index, offset in zip(indices, offsets, strict=True)]


def wider_by(shown: Sequence[int], usual: int = SHOWN) -> int:
    """Return by how many units a block of these columns is wider than one of the usual number.

    >>> wider_by([0, 1, 2, 3, 4, 5, 15]), wider_by([0, 1, 2])
    (80, 0)
    """
    return COLUMN_PITCH * max(0, len(shown) - usual)


def in_words(cells: Sequence[Column]) -> str:
    """Return the shown numbers of a row, for those who do not see them."""
    return ", ".join(f"{number(value)} in column {index}" for index, _, value in cells)


class Pager(NamedTuple):
    """The choice that two buttons set, its value for each or None, what they turn, and the text between them."""

    choice: str
    before: int | None
    after: int | None
    noun: str
    text: str = ""


def shown_rows(count: int, at: int, rows: int = ROWS) -> range:
    """Return the indices of the rows that are shown, index `at` among them, or all if there are no more.

    >>> shown_rows(4, 0), shown_rows(64, 9), shown_rows(9, 8)
    (range(0, 4), range(8, 16), range(1, 9))
    """
    first = max(0, min(at - at % rows, count - rows))
    return range(first, min(first + rows, count))


def pager(choice: str, shown: Sequence[int], count: int, noun: str, text: str = "") -> Pager | None:
    """Return the buttons for those of `count` tokens or columns that are not shown; None if all are.

    >>> pager("t", range(8, 16), 64, "tokens", "64 tokens")
    Pager(choice='t', before=7, after=16, noun='tokens', text='64 tokens')
    >>> pager("d", [0, 1, 15], 16, "columns").after, pager("d", [0, 1], 2, "columns")
    (2, None)
    """
    if len(shown) == count:
        return None
    after = next((index for index in range(shown[0], count) if index not in shown), None)
    return Pager(choice, shown[0] - 1 if shown[0] else None, after, noun, text)
