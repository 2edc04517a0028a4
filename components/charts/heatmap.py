"""A heatmap of numbers around 0: one cell per element, with its name in the tooltip."""

from collections.abc import Collection, Sequence
from functools import lru_cache

import altair as alt
import numpy as np

from components.base.text_format import true_minus
from components.charts.palette import READABLE_ON_CELL, role_scale
from components.charts.plot import MAX_CACHED_SPECS, Plot, arrow_table, chart_on, name_axis, numbered

NORMAL_BOUND = 3.0  # three standard deviations of N(0, 1)
MAX_COLUMNS_WITH_NUMBERS, MAX_WORDS_WITH_NUMBERS = 16, 12
MIN_WIDTH_WITH_NUMBER = 34  # pixels of a cell
ROW_HEIGHT, WORD_HEIGHT = 24, 26  # pixels
WORD_WIDTH = 110  # pixels of a label


def shared_bound(*arrays: np.ndarray) -> float:
    """Return one bound for all arrays: the largest absolute value, rounded up to a multiple of 0.5 (small: of 0.05).

    >>> shared_bound(np.array([0.2, -0.6])), shared_bound(np.array([0.0485])), shared_bound(np.array([0.0]))
    (1.0, 0.05, 0.05)
    """
    largest = max((float(np.abs(array).max()) for array in arrays if array.size), default=0.0)
    parts = 2 if largest > 0.25 else 20  # of 1
    return max(1.0, float(np.ceil(largest * parts))) / parts


@lru_cache(MAX_CACHED_SPECS)
def _spec(columns: int, bound: float, of_words: bool) -> dict:
    x = alt.X("column:O", title="column d", axis=alt.Axis(labelAngle=0, labelOverlap=True, orient="top"))
    y = alt.Y("row:N", sort=None, axis=name_axis())
    title, cell, row_height, max_numbers = "value", "cell", ROW_HEIGHT, MAX_COLUMNS_WITH_NUMBERS
    if of_words:
        x = alt.X("column:N", sort=None, axis=name_axis(WORD_WIDTH, orient="top", labelAngle=-45))
        y = alt.Y("row:N", sort=None, axis=name_axis(WORD_WIDTH))
        title, cell, row_height, max_numbers = "cosine", "pair", WORD_HEIGHT, MAX_WORDS_WITH_NUMBERS
    # Not a gradient: Vega refers to one by the address of the page, which changes while the chart stays.
    stops = [part * bound for part in (-1, -0.5, 0, 0.5, 1)]
    look = {"type": "symbol", "symbolType": "square", "symbolStrokeWidth": 0, "format": ".3~r"}
    legend = alt.Legend(title=title, titleOrient="left", orient="bottom", values=stops, **look)
    tooltip = [alt.Tooltip("cell:N", title=cell), alt.Tooltip("value:Q", format=".4f")]
    base = chart_on("cells").encode(x, y, tooltip=tooltip, description="reading:N")  # for screen readers
    scale = alt.Scale(domain=[-bound, bound], range="diverging", interpolate="rgb", clamp=True)
    layers = [base.mark_rect().encode(color=alt.Color("value:Q", scale=scale, legend=legend))]
    if columns <= max_numbers:
        # On a phone the cells are narrower than their numbers, which the tooltip shows then.
        opacity = alt.expr(f"width / {columns} < {MIN_WIDTH_WITH_NUMBER} ? 0 : 1")
        numbers = base.mark_text(fontSize=12, opacity=opacity, color=READABLE_ON_CELL, aria=False)
        layers.append(numbers.encode(text=alt.Text("value:Q", format=".2f")))
    frame = chart_on("frames").mark_rect(filled=False, strokeWidth=2, aria=False)
    stroke = alt.Stroke("color_role:N", scale=role_scale(), legend=None)
    layers.append(frame.encode(y=y, x=alt.value(0), x2=alt.value("width"), stroke=stroke))
    return alt.layer(*layers).properties(height=alt.Step(row_height)).to_dict()


def heatmap(
    values: np.ndarray,
    row_names: Sequence[str],
    row_keys: Sequence[int | str],
    bound: float,
    cell: str = "[{row}, {column}]",
    first_column: int = 0,
    marked: Collection[int] = (),
    words: Sequence[str] = (),
    readings: Sequence[str] = (),
) -> Plot:
    """Return the heatmap of `values` [rows, columns], with numbers in the cells if there are few columns.

    `row_names` label the rows, `words` the columns, which otherwise have numbers from `first_column` on. `cell` is the
    name of a cell in the tooltip, where {row} is one of `row_keys`; `readings` are the accessible names of the cells.
    `marked` rows are framed.
    """
    rows, columns = values.shape
    labels, column_numbers = numbered(row_names), range(first_column, first_column + columns)
    values = values.astype(float).round(4).ravel()
    names = [cell.format(row=key, column=column) for key in row_keys for column in words or column_numbers]
    written = (true_minus(f"{value:z.4f}") for value in values)
    cells = arrow_table(
        {
            "row": [label for label in labels for _ in column_numbers],
            "column": (numbered(words) or [*column_numbers]) * rows,
            "value": values,
            "cell": names,
            "reading": readings or [f"{name} = {value}" for name, value in zip(names, written, strict=True)],
        }
    )
    framed = [labels[r] for r in marked]
    frames = arrow_table({"row": framed, "color_role": ["token"] * len(framed)})
    return Plot(_spec(columns, bound, bool(words)), {"cells": cells, "frames": frames})
