"""The chart of the lesson on windows: how often each token of a text is used."""

from collections.abc import Sequence
from functools import lru_cache

import altair as alt
import numpy as np

from components.charts.columns import rows_table
from components.charts.palette import color_by_role
from components.charts.plot import MAX_CACHED_SPECS, Plot, chart_on


@lru_cache(MAX_CACHED_SPECS)
def _coverage_spec() -> dict:
    boxes = chart_on("uses").mark_rect(stroke=None)
    strength = alt.Scale(domain=[0, 1], range=[0.06, 0.9])
    boxes = boxes.encode(
        x=alt.X("position:O", title="position in the text", axis=alt.Axis(labelAngle=0, labelOverlap=True)),
        y=alt.Y("use:N", sort=None, title=None),
        tooltip=["position:O", "token:N", "use:N", "times:Q"],
        color=color_by_role(),
        opacity=alt.Opacity("strength:Q", scale=strength, legend=None),
    )
    return boxes.properties(height=alt.Step(30)).to_dict()


def coverage_chart(as_input: np.ndarray, as_target: np.ndarray, labels: Sequence[str], start: int = 0) -> Plot:
    """Return how often each of `labels` is an input and a target, both [tokens], and which are unused.

    The most frequent use has the strongest colour, and so has every unused token. `start` is the position of the first
    token shown.

    >>> coverage_chart(np.array([1, 0]), np.array([0, 0]), ["a", "b"]).data["uses"]["times"].to_pylist()
    [1, 0, 0, 0, 0, 1]
    """
    unused = (as_input + as_target == 0).astype(int)
    most = max(1, int(as_input.max()), int(as_target.max()))
    roles = (("input", "token", as_input, most), ("target", "target", as_target, most), ("unused", "error", unused, 1))
    uses = [
        {
            "position": start + i,
            "use": use,
            "color_role": color_role,
            "times": int(times[i]),
            "strength": float(times[i] / strongest),
            "token": labels[i],
        }
        for use, color_role, times, strongest in roles
        for i in range(len(labels))
    ]
    return Plot(_coverage_spec(), {"uses": rows_table(uses)})
