"""Which tokens or columns of many a figure shows, and the buttons that turn to the others."""

from collections.abc import Sequence
from typing import NamedTuple

ROWS = 8


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
