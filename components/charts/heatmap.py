"""A heatmap of numbers around 0: one cell for each number, its name under the pointer."""

from collections.abc import Collection, Sequence
from functools import lru_cache

import altair as alt
import numpy as np

from components.charts.columns import arrow_table
from components.charts.palette import READABLE_ON_CELL, stroke_by_idea, value_scale
from components.charts.plot import LABEL, LOOKS_KEPT, Plot, named

MAX_CELLS = 2_000  # what a browser redraws without a pause
MAX_COLUMNS_WITH_NUMBERS = 16
NARROWEST_WITH_NUMBER = 34  # pixels
ROW_HEIGHT = 24


def shared_bound(*arrays: np.ndarray) -> float:
    """Return one bound for all arrays: the largest distance from 0, rounded up to a half; at least 0.5.

    >>> shared_bound(np.array([0.2, -1.3]), np.array([0.7]))
    1.5
    """
    largest = max((float(np.abs(array).max()) for array in arrays if array.size), default=0.0)
    return max(0.5, float(np.ceil(largest * 2) / 2))


@lru_cache(LOOKS_KEPT)
def _look(columns: int, bound: float, column_title: str) -> dict:
    row_axis = alt.Axis(title=None, labelExpr=LABEL, labelLimit=150, labelOverlap=False)
    x = alt.X("column:O", title=column_title, axis=alt.Axis(labelAngle=0, labelOverlap=True, orient="top"))
    y = alt.Y("row:N", sort=None, axis=row_axis)
    legend = alt.Legend(title="value", orient="bottom", gradientLength=180, gradientThickness=8, titleOrient="left")
    base = named("cells").encode(x=x, y=y, tooltip=[alt.Tooltip("cell:N"), alt.Tooltip("value:Q", format=".4f")])
    base = base.encode(description="reading:N")  # what a screen reader says of the cell
    layers = [base.mark_rect().encode(color=alt.Color("value:Q", scale=value_scale(bound), legend=legend))]
    if columns <= MAX_COLUMNS_WITH_NUMBERS:
        # On a phone the cells are narrower than their numbers; the tooltip still has them.
        room = alt.expr(f"width / {columns} < {NARROWEST_WITH_NUMBER} ? 0 : 1")
        letters = base.mark_text(fontSize=11, opacity=room, color=READABLE_ON_CELL, aria=False)
        layers.append(letters.encode(text=alt.Text("value:Q", format=".2f")))
    frame = named("frames").mark_rect(filled=False, strokeWidth=2, aria=False)
    layers.append(frame.encode(y=y, x=alt.value(0), x2=alt.value("width"), stroke=stroke_by_idea()))
    return alt.layer(*layers).properties(height=alt.Step(ROW_HEIGHT)).to_dict()


def heatmap(
    values: np.ndarray,
    row_names: Sequence[str],
    row_keys: Sequence[str],
    bound: float,
    cell: str = "[{row}, {column}]",
    first_column: int = 0,
    marked: Collection[int] = (),
    column_title: str = "column d",
) -> Plot:
    """Return the heatmap of `values` [rows, columns], with numbers in the cells where they are few enough to read.

    `row_names` stand beside the rows, `row_keys` fill {row} in the cell's name; `marked` rows are framed.
    Raises ValueError where the cells are more than MAX_CELLS.

    >>> heatmap(np.zeros((1, 2)), ["the"], ["262"], 3.0, "W[{row}, {column}]").data["cells"]["cell"].to_pylist()
    ['W[262, 0]', 'W[262, 1]']
    """
    rows, columns = values.shape
    if rows * columns > MAX_CELLS:
        raise ValueError(f"{rows} x {columns} cells are more than {MAX_CELLS:,}: show a window of them.")
    # Rows of the same name must stay apart, so each carries its number in front of the name until it is drawn.
    keys = [f"{r}|{name}" for r, name in enumerate(row_names)]
    numbers = range(first_column, first_column + columns)
    values = values.astype(float).round(4).ravel()
    names = [cell.format(row=key, column=column) for key in row_keys for column in numbers]
    cells = arrow_table(
        {
            "row": [key for key in keys for _ in numbers],
            "column": [*numbers] * rows,
            "value": values,
            "cell": names,
            "reading": [f"{name} = {value:.4f}" for name, value in zip(names, values, strict=True)],
        }
    )
    framed = [keys[r] for r in sorted(marked)]
    frames = arrow_table({"row": framed, "idea": ["token"] * len(framed)})
    return Plot(_look(columns, bound, column_title), {"cells": cells, "frames": frames})
