"""Typed IDs as nested lists of any shape: a sequence, a batch, or something invalid for the error lab.

An index is a tuple, as in `ids[0, 2]`.
"""

import math
import re
from collections.abc import Iterator, Sequence

from components.base.field_types import quote
from components.base.limits import MAX_LINE_CHARS, MAX_TYPED_IDS

MAX_DEPTH = 8
EXAMPLES = "2 3 5 1 or [[2, 3], [5, 1]]"
INVALID_CHARACTER = re.compile(r"[^0-9eE+\-., ;\[\]()]")
Index = tuple[int, ...]


def parse_nested(line: str) -> list:
    """Return typed numbers as nested lists, integers as int and others as float, without evaluating anything.

    Sequences are separated by semicolons or written as lists in brackets. Values that torch rejects are allowed:
    sequences of different lengths, fractions, negative numbers, an empty list. Raises ValueError unless the line
    contains lists of at most MAX_TYPED_IDS numbers. The message is shown to learners.
    """
    if len(line) > MAX_LINE_CHARS:
        raise ValueError(f"{len(line):,} characters are more than {MAX_LINE_CHARS:,}: type fewer IDs.")
    line = " ".join(line.split())
    if invalid := INVALID_CHARACTER.search(line):
        raise ValueError(f"{quote(invalid[0])} is not allowed among IDs: type numbers, for example {EXAMPLES}.")
    text = line.strip("; ").replace("(", "[").replace(")", "]")
    if ";" in text and "[" not in text:
        text = "".join(f"[{sequence}]" for sequence in text.split(";"))
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
            raise ValueError(f"Lists can be nested {MAX_DEPTH} deep here: remove brackets.")
        if not open_lists:
            break
    if len(open_lists) != 1:
        raise ValueError(f"The brackets in {quote(line)} are not balanced: type for example {EXAMPLES}.")
    (ids,) = open_lists
    if len(ids) == 1 and isinstance(ids[0], list):  # the brackets around everything
        (ids,) = ids
    count = len(list(flatten_with_index(ids)))
    if count > MAX_TYPED_IDS:
        raise ValueError(f"{count:,} IDs are more than {MAX_TYPED_IDS}: type fewer.")
    return ids


def _number(part: str) -> int | float:
    try:
        number = int(part) if re.fullmatch(r"[+-]?[0-9]+", part) else float(part)
    except ValueError:
        raise ValueError(f"{quote(part)} is not a number: type for example {EXAMPLES}.") from None
    if isinstance(number, float) and math.isinf(number):
        raise ValueError(f"{quote(part)} is too large for a float: IDs are row indices, 0, 1, 2 …")
    return number


def flatten_with_index(ids: int | float | Sequence, index: Index = ()) -> Iterator[tuple[Index, int | float]]:
    """Yield every number of nested lists with its index.

    >>> list(flatten_with_index([[7], [8, 9]]))
    [((0, 0), 7), ((1, 0), 8), ((1, 1), 9)]
    """
    if isinstance(ids, Sequence):
        for i, part in enumerate(ids):
            yield from flatten_with_index(part, (*index, i))
    else:
        yield index, ids


def rows_of(ids: Sequence, index: Index = ()) -> Iterator[tuple[Index, list[tuple[Index, int | float]]]]:
    """Yield the index of each list that contains numbers, or nothing, and its numbers with their indices.

    >>> list(rows_of([[7], [8, 9]]))
    [((0,), [((0, 0), 7)]), ((1,), [((1, 0), 8), ((1, 1), 9)])]
    """
    numbers = [((*index, i), part) for i, part in enumerate(ids) if not isinstance(part, Sequence)]
    if numbers or not ids:
        yield index, numbers
    for i, part in enumerate(ids):
        if isinstance(part, Sequence):
            yield from rows_of(part, (*index, i))
