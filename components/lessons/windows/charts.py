"""The charts of the lesson on windows: inputs above their targets, and how often each token is used."""

from collections.abc import Sequence
from functools import lru_cache

import altair as alt
import numpy as np

from components.charts.columns import rows_table
from components.charts.palette import color_by_role, stroke_by_role
from components.charts.plot import MAX_CACHED_SPECS, Plot, chart_on

MAX_WINDOWS = 6
MAX_TOKENS = 16


@lru_cache(MAX_CACHED_SPECS)
def _shift_spec() -> dict:
    base = chart_on("tokens").encode(
        x=alt.X("position:O", title="position in the window", axis=alt.Axis(labelAngle=0, orient="top")),
        y=alt.Y("row:N", sort=None, title=None, axis=alt.Axis(labelLimit=150)),
        tooltip=["row:N", "position:O", "token:N"],
    )
    boxes = base.mark_rect(cornerRadius=4, opacity=0.28, strokeWidth=1.5)
    boxes = boxes.encode(color=color_by_role(), stroke=stroke_by_role())
    letters = base.mark_text(limit=90, fontSize=12).encode(text="token:N", color=color_by_role("letters"))
    return alt.layer(boxes, letters).properties(height=alt.Step(26)).to_dict()


def shift_chart(windows: Sequence[int], inputs: list[list[str]], targets: list[list[str]]) -> Plot:
    """Return inputs and targets of some windows, each token in the column of its position, to show the shift.

    `inputs` and `targets` are labels [n, T]; at most MAX_WINDOWS windows of MAX_TOKENS tokens are shown.

    >>> shift_chart([0], [["a", "b"]], [["b", "c"]]).data["tokens"]["position"].to_pylist()
    [0, 1, 1, 2]
    """
    rows = [
        {"row": f"window {n} {side}", "position": t + shift, "color_role": role, "letters": "letters", "token": label}
        for n, input_labels, target_labels in list(zip(windows, inputs, targets, strict=True))[:MAX_WINDOWS]
        for side, role, labels, shift in (("input", "token", input_labels, 0), ("target", "target", target_labels, 1))
        for t, label in enumerate(labels[:MAX_TOKENS])
    ]
    return Plot(_shift_spec(), {"tokens": rows_table(rows)})


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
