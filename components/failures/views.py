"""What is shown of an experiment's outcome: marked IDs, the rows of each table, compared shapes, and the result."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from components.failures.cases import IDS_DTYPES
from components.failures.experiment import Outcome
from components.text.nested_ids import rows_of

LINE_WIDTH = 44  # characters of a line of printed elements
MAX_ELEMENTS = 36  # of a tensor that is printed in full


@dataclass(frozen=True)
class TableLookup:
    """A table and the rows that a program looked up: its name, its shape [rows, D], and the row indices in order."""

    table: str
    shape: tuple[int, int]
    rows: list[int]


def table_lookups(outcome: Outcome) -> list[TableLookup]:
    """Return which rows of the two embedding tables were looked up, if the program got that far."""
    variables, found = outcome.run.variables, []
    if "padding_idx" in variables and "token_table" not in variables:  # the table was not built
        return [TableLookup("token_table", tuple(variables["W"].shape), [variables["padding_idx"]])]
    for table, indices in (("token_table", "ids"), ("position_table", "positions")):
        requested = variables.get(indices)
        if table not in variables or str(getattr(requested, "dtype", "")) not in IDS_DTYPES:
            break
        # The token lookup comes first: if it failed, the position embedding table was not reached.
        reached = not (table == "position_table" and outcome.run.failed.startswith("token_table"))
        rows = sorted(set(requested.reshape(-1).tolist())) if reached else []
        found.append(TableLookup(table, tuple(variables[table].weight.shape), rows))
    return found


def id_rows(outcome: Outcome) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the IDs, or the words, row by row: the name of the row, and each value with the reason if it is invalid.

    A list among the numbers of a row is "" there. The result is empty if something else is the cause.
    """
    variables, invalid_values = outcome.run.variables, outcome.invalid_values
    if "sentence" in variables:
        name, rows = "sentence", [((), [((i,), repr(word)) for i, word in enumerate(variables["sentence"])])]
    elif "ids" in variables or "typed_ids" in variables:
        ids = variables.get("typed_ids", variables.get("ids"))  # typed ones may never have become a tensor
        name, rows = "ids", rows_of(ids.tolist() if hasattr(ids, "tolist") else ids)
    else:
        return []
    values, positions = ({v.index: v.reason for v in invalid_values if v.name == each} for each in (name, "positions"))
    if invalid_values and not (values or positions):
        return []
    found = []
    for row_index, row in rows:
        cells = {i[-1]: (str(value), values.get(i) or positions.get(i[-1:], "")) for i, value in row}
        row_name = name + "".join(f"[{i}]" for i in row_index)
        found.append((row_name, [cells.get(column, ("", "")) for column in range(max(cells, default=-1) + 1)]))
    return found


def aligned_shapes(outcome: Outcome) -> list[list[str]]:
    """Return the shapes of token, position and their sum, one line each, aligned at the last axis.

    In the sum equal sizes stay, 1 and missing ones are expanded, and others are marked: "4 / 5?".
    """
    variables = outcome.run.variables
    if not {"token", "position"} <= set(variables):
        return []
    shapes = [[str(size) for size in variables[name].shape] for name in ("token", "position")]
    n_axes = max(map(len, shapes))
    token, position = ([""] * (n_axes - len(shape)) + shape for shape in shapes)
    total = [
        a if a == b or b in ("", "1") else b if a in ("", "1") else f"{a} / {b}?"
        for a, b in zip(token, position, strict=True)
    ]
    return [["token", *token], ["position", *position], ["sum", *total]]


def matmul_shapes(outcome: Outcome) -> list[list[str]]:
    """Return the shapes of a one-hot matrix and a table that cannot be multiplied, aligned at the axes to be equal."""
    hot, table = (outcome.run.variables.get(name) for name in ("hot", "W"))
    if hot is None or hot.shape[1] == table.shape[0]:
        return []
    return [["hot", *map(str, hot.shape), ""], ["W", "", *map(str, table.shape)]]


def shown_values(outcome: Outcome) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return what the program works on, row by row: IDs, shapes, or the values that are the cause.

    Each row has a name and its values, each with the reason if it is invalid; an axis that a shape lacks is "".
    """
    if rows := id_rows(outcome):
        return rows
    if rows := aligned_shapes(outcome) or matmul_shapes(outcome):
        return [(name, _with_reasons(name, sizes, outcome)) for name, *sizes in rows]
    variables, rows = outcome.run.variables, []
    if "contexts" in variables:
        rows = [(name, [(str(size), "") for size in variables[name].shape]) for name in ("W", "contexts")]
    for invalid in outcome.invalid_values:
        index = list(invalid.index) if invalid.index else ""
        rows.append((f"{invalid.name}{index}", [(str(invalid.value), invalid.reason)]))
    return rows or [("key", [(variables["key"], "")])]


def _with_reasons(name: str, sizes: list[str], outcome: Outcome) -> list[tuple[str, str]]:
    """Return the sizes of a shape, each with the reason if it does not fit; the axes begin behind those it lacks."""
    first = next((n for n, size in enumerate(sizes) if size), 0)
    reasons = {v.index[0] + first: v.reason for v in outcome.invalid_values if v.name == f"{name}.shape"}
    return [(size, reasons.get(n, "neither" if "?" in size else "")) for n, size in enumerate(sizes)]


def format_result(value: Any) -> str:
    """Return a value as Python's prompt prints it; a tensor with axes as its shape and its elements, few if large.

    torch's own print follows process-wide settings, and is wider than a phone.
    """
    if not hasattr(value, "detach"):
        return repr(value)
    if not value.shape:
        return f"{value.item():.4g}"
    look = {"precision": 4, "suppress_small": True, "threshold": MAX_ELEMENTS, "edgeitems": 2}
    elements = np.array2string(value.detach().numpy(), LINE_WIDTH, **look)
    return f"shape {list(value.shape)}\n{elements}"
