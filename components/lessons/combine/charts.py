"""The chart of broadcasting: B matrices of tokens, one matrix of positions expanded to B, and B sums, as stacks."""

from collections.abc import Sequence
from functools import lru_cache

import altair as alt
import pyarrow as pa

from components.charts.columns import arrow_table, rows_table
from components.charts.palette import color_by_role, stroke_by_role
from components.charts.plot import MAX_CACHED_SPECS, Plot, chart_on

MAX_MATRICES = 5
LEFT_OF_STACK = {"token": 0.0, "position": 10.0, "combined": 20.0}


@lru_cache(MAX_CACHED_SPECS)
def _broadcast_spec(matrices: int, lines: int) -> dict:
    x = alt.X("x:Q", axis=None, scale=alt.Scale(domain=[-3, 31]))
    y = alt.Y("y:Q", axis=None, scale=alt.Scale(domain=[-0.6 - 0.9 * lines, 4.2 + 0.8 * (matrices - 1)]))
    ends = {"x2": "x2:Q", "y2": "y2:Q", "tooltip": [alt.Tooltip("color_role:N", title="tensor"), "matrix:N"]}
    again = chart_on("again").mark_rect(fillOpacity=0.05, strokeWidth=1.5, strokeDash=[5, 4])
    real = chart_on("real").mark_rect(fillOpacity=0.55, strokeWidth=1.5)
    layers = [boxes.encode(x, y, color_by_role(), stroke_by_role(), **ends) for boxes in (again, real)]
    letters = chart_on("names").mark_text(fontSize=12, lineBreak="\n").encode(x, y, color_by_role(), text="label:N")
    signs = chart_on("signs").mark_text(fontSize=22, baseline="middle").encode(x, y, color_by_role(), text="label:N")
    return alt.layer(*layers, letters, signs).properties(height=130 + 15 * lines).to_dict()


def broadcast_chart(batch_size: int, context_length: int, dim: int) -> Plot:
    """Return token [B, T, D] + position [T, D] = combined [B, T, D] as three stacks; expanded matrices are dashed.

    >>> plot = broadcast_chart(batch_size=2, context_length=4, dim=16)
    >>> plot.data["again"]["color_role"].to_pylist()
    ['position']
    """
    matrices = min(batch_size, MAX_MATRICES)
    real, again = [], []
    for color_role, left in LEFT_OF_STACK.items():
        for n in reversed(range(matrices)):
            x, y = left + n * 0.5, n * 0.8
            expanded = color_role == "position" and n > 0
            matrix = "the same matrix, expanded" if expanded else "a matrix of its own"
            box = {"x": x, "x2": x + 5, "y": y, "y2": y + 4, "color_role": color_role, "matrix": matrix}
            (again if expanded else real).append(box)
    cut = batch_size > matrices
    shown = f"\n{matrices} of {batch_size} shown" if cut else ""
    names = [
        (2.5, -1.0, f"token\n[{batch_size}, {context_length}, {dim}]{shown}"),
        (12.5, -1.0, f"position [{context_length}, {dim}]\nused {batch_size} ×{shown}"),
        (22.5, -1.0, f"combined\n[{batch_size}, {context_length}, {dim}]{shown}"),
    ]
    signs = [(8.6, 2.0, "+"), (18.6, 2.0, "=")]
    expanded_rows = rows_table(again) if again else rows_table(real).slice(0, 0)
    data = {"real": rows_table(real), "again": expanded_rows, "names": _letters(names), "signs": _letters(signs)}
    return Plot(_broadcast_spec(matrices, 3 if cut else 2), data)


def _letters(labels: Sequence[tuple[float, float, str]]) -> pa.Table:
    x, y, words = zip(*labels, strict=True)
    return arrow_table({"x": x, "y": y, "label": words, "color_role": ["letters"] * len(labels)})
