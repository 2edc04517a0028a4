"""The chart of measured times: lookup and one-hot product as V grows, on logarithmic axes."""

from collections.abc import Sequence
from functools import lru_cache

import altair as alt

from components.charts.palette import color_by_role
from components.charts.plot import MAX_CACHED_SPECS, Plot, chart_on, rows_table
from components.embedding.timing import Timing


@lru_cache(MAX_CACHED_SPECS)
def _timing_spec() -> dict:
    x = alt.X("V:Q", title="V, rows of the table", scale=alt.Scale(type="log"), axis=alt.Axis(format="~s"))
    y = alt.Y("microseconds:Q", title="microseconds", scale=alt.Scale(type="log"), axis=alt.Axis(format="~s"))
    tooltip = ["way:N", alt.Tooltip("V:Q", format=","), alt.Tooltip("microseconds:Q", format=",.1f")]
    base = chart_on("timings").encode(x, color_by_role(), tooltip=tooltip, description="reading:N", detail="way:N")
    # Screen readers read the points, each with its way.
    quartiles = base.mark_area(opacity=0.25, aria=False).encode(
        alt.Y("first:Q", title="microseconds"), alt.Y2("third:Q")
    )
    lines = base.mark_line(point=alt.OverlayMarkDef(size=40, aria=True), strokeWidth=2, aria=False).encode(y)
    names = chart_on("ends").mark_text(align="right", dy=-12, fontSize=12, aria=False)
    names = names.encode(x, y, color_by_role(), text="way:N")
    return alt.layer(quartiles, lines, names).properties(height=260).to_dict()


def timing_chart(timings: Sequence[Timing]) -> Plot:
    """Return the times of both ways at every V: the medians as two lines, the quartiles as bands around them."""
    rows = []
    for way, field, color_role in (("lookup", "lookup", "token"), ("one-hot product", "product", "error")):
        for timing in timings:
            first, median, third = (seconds * 1e6 for seconds in getattr(timing, field))
            reading = f"{way}, V = {timing.vocab_size:,}: {median:,.1f} microseconds"
            row = {"V": timing.vocab_size, "first": first, "microseconds": median, "third": third}
            rows.append(row | {"way": way, "color_role": color_role, "reading": reading})
    ends = [rows[len(timings) - 1], rows[-1]]
    return Plot(_timing_spec(), {"timings": rows_table(rows), "ends": rows_table(ends)})
