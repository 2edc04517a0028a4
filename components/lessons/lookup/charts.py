"""The chart of the lesson on lookups: the norms of all rows of a trained table, and those of the learner's tokens."""

from collections.abc import Sequence
from functools import lru_cache

import altair as alt
import numpy as np

from components.base.text_format import pluralize
from components.charts.palette import color_by_role
from components.charts.plot import MAX_CACHED_SPECS, Plot, arrow_table, chart_on, rows_table

BINS = 60


@lru_cache(MAX_CACHED_SPECS)
def _norms_spec() -> dict:
    x, y = alt.X("from:Q", title="norm of a row", bin="binned"), alt.Y("rows:Q", title="rows")
    tooltip = [alt.Tooltip("from:Q", format=".3f"), alt.Tooltip("to:Q", format=".3f"), "rows:Q"]
    bars = chart_on("bins").mark_bar(opacity=0.6)
    bars = bars.encode(x, y, color_by_role(), x2="to:Q", tooltip=tooltip, description="reading:N")
    tokens = chart_on("tokens").encode(alt.X("norm:Q"))
    marks = tokens.mark_rule(strokeWidth=2, aria=False).encode(color_by_role())
    names = tokens.mark_text(align="left", dx=4, fontSize=12).encode(alt.Y("height:Q", title="rows"), text="token:N")
    return alt.layer(bars, marks, names).properties(height=220).to_dict()


def norms_chart(norms: np.ndarray, tokens: Sequence[tuple[str, float]]) -> Plot:
    """Return how many rows have which norm; `tokens` are names and norms of some."""
    counts, edges = np.histogram(norms, BINS)
    bins = {"from": edges[:-1].astype(float), "to": edges[1:].astype(float), "rows": counts}
    bins["color_role"] = ["token"] * BINS
    bins["reading"] = [
        f"norms from {start:.3f} to {end:.3f}: {pluralize(count, 'row')}"
        for start, end, count in zip(edges[:-1], edges[1:], counts.tolist(), strict=True)
    ]
    marks = [
        {"token": name, "norm": norm, "height": int(counts.max()) * (1 - n / 9), "color_role": "position"}
        for n, (name, norm) in enumerate(tokens)
    ]
    return Plot(_norms_spec(), {"bins": arrow_table(bins), "tokens": rows_table(marks)})
