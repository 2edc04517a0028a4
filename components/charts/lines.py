"""Lines and bars for position tables: one column down the places, and the length of every row."""

import altair as alt
import numpy as np
import pandas as pd

from components.charts.palette import color_by_idea


def wave_chart(values: np.ndarray, column: int) -> alt.Chart:
    """Return one column of a position table, value by place; `values` is [T]."""
    data = pd.DataFrame({"idea": "position", "place": np.arange(len(values)), "value": values.astype(float).round(4)})
    tooltip = [alt.Tooltip("place"), alt.Tooltip("value", format=".4f")]
    return (
        alt.Chart(data)
        .mark_line(point=alt.OverlayMarkDef(size=28), strokeWidth=2)
        .encode(
            x=alt.X("place:Q", title="place t", axis=alt.Axis(tickMinStep=1, format="d")),
            y=alt.Y("value:Q", title=f"P[t, {column}]"),
            color=color_by_idea(),
            tooltip=tooltip,
        )
        .properties(height=220)
    )


def length_chart(lengths: np.ndarray, expected: float, name: str) -> alt.LayerChart:
    """Return the length of every row as a point, with the expected length as a rule; `lengths` is [T]."""
    data = pd.DataFrame(
        {"idea": "position", "place": np.arange(len(lengths)), "length": lengths.astype(float).round(4)}
    )
    top = float(max(lengths.max(initial=0.0), expected)) * 1.25
    points = (
        alt.Chart(data)
        .mark_point(filled=True, size=40)
        .encode(
            x=alt.X("place:Q", title="place t", axis=alt.Axis(tickMinStep=1, format="d")),
            y=alt.Y("length:Q", title="length of row", scale=alt.Scale(domain=[0, top])),
            color=color_by_idea(),
            tooltip=["place", alt.Tooltip("length", format=".4f")],
        )
    )
    line = pd.DataFrame({"idea": "neutral", "length": [expected], "name": [name]})
    rule = alt.Chart(line).mark_rule(strokeDash=[6, 4], strokeWidth=2).encode(y="length:Q", color=color_by_idea())
    return alt.layer(points, rule).properties(height=220)
