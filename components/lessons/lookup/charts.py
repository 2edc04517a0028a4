"""The chart of the lesson on lookups: the norms of all rows of a trained table, and those of the learner's tokens."""

from collections.abc import Sequence
from functools import lru_cache

import altair as alt
import numpy as np

from components.charts.columns import arrow_table, rows_table
from components.charts.palette import color_by_role
from components.charts.plot import MAX_CACHED_SPECS, Plot, chart_on

BINS = 60


@lru_cache(MAX_CACHED_SPECS)
def _norms_spec() -> dict:
    x = alt.X("from:Q", title="norm of a row", bin="binned")
    tooltip = [alt.Tooltip("from:Q", format=".3f"), alt.Tooltip("to:Q", format=".3f"), "rows:Q"]
    bars = (
        chart_on("bins").mark_bar(opacity=0.6).encode(x, alt.X2("to:Q"), alt.Y("rows:Q", title="rows"), color_by_role())
    )
    bars = bars.encode(tooltip=tooltip)
    marks = chart_on("tokens").mark_rule(strokeWidth=2).encode(alt.X("norm:Q"), color_by_role())
    names = chart_on("tokens").mark_text(align="left", dx=4, fontSize=12).encode(alt.X("norm:Q"), text="token:N")
    names = names.encode(y=alt.Y("height:Q", title="rows"))
    return alt.layer(bars, marks, names).properties(height=220).to_dict()


def norms_chart(norms: np.ndarray, tokens: Sequence[tuple[str, float]]) -> Plot:
    """Return how many rows have which norm; `tokens` are names and norms of some."""
    counts, edges = np.histogram(norms, BINS)
    bins = {"from": edges[:-1].astype(float), "to": edges[1:].astype(float), "rows": counts}
    highest = int(counts.max())
    marks = [
        {"token": name, "norm": norm, "height": highest * (1 - n / 9), "color_role": "position"}
        for n, (name, norm) in enumerate(tokens)
    ]
    return Plot(
        _norms_spec(), {"bins": arrow_table(bins | {"color_role": ["token"] * BINS}), "tokens": rows_table(marks)}
    )
