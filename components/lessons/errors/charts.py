"""The charts of the lesson on errors: IDs with invalid ones in red, and the tables with the rows looked up."""

from collections.abc import Sequence
from functools import lru_cache

import altair as alt
import pyarrow as pa

from components.charts.columns import arrow_table, rows_table
from components.charts.palette import color_by_role, stroke_by_role
from components.charts.plot import MAX_CACHED_SPECS, Plot, chart_on
from components.failures.views import TableLookup

MAX_ROWS = 12
MAX_COLUMNS = 16
ROWS_OF_A_TABLE = 6  # shown of those that were looked up and exist, and of those that do not
Cell = tuple[str, str]  # a value, and the reason if it is invalid


@lru_cache(MAX_CACHED_SPECS)
def _grid_spec() -> dict:
    base = chart_on("ids").encode(
        x=alt.X("column:O", title="position in the row", axis=alt.Axis(labelAngle=0, orient="top")),
        y=alt.Y("row:N", sort=None, title=None, axis=alt.Axis(labelLimit=110, labelOverlap=False)),
        tooltip=["row:N", "column:O", "value:N", "why:N"],
        description="reading:N",
    )
    boxes = base.mark_rect(cornerRadius=4, opacity=0.3, strokeWidth=2).encode(
        color=color_by_role(), stroke=stroke_by_role()
    )
    letters = base.mark_text(fontSize=13, limit=80, aria=False).encode(text="value:N", color=color_by_role("letters"))
    return alt.layer(boxes, letters).properties(height=alt.Step(30)).to_dict()


def id_grid(names: Sequence[str], rows: Sequence[Sequence[Cell]]) -> Plot:
    """Return IDs as a grid, row by row; rows may differ in length, and invalid IDs are red.

    At most MAX_ROWS rows of MAX_COLUMNS cells are shown, from the first invalid one if it is beyond.

    >>> id_grid(["ids[0]"], [[("2", ""), ("9", "no such row")]]).data["ids"]["color_role"].to_pylist()
    ['neutral', 'error']
    """
    invalid = [(r, c) for r, row in enumerate(rows) for c, (_, reason) in enumerate(row) if reason]
    row, column = invalid[0] if invalid else (0, 0)
    top, left = row if row >= MAX_ROWS else 0, column if column >= MAX_COLUMNS else 0
    cells = [
        {
            "row": names[r],
            "column": c,
            "value": value,
            "why": reason or "fine",
            "color_role": "error" if reason else "neutral",
            "letters": "letters",
            "reading": f"{names[r]}, position {c}: {value}{', ' + reason if reason else ''}",
        }
        for r in range(top, min(top + MAX_ROWS, len(rows)))
        for c, (value, reason) in list(enumerate(rows[r]))[left : left + MAX_COLUMNS]
    ]
    return Plot(_grid_spec(), {"ids": rows_table(cells)})


@lru_cache(MAX_CACHED_SPECS)
def _tables_spec(height: int, width: int) -> dict:
    x = alt.X("x:Q", axis=None, scale=alt.Scale(domain=[0, width]))
    y = alt.Y("y:Q", axis=None, scale=alt.Scale(domain=[height, -1], nice=False))
    boxes = [
        chart_on(data)
        .mark_rect(cornerRadius=3, fillOpacity=opacity, strokeWidth=1.5, strokeDash=dash)
        .encode(x, y, color_by_role(), stroke_by_role(), x2="x2:Q", y2="y2:Q", tooltip=["table:N", "label:N"])
        for data, opacity, dash in (("rows", 0.3, []), ("missing", 0.08, [5, 4]))
    ]
    letters = chart_on("labels").mark_text(fontSize=12, baseline="middle", limit=150)
    letters = letters.encode(x, y, color_by_role(), text="label:N")
    return alt.layer(*boxes, letters).properties(height=24 * (height + 1)).to_dict()


def tables_chart(tables: Sequence[TableLookup]) -> Plot:
    """Return the tables as stacks of rows: those looked up in their table's colour, missing ones in red.

    >>> plot = tables_chart([TableLookup("token_table", (6, 3), [0, 5, 6])])
    >>> plot.data["missing"]["label"].to_pylist()
    ['row 6: missing']
    """
    rows, missing, labels = [], [], []
    for n, lookup in enumerate(tables):
        color_role = "token" if lookup.table == "token_table" else "position"
        middle = n + 0.5
        labels.append((middle, -0.5, f"{lookup.table} [{lookup.shape[0]:,}, {lookup.shape[1]:,}]"))
        for y, (state, label) in enumerate(stack(lookup)):
            labels.append((middle, y + 0.5, label))
            box = {"x": n + 0.03, "x2": n + 0.97, "y": y + 0.06, "y2": y + 0.94, "table": lookup.table, "label": label}
            if state == "missing":
                missing.append({**box, "color_role": "error"})
            elif state != "gap":
                rows.append({**box, "color_role": color_role if state == "looked up" else "neutral"})
    x, y, words = zip(*labels, strict=True)
    height = max(len(stack(lookup)) for lookup in tables)
    return Plot(
        _tables_spec(height, len(tables)),
        {
            "rows": _boxes(rows),
            "missing": _boxes(missing),
            "labels": arrow_table({"x": x, "y": y, "label": words, "color_role": ["letters"] * len(words)}),
        },
    )


def _boxes(rows: Sequence[dict]) -> pa.Table:
    names = ("x", "x2", "y", "y2", "table", "label", "color_role")
    return arrow_table({name: [row[name] for row in rows] for name in names})


def stack(lookup: TableLookup) -> list[tuple[str, str]]:
    """Return what is shown of a table, top to bottom: its ends, the rows looked up, and those that are missing.

    >>> [label for _, label in stack(TableLookup("token_table", (4, 2), [1, 9]))]
    ['row 0', 'row 1: requested', '⋮', 'row 3', 'row 9: missing']
    """
    last = lookup.shape[0] - 1
    below = [i for i in lookup.rows if i < 0]
    there = [i for i in lookup.rows if 0 <= i <= last]
    above = [i for i in lookup.rows if i > last]
    half = ROWS_OF_A_TABLE // 2
    chosen = there if len(there) <= ROWS_OF_A_TABLE else there[:half] + there[-half:]
    shown = sorted({*chosen, *([0, last] if last >= 0 else [])})
    boxes = [("missing", missing_row(i)) for i in below[-half:]]
    if last < 0:
        boxes.append(("gap", "no rows"))
    for before, i in zip([-1, *shown], shown, strict=False):
        if i > before + 1:
            boxes.append(("gap", "⋮"))
        boxes.append(("looked up", f"row {i:,}: requested") if i in there else ("there", f"row {i:,}"))
    boxes += [("missing", missing_row(i)) for i in above[:half]]
    more = len(below[:-half]) + len(above[half:])
    return [*boxes, ("gap", f"{more:,} more missing")] if more else boxes


def missing_row(row: int) -> str:
    """Return the label of a row that does not exist; a very long number is rounded.

    >>> missing_row(6), missing_row(9_223_372_036_854_775_807)
    ('row 6: missing', 'row 9.22e+18: missing')
    """
    return f"row {row:,}: missing" if abs(row) < 10**7 else f"row {row:.3g}: missing"
