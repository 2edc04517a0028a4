"""The tables in the figure of an experiment: strips with the rows that were looked up, and those that are missing."""

from collections.abc import Iterator, Sequence
from typing import Any

from components.failures.views import TableLookup
from components.lessons.errors.figure_values import Value

LEFT, WIDTH, RIGHT = 500, 240, 819
BELOW, GAP = 40, 6  # width of the box for a negative row, and the gap beside the strip
MAX_CELLS = 14  # rows of a table that are drawn one by one


def strip(lookup: TableLookup, values: Sequence[Value], y: float, masked: bool) -> dict[str, Any]:
    """Return a table as a strip: where its requested rows are, and the first ones that it does not have.

    >>> strip(TableLookup("token_table", (4, 2), [1, 9]), [], 0, masked=False)["missing"][0]["row"]
    9
    """
    n_rows, role = lookup.shape[0], lookup.table.removesuffix("_table")
    requested = [] if masked else lookup.rows
    one = WIDTH / max(1, n_rows)
    drawn = range(n_rows) if n_rows <= MAX_CELLS and (masked or requested) else ()
    # Rows of a large table that are on the same pixel are drawn once.
    rows = {round(one * row): row for row in reversed(requested) if 0 <= row < n_rows}
    return {
        "x": LEFT,
        "y": y,
        "width": WIDTH,
        "role": role,
        "reached": masked or bool(requested),
        "range": f"rows 0 to {n_rows - 1:,}" if n_rows > 1 else "row 0 only" if n_rows else "no rows",
        "cells": [(LEFT + one * row, LEFT + one * (row + 0.5), row) for row in drawn],
        "rows": [
            {"x": LEFT + one * row, "width": max(2.0, one), "row": row, "part": parts(row, role, values)}
            for row in sorted(rows.values())
        ],
        "missing": [
            {"x": x, "width": width, "row": row, "from": next(requesting(row, role, values), None)}
            for row, x, width in missing_rows(requested, n_rows)
        ],
    }


def missing_rows(requested: Sequence[int], n_rows: int) -> list[tuple[int, float, float]]:
    """Return the nearest requested row below the table and above it, each with the left edge and width of its box."""
    below, above = [row for row in requested if row < 0], [row for row in requested if row >= n_rows]
    right = LEFT + WIDTH + GAP
    return [(row, LEFT - BELOW - GAP, BELOW) for row in below[-1:]] + [(row, right, RIGHT - right) for row in above[:1]]


def requesting(row: int, role: str, values: Sequence[Value]) -> Iterator[Value]:
    """Yield the shown values that request a row of a table: an ID, or any value at that position."""
    for value in values:
        if value.column == row if role == "position" else value.text == str(row):
            yield value


def parts(row: int, role: str, values: Sequence[Value]) -> str:
    """Return the parts that a row is lit with."""
    return " ".join(value.part for value in requesting(row, role, values))
