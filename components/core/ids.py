"""IDs that a learner types, and the check that a table has a row for each of them."""

import re
from collections.abc import Sequence

from components.core.kinds import quote
from components.core.limits import MAX_TYPED_IDS, MAX_VOCAB_SIZE

INT64_MAX = 2**63 - 1
ALLOWED = "0123456789+-., ;[]()"


def parse_ids(line: str) -> list[list[int]]:
    """Return typed IDs as the rows of a batch [B, T]; rows are separated by semicolons or written as nested lists.

    Raises ValueError, in a plain sentence, for what is not a rectangle of whole numbers. Nothing is evaluated.

    >>> parse_ids("2 3 5 1"), parse_ids("[[1, 5], [2, 6]]")
    ([[2, 3, 5, 1]], [[1, 5], [2, 6]])
    """
    line = " ".join(line.split())
    if not set(line) <= set(ALLOWED):
        stranger = next(c for c in line if c not in ALLOWED)
        raise ValueError(f"{quote(stranger)} cannot stand among IDs: type whole numbers, such as 2 3 5 1.")
    rows = [re.findall(r"[^\s,\[\]()]+", row) for row in re.split(r"[;\])]", line)]
    rows = [row for row in rows if row]
    if not rows:
        raise ValueError("There are no IDs yet: type whole numbers, such as 2 3 5 1.")
    wrong = [item for row in rows for item in row if not re.fullmatch(r"[+-]?0*\d{1,19}", item)]
    if wrong or any(not -INT64_MAX - 1 <= int(item) <= INT64_MAX for row in rows for item in row):
        bad = wrong[0] if wrong else max((item for row in rows for item in row), key=lambda item: abs(int(item)))
        raise ValueError(f"{quote(bad)} is not a whole number that int64 can hold: IDs are row numbers, 0, 1, 2 …")
    if len({len(row) for row in rows}) > 1:
        lengths = ", ".join(str(len(row)) for row in rows)
        raise ValueError(f"The rows have {lengths} IDs: a batch is a rectangle, so give every row the same number.")
    if len(rows) * len(rows[0]) > MAX_TYPED_IDS:
        count = len(rows) * len(rows[0])
        raise ValueError(f"{count:,} IDs are more than {MAX_TYPED_IDS}: put longer input in as text.")
    return [[int(item) for item in row] for row in rows]


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
