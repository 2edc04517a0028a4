"""The chart of the lesson on positions: one column of the table by position."""

from functools import lru_cache

import altair as alt
import numpy as np

from components.charts.palette import color_by_role
from components.charts.plot import MAX_CACHED_SPECS, Plot, arrow_table, chart_on
from components.figures.cells import number


@lru_cache(MAX_CACHED_SPECS)
def _wave_spec(column: int) -> dict:
    line = chart_on("wave").mark_line(point=alt.OverlayMarkDef(size=28, aria=True), strokeWidth=2, aria=False)
    position = alt.X("position:Q", title="position t", axis=alt.Axis(tickMinStep=1, format="d"))
    value = alt.Y("value:Q", title=f"P[t, {column}]")
    tooltip = ["position:Q", alt.Tooltip("value:Q", format=".4f")]
    line = line.encode(position, value, color_by_role(), tooltip=tooltip, description="reading:N")
    return line.properties(height=220).to_dict()


def wave_chart(values: np.ndarray, column: int) -> Plot:
    """Return one column of a position embedding table, value by position; `values` is [T]."""
    T = len(values)
    wave = {"position": np.arange(T), "value": values.astype(float).round(4), "color_role": ["position"] * T}
    wave["reading"] = [f"position {t}: {number(value, 4)}" for t, value in enumerate(values.tolist())]
    return Plot(_wave_spec(column), {"wave": arrow_table(wave)})
