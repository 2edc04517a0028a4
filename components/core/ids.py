"""IDs that a learner types, and the check that a table has a row for each of them."""

from collections.abc import Sequence
from itertools import chain

from components.core.kinds import quote
from components.core.limits import MAX_VOCAB_SIZE
from components.core.nested import parse_nested, rows_of

INT64_MAX = 2**63 - 1


def parse_ids(line: str) -> list[list[int]]:
    """Return typed IDs as the rows of a batch [B, T]; rows are separated by semicolons or written as nested lists.

    Raises ValueError, in a plain sentence, for what is not a rectangle of whole numbers. Nothing is evaluated.

    >>> parse_ids("2 3 5 1"), parse_ids("[[1, 5], [2, 6]]")
    ([[2, 3, 5, 1]], [[1, 5], [2, 6]])
    """
    rows = [[value for _, value in row] for _, row in rows_of(parse_nested(line)) if row]
    if not rows:
        raise ValueError("There are no IDs yet: type whole numbers, such as 2 3 5 1.")
    for value in chain(*rows):
        if isinstance(value, float) or not -INT64_MAX - 1 <= value <= INT64_MAX:
            raise ValueError(
                f"{quote(value)} is not a whole number that int64 can hold: IDs are row numbers, 0, 1, 2 …"
            )
    if len({len(row) for row in rows}) > 1:
        lengths = ", ".join(str(len(row)) for row in rows)
        raise ValueError(f"The rows have {lengths} IDs: a batch is a rectangle, so give every row the same number.")
    return rows


def out_of_range(token_ids: Sequence[int], vocab_size: int, start: int = 0) -> str | None:
    """Return a sentence that names the first ID without a row, its place and the V that would hold all; else None.

    Places count from `start`.

    >>> out_of_range([2, 9, 4], vocab_size=5)
    'ID 9 at place 1 has no row in a table of V = 5 (IDs 0 to 4). V = 10 would hold every ID here.'
    >>> out_of_range([2, 4], vocab_size=5)
    """
    outside = [place for place, token_id in enumerate(token_ids) if not 0 <= token_id < vocab_size]
    if not outside:
        return None
    first, needed = token_ids[outside[0]], max(token_ids) + 1
    others = f", and {len(outside) - 1:,} more," if len(outside) > 1 else ""
    rows = f"in a table of V = {vocab_size:,} (IDs 0 to {vocab_size - 1:,})"
    repair = f"V = {needed:,} would hold every ID here."
    if needed > MAX_VOCAB_SIZE:
        repair = f"No table here is that long: V goes up to {MAX_VOCAB_SIZE:,}."
    if min(token_ids) < 0:
        repair = "IDs start at 0."
    return f"ID {first:,} at place {start + outside[0]:,}{others} has no row {rows}. {repair}"


def around_the_first_outside(rows: list[list[int]], vocab_size: int, most: int = 64) -> list[list[int]]:
    """Return at most `most` IDs of a batch, in rows, among them the first without a row in the table.

    >>> around_the_first_outside([[1, 2], [3, 9], [4, 5]], vocab_size=6, most=4)
    [[3, 9], [4, 5]]
    """
    if sum(map(len, rows)) <= most:
        return rows
    bad = next((r, t) for r, row in enumerate(rows) for t, i in enumerate(row) if not 0 <= i < vocab_size)
    if len(rows[bad[0]]) > most:
        start = bad[1] - bad[1] % most
        return [rows[bad[0]][start : start + most]]
    return rows[bad[0] : bad[0] + most // len(rows[0])]
