"""The charts of the lesson on positions: one column of the table by position, and the norm of every row."""

from functools import lru_cache

import altair as alt
import numpy as np

from components.charts.columns import arrow_table
from components.charts.palette import color_by_role
from components.charts.plot import MAX_CACHED_SPECS, Plot, chart_on

HEIGHT = 220


def _position_axis() -> alt.X:
    return alt.X("position:Q", title="position t", axis=alt.Axis(tickMinStep=1, format="d"))


@lru_cache(MAX_CACHED_SPECS)
def _wave_spec(column: int) -> dict:
    line = chart_on("wave").mark_line(point=alt.OverlayMarkDef(size=28), strokeWidth=2)
    value = alt.Y("value:Q", title=f"P[t, {column}]")
    tooltip = ["position:Q", alt.Tooltip("value:Q", format=".4f")]
    return line.encode(_position_axis(), value, color_by_role(), tooltip=tooltip).properties(height=HEIGHT).to_dict()


def wave_chart(values: np.ndarray, column: int) -> Plot:
    """Return one column of a position table, value by position; `values` is [T].

    >>> wave_chart(np.array([0.0, 0.5]), column=3).data["wave"]["value"].to_pylist()
    [0.0, 0.5]
    """
    values = values.astype(float).round(4)
    color_roles = ["position"] * len(values)
    wave = arrow_table({"position": np.arange(len(values)), "value": values, "color_role": color_roles})
    return Plot(_wave_spec(column), {"wave": wave})


@lru_cache(MAX_CACHED_SPECS)
def _norm_spec(top: float) -> dict:
    norm = alt.Y("norm:Q", title="norm of row", scale=alt.Scale(domain=[0, top]))
    tooltip = ["position:Q", alt.Tooltip("norm:Q", format=".4f")]
    points = (
        chart_on("rows")
        .mark_point(filled=True, size=40)
        .encode(_position_axis(), norm, color_by_role(), tooltip=tooltip)
    )
    rule = chart_on("expected").mark_rule(strokeDash=[6, 4], strokeWidth=2).encode(norm, color_by_role())
    return alt.layer(points, rule).properties(height=HEIGHT).to_dict()


def norm_chart(norms: np.ndarray, expected: float) -> Plot:
    """Return the norm of every row as a point, with the expected norm as a dashed rule; `norms` is [T].

    >>> norm_chart(np.array([2.0, 3.0]), expected=2.5).data["rows"]["norm"].to_pylist()
    [2.0, 3.0]
    """
    norms = norms.astype(float).round(4)
    color_roles = ["position"] * len(norms)
    rows = arrow_table({"position": np.arange(len(norms)), "norm": norms, "color_role": color_roles})
    line = arrow_table({"norm": [round(expected, 4)], "color_role": ["neutral"]})
    top = float(np.ceil(max(norms.max(initial=0.0), expected) * 1.2))
    return Plot(_norm_spec(top), {"rows": rows, "expected": line})
