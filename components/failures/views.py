"""The data that the figures of an experiment show: marked IDs, the rows of each table, and compared shapes."""

from dataclasses import dataclass

from components.failures.catalogue import Outcome
from components.failures.invalid_values import IDS_DTYPES
from components.text.nested_ids import rows_of

TORCH_IDS_DTYPES = tuple(f"torch.{name}" for name in IDS_DTYPES)


@dataclass(frozen=True)
class TableLookup:
    """A table and the rows that a program looked up: its name, its shape [rows, D], and the row indices in order."""

    table: str
    shape: tuple[int, int]
    rows: list[int]


def table_lookups(outcome: Outcome) -> list[TableLookup]:
    """Return which rows of the token table and of the position table were looked up, if the program got that far.

    >>> from components.failures.catalogue import run_failure
    >>> table_lookups(run_failure("past_position_table", T=2))[1]
    TableLookup(table='position_table', shape=(2, 3), rows=[0, 1, 2])
    """
    variables, found = outcome.run.variables, []
    for table, indices in (("token_table", "ids"), ("position_table", "positions")):
        if table not in variables or not hasattr(variables.get(indices), "dtype"):
            continue
        # The token table comes first: if it failed, the position table was not reached.
        reached = not (table == "position_table" and outcome.run.failed.startswith("token_table"))
        rows = variables[indices].reshape(-1).tolist() if reached else []
        if all(type(row) is int for row in rows) and str(variables[indices].dtype) in TORCH_IDS_DTYPES:
            found.append(TableLookup(table, tuple(variables[table].weight.shape), sorted(set(rows))))
    if "padding_idx" in variables and "token_table" not in variables:  # the table was not built
        return [TableLookup("token_table", tuple(variables["W"].shape), [variables["padding_idx"]])]
    return found if found and found[0].table == "token_table" else []


def id_rows(outcome: Outcome) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the IDs, or the words, row by row: the name of the row, and each value with the reason if it is invalid.

    The list is empty if something else is the cause.

    >>> from components.failures.catalogue import run_failure
    >>> id_rows(run_failure("id_equals_v"))
    [('ids[0]', [('0', ''), ('5', ''), ('6', 'the token table has rows 0 to 5')])]
    """
    variables = outcome.run.variables
    if "sentence" in variables:
        name, rows = "sentence", [((), [((i,), repr(word)) for i, word in enumerate(variables["sentence"])])]
    elif outcome.case.ids is not None or "ids" in variables:
        ids = variables["ids"] if outcome.case.ids is None else outcome.case.ids
        name, rows = "ids", list(rows_of(ids.tolist() if hasattr(ids, "tolist") else ids))
    else:
        return []
    invalid_values = outcome.case.invalid_values
    values, positions = ({v.index: v.reason for v in invalid_values if v.name == each} for each in (name, "positions"))
    if invalid_values and not (values or positions):
        return []
    return [
        (
            name + "".join(f"[{i}]" for i in row_index),
            [(str(value), values.get(index) or positions.get(index[-1:], "")) for index, value in row],
        )
        for row_index, row in rows
    ]


def aligned_shapes(outcome: Outcome) -> list[list[str]]:
    """Return the shapes of token, position and their sum, one line each, aligned at the last axis.

    >>> from components.failures.catalogue import run_failure
    >>> for line in aligned_shapes(run_failure("cannot_broadcast")):
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
    lines.append(_broadcast_sizes(*lines))
    return [[name, *line] for name, line in zip(("token", "position", "sum"), lines, strict=True)]


def matmul_shapes(outcome: Outcome) -> list[list[str]]:
    """Return the shapes of a one-hot matrix and a table that cannot be multiplied, aligned at the axes to be equal.

    >>> from components.failures.catalogue import run_failure
    >>> matmul_shapes(run_failure("one_hot_without_num_classes"))
    [['hot', '3', '5', ''], ['W', '', '6', '3']]
    """
    hot, table = (outcome.run.variables.get(name) for name in ("hot", "W"))
    if hot is None or hot.shape[1] == table.shape[0]:
        return []
    return [["hot", *map(str, hot.shape), ""], ["W", "", *map(str, table.shape)]]


def shown_values(outcome: Outcome) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return what the program works on, row by row: IDs, shapes, or the values that are the cause.

    Each row has a name and its values, each with the reason if it is invalid; an axis that a shape lacks is "".

    >>> from components.failures.catalogue import run_failure
    >>> shown_values(run_failure("padding_idx_outside"))
    [('padding_idx', [('6', 'the token table has rows 0 to 5')])]
    """
    if rows := id_rows(outcome):
        return rows
    if rows := aligned_shapes(outcome) or matmul_shapes(outcome):
        return [(name, _with_reasons(name, sizes, outcome)) for name, *sizes in rows]
    variables, rows = outcome.run.variables, []
    if "contexts" in variables:
        rows = [(name, [(str(size), "") for size in variables[name].shape]) for name in ("W", "contexts")]
    for invalid in outcome.case.invalid_values:
        index = list(invalid.index) if invalid.index else ""
        rows.append((f"{invalid.name}{index}", [(str(invalid.value), invalid.reason)]))
    return rows or [("key", [(variables["key"], "")])]


def _with_reasons(name: str, sizes: list[str], outcome: Outcome) -> list[tuple[str, str]]:
    """Return the sizes of a shape, each with the reason if it does not fit; the axes begin behind those it lacks."""
    first = next((n for n, size in enumerate(sizes) if size), 0)
    reasons = {v.index[0] + first: v.reason for v in outcome.case.invalid_values if v.name == f"{name}.shape"}
    return [(size, reasons.get(n, "neither" if "?" in size else "")) for n, size in enumerate(sizes)]


def _broadcast_sizes(token: list[str], position: list[str]) -> list[str]:
    """Return the sizes of a sum: equal sizes stay, 1 and missing ones are expanded, others are marked."""
    return [
        a if a == b or b in ("", "1") else b if a in ("", "1") else f"{a} or {b}?"
        for a, b in zip(token, position, strict=True)
    ]
