"""Two ways to the same rows, timed as V grows: on logarithmic axes a cost that grows with V is a straight line."""

from collections.abc import Sequence
from functools import lru_cache

import altair as alt

from components.charts.columns import rows_table
from components.charts.palette import color_by_idea
from components.charts.plot import LOOKS_KEPT, Plot, named


@lru_cache(LOOKS_KEPT)
def _look() -> dict:
    x = alt.X("V:Q", title="V, rows of the table", scale=alt.Scale(type="log"), axis=alt.Axis(format="~s"))
    y = alt.Y("microseconds:Q", title="microseconds", scale=alt.Scale(type="log"), axis=alt.Axis(format="~s"))
    tooltip = ["way:N", alt.Tooltip("V:Q", format=","), alt.Tooltip("microseconds:Q", format=",.1f")]
    base = named("timings").encode(x, y, color_by_idea(), tooltip=tooltip, description="reading:N", detail="way:N")
    lines = base.mark_line(point=alt.OverlayMarkDef(size=40), strokeWidth=2)
    names = named("ends").mark_text(align="right", dy=-12, fontSize=12)
    names = names.encode(x, y, color_by_idea(), text="way:N")
    return alt.layer(lines, names).properties(height=260).to_dict()


def timing_chart(sizes: Sequence[int], lookup: Sequence[float], product: Sequence[float]) -> Plot:
    """Return the seconds of both ways at every V as two lines, drawn in microseconds.

    >>> timing_chart([16, 32], [1e-6, 1e-6], [1e-5, 2e-5]).data["timings"]["microseconds"].to_pylist()
    [1.0, 1.0, 10.0, 20.0]
    """
    rows = [
        {
            "V": V,
            "microseconds": round(seconds * 1e6, 2),
            "way": way,
            "idea": idea,
            "reading": f"{way}, V = {V:,}: {seconds * 1e6:,.1f} microseconds",
        }
        for way, idea, taken in (("lookup", "token", lookup), ("one-hot product", "error", product))
        for V, seconds in zip(sizes, taken, strict=True)
    ]
    ends = [rows[len(sizes) - 1], rows[-1]]
    return Plot(_look(), {"timings": rows_table(rows), "ends": rows_table(ends)})
