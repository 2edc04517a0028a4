"""What a picture of a failure is made of: the IDs with what is wrong about each, and the rows asked of each table."""

from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

import numpy as np

from components.core.failure import IDS_DTYPES
from components.core.failures import Outcome
from components.core.nested import rows_of

TAKEN = tuple(f"torch.{name}" for name in IDS_DTYPES)
LINE_WIDTH = 44  # of printed numbers
MOST_NUMBERS = 36  # that are printed without leaving any out


@dataclass(frozen=True)
class Asked:
    """A table, and the rows that were asked of it: its name, its shape [rows, D], and the row numbers in order."""

    table: str
    shape: tuple[int, int]
    rows: list[int]


def tables_asked(outcome: Outcome) -> list[Asked]:
    """Return which rows were asked of the token table and of the position table, where the code got as far as that.

    >>> from components.core.failures import run_failure
    >>> tables_asked(run_failure("past_position_table", T=2))[1]
    Asked(table='position_table', shape=(2, 3), rows=[0, 1, 2])
    """
    variables, found = outcome.run.variables, []
    for table, indices in (("token_table", "ids"), ("position_table", "places")):
        if table not in variables or not hasattr(variables.get(indices), "dtype"):
            continue
        # One row after the other: where the token table failed, the position table was not asked.
        reached = not (table == "position_table" and outcome.failed.startswith("token_table"))
        rows = variables[indices].reshape(-1).tolist() if reached else []
        if all(type(row) is int for row in rows) and str(variables[indices].dtype) in TAKEN:
            found.append(Asked(table, tuple(variables[table].weight.shape), sorted(set(rows))))
    return found if found and found[0].table == "token_table" else []


def id_rows(outcome: Outcome) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the IDs, or the words, row by row: the name of the row, and for each what it is and why it cannot work.

    There are none where something else is at fault.

    >>> from components.core.failures import run_failure
    >>> id_rows(run_failure("id_equals_v"))
    [('ids[0]', [('0', ''), ('5', ''), ('6', 'the token table has rows 0 to 5')])]
    """
    variables = outcome.run.variables
    if "sentence" in variables:
        name, rows = "sentence", [((), [((i,), repr(word)) for i, word in enumerate(variables["sentence"])])]
    elif outcome.ids is not None or "ids" in variables:
        ids = variables["ids"] if outcome.ids is None else outcome.ids
        name, rows = "ids", list(rows_of(ids.tolist() if hasattr(ids, "tolist") else ids))
    else:
        return []
    bad = {offender.place: offender.why for offender in outcome.offending if offender.name == name}
    places = {offender.place: offender.why for offender in outcome.offending if offender.name == "places"}
    if outcome.offending and not (bad or places):
        return []
    return [
        (
            name + "".join(f"[{i}]" for i in where),
            [(str(value), bad.get(place) or places.get(place[-1:], "")) for place, value in row],
        )
        for where, row in rows
    ]


def changes(code: str, repair: str) -> list[str]:
    """Return which lines a repair changes, by their numbers in the repair, or leaves out, by those in the code.

    >>> changes("a\\nb\\nc", "a\\nB\\nc\\nd"), changes("a\\nb", "a")
    (['line 2', 'line 4'], ['line 2 left out'])
    """
    found = []
    for tag, start, end, new_start, new_end in SequenceMatcher(
        None, code.splitlines(), repair.splitlines(), autojunk=False
    ).get_opcodes():
        if tag == "delete":
            found += [f"line {line + 1} left out" for line in range(start, end)]
        elif tag != "equal":
            found += [f"line {line + 1}" for line in range(new_start, new_end)]
    return found


def printed(value: Any) -> str:
    """Return a value as Python's prompt prints it; of a tensor its shape and its numbers, the middle left out of many.

    torch's own print would follow settings of the whole process, and is wider than a phone.

    >>> import torch
    >>> print(printed(torch.tensor([[1.0, -0.00002], [0.25, 3.0]])))
    shape [2, 2]
    [[ 1.     -0.    ]
     [ 0.25    3.    ]]
    >>> printed("Hi")
    "'Hi'"
    """
    if not hasattr(value, "detach"):
        return repr(value)
    numbers = np.array2string(
        value.detach().numpy(), LINE_WIDTH, precision=4, suppress_small=True, threshold=MOST_NUMBERS, edgeitems=2
    )
    return f"shape {list(value.shape)}\n{numbers}"


def axes(outcome: Outcome) -> list[list[str]]:
    """Return the shapes of token, position and their sum, one line each, written so that the axes compared line up.

    >>> from components.core.failures import run_failure
    >>> for line in axes(run_failure("cannot_broadcast")):
    ...     print(line)
    ['token', '2', '4', '3']
    ['position', '', '5', '3']
    ['sum', '2', '4 or 5?', '3']
    """
    variables = outcome.run.variables
    if not {"token", "position"} <= set(variables):
        return []
    shapes = [list(variables[name].shape) for name in ("token", "position")]
    length = max(map(len, shapes))
    lines = [[""] * (length - len(shape)) + [str(size) for size in shape] for shape in shapes]
    return [[name, *line] for name, line in zip(("token", "position", "sum"), [*lines, _sum(*lines)], strict=True)]


def factors(outcome: Outcome) -> list[dict[str, str]]:
    """Return the shapes of one-hot rows and of a table that cannot be multiplied; none where they can.

    >>> from components.core.failures import run_failure
    >>> for line in factors(run_failure("one_hot_without_num_classes")):
    ...     print(line)
    {'': 'hot', 'rows': '3', 'must be equal': '5', 'columns': ''}
    {'': 'W', 'rows': '', 'must be equal': '6', 'columns': '3'}
    """
    hot, table = (outcome.run.variables.get(name) for name in ("hot", "W"))
    if hot is None or hot.shape[1] == table.shape[0]:
        return []
    lines = (("hot", *hot.shape, ""), ("W", "", *table.shape))
    return [dict(zip(("", "rows", "must be equal", "columns"), map(str, line), strict=True)) for line in lines]


def nothing_drawn(outcome: Outcome) -> str:
    """Return why there is no picture, for an outcome of which neither IDs nor shapes nor tables can be drawn.

    >>> from components.core.failures import run_failure
    >>> nothing_drawn(run_failure("padding_idx_outside"))
    'The table is refused while it is built, so no lookup is reached, and there is nothing to draw.'
    """
    if outcome.failed.startswith("nn.Embedding"):
        return "The table is refused while it is built, so no lookup is reached, and there is nothing to draw."
    if outcome.exception or outcome.offending:
        return "No ID and no shape is at fault, so there is nothing to draw: what is wrong is said above."
    return "Nothing is wrong here, so there is nothing to draw."


def _sum(token: list[str], position: list[str]) -> list[str]:
    """Return the sizes of a sum: equal ones stay, 1 and nothing are stretched, and others cannot be."""
    return [
        a if a == b or b in ("", "1") else b if a in ("", "1") else f"{a} or {b}?"
        for a, b in zip(token, position, strict=True)
    ]
