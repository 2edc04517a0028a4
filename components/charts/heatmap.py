"""A heatmap of numbers around 0: one cell per element, with its name in the tooltip."""

from collections.abc import Collection, Sequence
from functools import lru_cache

import altair as alt
import numpy as np

from components.charts.columns import arrow_table
from components.charts.palette import READABLE_ON_CELL, stroke_by_role, value_scale
from components.charts.plot import MAX_CACHED_SPECS, ROW_LABEL, Plot, chart_on

MAX_CELLS = 2_000  # a browser redraws so many without a noticeable delay
MAX_COLUMNS_WITH_NUMBERS = 16
MIN_WIDTH_WITH_NUMBER = 34  # pixels of a cell
ROW_HEIGHT = 24  # pixels


def shared_bound(*arrays: np.ndarray) -> float:
    """Return one bound for all arrays: the largest absolute value, rounded up to a multiple of 0.5; at least 0.5.

    >>> shared_bound(np.array([0.2, -1.3]), np.array([0.7]))
    1.5
    """
    largest = max((float(np.abs(array).max()) for array in arrays if array.size), default=0.0)
    return max(0.5, float(np.ceil(largest * 2) / 2))


@lru_cache(MAX_CACHED_SPECS)
def _spec(columns: int, bound: float) -> dict:
    row_axis = alt.Axis(title=None, labelExpr=ROW_LABEL, labelLimit=150, labelOverlap=False)
    x = alt.X("column:O", title="column d", axis=alt.Axis(labelAngle=0, labelOverlap=True, orient="top"))
    y = alt.Y("row:N", sort=None, axis=row_axis)
    legend = alt.Legend(title="value", orient="bottom", gradientLength=180, gradientThickness=8, titleOrient="left")
    base = chart_on("cells").encode(x=x, y=y, tooltip=[alt.Tooltip("cell:N"), alt.Tooltip("value:Q", format=".4f")])
    base = base.encode(description="reading:N")  # for screen readers
    layers = [base.mark_rect().encode(color=alt.Color("value:Q", scale=value_scale(bound), legend=legend))]
    if columns <= MAX_COLUMNS_WITH_NUMBERS:
        # On a phone the cells are narrower than their numbers, which the tooltip shows then.
        opacity = alt.expr(f"width / {columns} < {MIN_WIDTH_WITH_NUMBER} ? 0 : 1")
        numbers = base.mark_text(fontSize=11, opacity=opacity, color=READABLE_ON_CELL, aria=False)
        layers.append(numbers.encode(text=alt.Text("value:Q", format=".2f")))
    frame = chart_on("frames").mark_rect(filled=False, strokeWidth=2, aria=False)
    layers.append(frame.encode(y=y, x=alt.value(0), x2=alt.value("width"), stroke=stroke_by_role()))
    return alt.layer(*layers).properties(height=alt.Step(ROW_HEIGHT)).to_dict()


def heatmap(
    values: np.ndarray,
    row_names: Sequence[str],
    row_keys: Sequence[str],
    bound: float,
    cell: str = "[{row}, {column}]",
    first_column: int = 0,
    marked: Collection[int] = (),
) -> Plot:
    """Return the heatmap of `values` [rows, columns], with numbers in the cells if there are few columns.

    `row_names` label the rows, `row_keys` replace {row} in the name `cell` of a cell, and `marked` rows are framed.
    Raises ValueError if there are more than MAX_CELLS cells.

    >>> heatmap(np.zeros((1, 2)), ["the"], ["262"], 3.0, "W[{row}, {column}]").data["cells"]["cell"].to_pylist()
    ['W[262, 0]', 'W[262, 1]']
    """
    rows, columns = values.shape
    if rows * columns > MAX_CELLS:
        raise ValueError(f"{rows} x {columns} cells are more than {MAX_CELLS:,}: show a part of them.")
    # Rows with equal names are different rows, so each label begins with a number that is not shown.
    labels = [f"{r}|{name}" for r, name in enumerate(row_names)]
    column_numbers = range(first_column, first_column + columns)
    values = values.astype(float).round(4).ravel()
    names = [cell.format(row=key, column=column) for key in row_keys for column in column_numbers]
    cells = arrow_table(
        {
            "row": [label for label in labels for _ in column_numbers],
            "column": [*column_numbers] * rows,
            "value": values,
            "cell": names,
            "reading": [f"{name} = {value:.4f}" for name, value in zip(names, values, strict=True)],
        }
    )
    framed = [labels[r] for r in sorted(marked)]
    frames = arrow_table({"row": framed, "color_role": ["token"] * len(framed)})
    return Plot(_spec(columns, bound), {"cells": cells, "frames": frames})
