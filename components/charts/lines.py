"""Lines and points for position tables: one column down the places, and the length of every row."""

from functools import lru_cache

import altair as alt
import numpy as np

from components.charts.columns import arrow_table
from components.charts.palette import color_by_idea
from components.charts.plot import LOOKS_KEPT, Plot, named

HEIGHT = 220


def _place() -> alt.X:
    return alt.X("place:Q", title="place t", axis=alt.Axis(tickMinStep=1, format="d"))


@lru_cache(LOOKS_KEPT)
def _wave_look(column: int) -> dict:
    line = named("wave").mark_line(point=alt.OverlayMarkDef(size=28), strokeWidth=2)
    value = alt.Y("value:Q", title=f"P[t, {column}]")
    tooltip = ["place:Q", alt.Tooltip("value:Q", format=".4f")]
    return line.encode(_place(), value, color_by_idea(), tooltip=tooltip).properties(height=HEIGHT).to_dict()


def wave_chart(values: np.ndarray, column: int) -> Plot:
    """Return one column of a position table, value by place; `values` is [T].

    >>> wave_chart(np.array([0.0, 0.5]), column=3).data["wave"]["value"].to_pylist()
    [0.0, 0.5]
    """
    values = values.astype(float).round(4)
    ideas = ["position"] * len(values)
    wave = arrow_table({"place": np.arange(len(values)), "value": values, "idea": ideas})
    return Plot(_wave_look(column), {"wave": wave})


@lru_cache(LOOKS_KEPT)
def _length_look(top: float) -> dict:
    length = alt.Y("length:Q", title="length of row", scale=alt.Scale(domain=[0, top]))
    tooltip = ["place:Q", alt.Tooltip("length:Q", format=".4f")]
    points = named("rows").mark_point(filled=True, size=40).encode(_place(), length, color_by_idea(), tooltip=tooltip)
    rule = named("expected").mark_rule(strokeDash=[6, 4], strokeWidth=2).encode(length, color_by_idea())
    return alt.layer(points, rule).properties(height=HEIGHT).to_dict()


def length_chart(lengths: np.ndarray, expected: float) -> Plot:
    """Return the length of every row as a point, with the expected length as a dashed rule; `lengths` is [T].

    >>> length_chart(np.array([2.0, 3.0]), expected=2.5).data["rows"]["length"].to_pylist()
    [2.0, 3.0]
    """
    lengths = lengths.astype(float).round(4)
    ideas = ["position"] * len(lengths)
    rows = arrow_table({"place": np.arange(len(lengths)), "length": lengths, "idea": ideas})
    line = arrow_table({"length": [round(expected, 4)], "idea": ["neutral"]})
    top = float(np.ceil(max(lengths.max(initial=0.0), expected) * 1.2))
    return Plot(_length_look(top), {"rows": rows, "expected": line})
