"""The chart of measured times: lookup and one-hot product as V grows, on logarithmic axes."""

from collections.abc import Sequence
from functools import lru_cache

import altair as alt

from components.charts.columns import rows_table
from components.charts.palette import color_by_role
from components.charts.plot import MAX_CACHED_SPECS, Plot, chart_on


@lru_cache(MAX_CACHED_SPECS)
def _timing_spec() -> dict:
    x = alt.X("V:Q", title="V, rows of the table", scale=alt.Scale(type="log"), axis=alt.Axis(format="~s"))
    y = alt.Y("microseconds:Q", title="microseconds", scale=alt.Scale(type="log"), axis=alt.Axis(format="~s"))
    tooltip = ["way:N", alt.Tooltip("V:Q", format=","), alt.Tooltip("microseconds:Q", format=",.1f")]
    base = chart_on("timings").encode(x, y, color_by_role(), tooltip=tooltip, description="reading:N", detail="way:N")
    lines = base.mark_line(point=alt.OverlayMarkDef(size=40), strokeWidth=2)
    names = chart_on("ends").mark_text(align="right", dy=-12, fontSize=12)
    names = names.encode(x, y, color_by_role(), text="way:N")
    return alt.layer(lines, names).properties(height=260).to_dict()


def timing_chart(sizes: Sequence[int], lookup: Sequence[float], product: Sequence[float]) -> Plot:
    """Return the seconds of both ways at every V as two lines, in microseconds.

    >>> timing_chart([16, 32], [1e-6, 1e-6], [1e-5, 2e-5]).data["timings"]["microseconds"].to_pylist()
    [1.0, 1.0, 10.0, 20.0]
    """
    rows = [
        {
            "V": V,
            "microseconds": round(seconds * 1e6, 2),
            "way": way,
            "color_role": color_role,
            "reading": f"{way}, V = {V:,}: {seconds * 1e6:,.1f} microseconds",
        }
        for way, color_role, times in (("lookup", "token", lookup), ("one-hot product", "error", product))
        for V, seconds in zip(sizes, times, strict=True)
    ]
    ends = [rows[len(sizes) - 1], rows[-1]]
    return Plot(_timing_spec(), {"timings": rows_table(rows), "ends": rows_table(ends)})
