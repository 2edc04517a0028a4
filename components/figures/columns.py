"""Which columns of a wide table a figure shows, and how far each is from the left edge of its block."""

from collections.abc import Sequence
from typing import NamedTuple

from components.figures.cells import number
from components.figures.sizes import COLUMN_GAP, COLUMN_PITCH

SHOWN = 5


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
