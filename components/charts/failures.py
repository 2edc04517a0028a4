"""Pictures of what went wrong: the IDs with the bad ones marked, and the tables with the rows they were asked for."""

from collections.abc import Sequence
from functools import lru_cache

import altair as alt
import pyarrow as pa

from components.charts.columns import arrow_table, rows_table
from components.charts.palette import color_by_idea, stroke_by_idea
from components.charts.plot import LOOKS_KEPT, Plot, named
from components.core.failure_views import Asked

MAX_ROWS = 12
MAX_COLUMNS = 16
ROWS_OF_A_TABLE = 6  # that were asked for and exist; as many are drawn that do not
Cell = tuple[str, str]  # what stands in it, and why it cannot work (nothing: it can)


@lru_cache(LOOKS_KEPT)
def _grid_look() -> dict:
    base = named("ids").encode(
        x=alt.X("column:O", title="place in the row", axis=alt.Axis(labelAngle=0, orient="top")),
        y=alt.Y("row:N", sort=None, title=None, axis=alt.Axis(labelLimit=110, labelOverlap=False)),
        tooltip=["row:N", "column:O", "value:N", "why:N"],
        description="reading:N",
    )
    boxes = base.mark_rect(cornerRadius=4, opacity=0.3, strokeWidth=2).encode(
        color=color_by_idea(), stroke=stroke_by_idea()
    )
    letters = base.mark_text(fontSize=13, limit=80, aria=False).encode(text="value:N", color=color_by_idea("letters"))
    return alt.layer(boxes, letters).properties(height=alt.Step(30)).to_dict()


def id_grid(names: Sequence[str], rows: Sequence[Sequence[Cell]]) -> Plot:
    """Return IDs as a grid, row by row; rows may differ in length, and what cannot work is red.

    At most MAX_ROWS rows of MAX_COLUMNS cells are drawn, from the first that cannot work where it lies beyond.

    >>> id_grid(["ids[0]"], [[("2", ""), ("9", "no such row")]]).data["ids"]["idea"].to_pylist()
    ['neutral', 'error']
    """
    bad = [(r, c) for r, row in enumerate(rows) for c, (_, why) in enumerate(row) if why]
    row, column = bad[0] if bad else (0, 0)
    top, left = row if row >= MAX_ROWS else 0, column if column >= MAX_COLUMNS else 0
    cells = [
        {
            "row": names[r],
            "column": c,
            "value": value,
            "why": why or "fine",
            "idea": "error" if why else "neutral",
            "letters": "letters",
            "reading": f"{names[r]}, place {c}: {value}{', ' + why if why else ''}",
        }
        for r in range(top, min(top + MAX_ROWS, len(rows)))
        for c, (value, why) in list(enumerate(rows[r]))[left : left + MAX_COLUMNS]
    ]
    return Plot(_grid_look(), {"ids": rows_table(cells)})


@lru_cache(LOOKS_KEPT)
def _tables_look(height: int, width: int) -> dict:
    x = alt.X("x:Q", axis=None, scale=alt.Scale(domain=[0, width]))
    y = alt.Y("y:Q", axis=None, scale=alt.Scale(domain=[height, -1], nice=False))
    boxes = [
        named(data)
        .mark_rect(cornerRadius=3, fillOpacity=opacity, strokeWidth=1.5, strokeDash=dash)
        .encode(x, y, color_by_idea(), stroke_by_idea(), x2="x2:Q", y2="y2:Q", tooltip=["table:N", "label:N"])
        for data, opacity, dash in (("rows", 0.3, []), ("missing", 0.08, [5, 4]))
    ]
    letters = named("labels").mark_text(fontSize=12, baseline="middle", limit=150)
    letters = letters.encode(x, y, color_by_idea(), text="label:N")
    return alt.layer(*boxes, letters).properties(height=24 * (height + 1)).to_dict()


def tables_chart(tables: Sequence[Asked]) -> Plot:
    """Return the tables as stacks of rows: those that were asked for in their table's colour, missing ones in red.

    >>> plot = tables_chart([Asked("token_table", (6, 3), [0, 5, 6])])
    >>> plot.data["missing"]["label"].to_pylist()
    ['row 6: not there']
    """
    rows, missing, labels = [], [], []
    for n, asked in enumerate(tables):
        idea = "token" if asked.table == "token_table" else "position"
        middle = n + 0.5
        labels.append((middle, -0.5, f"{asked.table} [{asked.shape[0]:,}, {asked.shape[1]:,}]"))
        for y, (state, label) in enumerate(stack(asked)):
            labels.append((middle, y + 0.5, label))
            box = {"x": n + 0.03, "x2": n + 0.97, "y": y + 0.06, "y2": y + 0.94, "table": asked.table, "label": label}
            if state == "missing":
                missing.append({**box, "idea": "error"})
            elif state != "gap":
                rows.append({**box, "idea": idea if state == "asked" else "neutral"})
    x, y, words = zip(*labels, strict=True)
    height = max(len(stack(asked)) for asked in tables)
    return Plot(
        _tables_look(height, len(tables)),
        {
            "rows": _boxes(rows),
            "missing": _boxes(missing),
            "labels": arrow_table({"x": x, "y": y, "label": words, "idea": ["letters"] * len(words)}),
        },
    )


def _boxes(rows: Sequence[dict]) -> pa.Table:
    return arrow_table({name: [row[name] for row in rows] for name in ("x", "x2", "y", "y2", "table", "label", "idea")})


def stack(asked: Asked) -> list[tuple[str, str]]:
    """Return what is drawn of a table, top to bottom: its ends, the rows it was asked for, and those it lacks.

    >>> stack(Asked("token_table", (4, 2), [1, 9]))
    [('there', 'row 0'), ('asked', 'row 1: asked'), ('gap', '⋮'), ('there', 'row 3'), ('missing', 'row 9: not there')]
    """
    last = asked.shape[0] - 1
    below = [i for i in asked.rows if i < 0]
    there = [i for i in asked.rows if 0 <= i <= last]
    above = [i for i in asked.rows if i > last]
    half = ROWS_OF_A_TABLE // 2
    kept = there if len(there) <= ROWS_OF_A_TABLE else there[:half] + there[-half:]
    shown = sorted({*kept, *([0, last] if last >= 0 else [])})
    drawn = [("missing", missing_row(i)) for i in below[-half:]]
    if last < 0:
        drawn.append(("gap", "no rows"))
    for before, i in zip([-1, *shown], shown, strict=False):
        if i > before + 1:
            drawn.append(("gap", "⋮"))
        drawn.append(("asked", f"row {i:,}: asked") if i in there else ("there", f"row {i:,}"))
    drawn += [("missing", missing_row(i)) for i in above[:half]]
    more = len(below[:-half]) + len(above[half:])
    return [*drawn, ("gap", f"{more:,} more missing")] if more else drawn


def missing_row(row: int) -> str:
    """Return the label of a row that is not there; a number too long to be drawn is rounded.

    >>> missing_row(6), missing_row(9_223_372_036_854_775_807)
    ('row 6: not there', 'row 9.22e+18: not there')
    """
    return f"row {row:,}: not there" if abs(row) < 10**7 else f"row {row:.3g}: not there"
