"""IDs in any form a learner may type them: a row, rows, nested lists, with whatever is wrong with them left in."""

import math
import re
from collections.abc import Iterator, Sequence

from components.core.kinds import quote
from components.core.limits import MAX_LINE_CHARS, MAX_TYPED_IDS

MAX_DEPTH = 8
EXAMPLES = "2 3 5 1 or [[2, 3], [5]]"
STRANGER = re.compile(r"[^0-9eE+\-., ;\[\]()]")
Place = tuple[int, ...]


def parse_nested(line: str) -> list:
    """Return typed numbers as nested lists, whole numbers as int and others as float; nothing is evaluated.

    Rows are separated by semicolons or written as lists in brackets. What torch would refuse may pass: rows of
    different lengths, fractions, negative numbers, nothing at all. Raises ValueError, in a plain sentence, for what
    is not a list of numbers, or more than MAX_TYPED_IDS of them.

    >>> parse_nested("2 3 5 1"), parse_nested("2 3; 5"), parse_nested("[[1.5, -2], []]")
    ([2, 3, 5, 1], [[2, 3], [5]], [[1.5, -2], []])
    """
    if len(line) > MAX_LINE_CHARS:
        raise ValueError(f"{len(line):,} characters are more than {MAX_LINE_CHARS:,}: type fewer IDs.")
    line = " ".join(line.split())
    if stranger := STRANGER.search(line):
        raise ValueError(f"{quote(stranger[0])} cannot stand among IDs: type numbers, for example {EXAMPLES}.")
    text = line.strip("; ").replace("(", "[").replace(")", "]")
    if ";" in text and "[" not in text:
        text = "".join(f"[{row}]" for row in text.split(";"))
    open_lists: list[list] = [[]]
    for part in re.findall(r"[\[\]]|[^ ,;\[\]]+", text):
        if part == "[":
            open_lists[-1].append([])
            open_lists.append(open_lists[-1][-1])
        elif part == "]":
            open_lists.pop()
        else:
            open_lists[-1].append(_number(part))
        if len(open_lists) > MAX_DEPTH + 1:
            raise ValueError(f"Lists inside lists go {MAX_DEPTH} deep here: leave out brackets.")
        if not open_lists:
            break
    if len(open_lists) != 1:
        raise ValueError(f"In {quote(line)} the brackets do not pair up: type for example {EXAMPLES}.")
    (ids,) = open_lists
    if len(ids) == 1 and isinstance(ids[0], list):  # the brackets around everything
        (ids,) = ids
    count = len(list(leaves(ids)))
    if count > MAX_TYPED_IDS:
        raise ValueError(f"{count:,} IDs are more than {MAX_TYPED_IDS}: type fewer.")
    return ids


def _number(part: str) -> int | float:
    try:
        number = int(part) if re.fullmatch(r"[+-]?[0-9]+", part) else float(part)
    except ValueError:
        raise ValueError(f"{quote(part)} is not a number: type for example {EXAMPLES}.") from None
    if isinstance(number, float) and math.isinf(number):
        raise ValueError(f"{quote(part)} is too large for a number of a computer: IDs are row numbers, 0, 1, 2 …")
    return number


def leaves(ids: int | float | Sequence, place: Place = ()) -> Iterator[tuple[Place, int | float]]:
    """Yield every number of nested lists with its place.

    >>> list(leaves([[7], [8, 9]]))
    [((0, 0), 7), ((1, 0), 8), ((1, 1), 9)]
    """
    if isinstance(ids, Sequence):
        for i, part in enumerate(ids):
            yield from leaves(part, (*place, i))
    else:
        yield place, ids


def rows_of(ids: int | float | Sequence, place: Place = ()) -> Iterator[tuple[Place, list[tuple[Place, int | float]]]]:
    """Yield the rows of nested lists, top to bottom: where each stands, and its numbers with their places.

    >>> list(rows_of([[7], [8, 9]]))
    [((0,), [((0, 0), 7)]), ((1,), [((1, 0), 8), ((1, 1), 9)])]
    """
    if not isinstance(ids, Sequence):
        yield place, [(place, ids)]
        return
    numbers = [((*place, i), part) for i, part in enumerate(ids) if not isinstance(part, Sequence)]
    if numbers or not ids:
        yield place, numbers
    for i, part in enumerate(ids):
        if isinstance(part, Sequence):
            yield from rows_of(part, (*place, i))
