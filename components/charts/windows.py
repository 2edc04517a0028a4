"""Windows over a text: inputs above targets, and what each token is used for."""

from collections.abc import Sequence
from functools import lru_cache

import altair as alt
import numpy as np

from components.charts.columns import rows_table
from components.charts.palette import color_by_idea, stroke_by_idea
from components.charts.plot import LOOKS_KEPT, Plot, named

MAX_WINDOWS = 6
MAX_TOKENS = 16


@lru_cache(LOOKS_KEPT)
def _shift_look() -> dict:
    base = named("tokens").encode(
        x=alt.X("place:O", title="place in the window", axis=alt.Axis(labelAngle=0, orient="top")),
        y=alt.Y("row:N", sort=None, title=None, axis=alt.Axis(labelLimit=150)),
        tooltip=["row:N", "place:O", "token:N"],
    )
    boxes = base.mark_rect(cornerRadius=4, opacity=0.28, strokeWidth=1.5)
    boxes = boxes.encode(color=color_by_idea("role"), stroke=stroke_by_idea("role"))
    letters = base.mark_text(limit=90, fontSize=12).encode(text="token:N", color=color_by_idea("letters"))
    return alt.layer(boxes, letters).properties(height=alt.Step(26)).to_dict()


def shift_chart(windows: Sequence[int], inputs: list[list[str]], targets: list[list[str]]) -> Plot:
    """Return inputs and targets of some windows, each token in the column of its place, so that the shift shows.

    `inputs` and `targets` are labels [n, T]; at most MAX_WINDOWS windows of MAX_TOKENS tokens are drawn.

    >>> shift_chart([0], [["a", "b"]], [["b", "c"]]).data["tokens"]["place"].to_pylist()
    [0, 1, 1, 2]
    """
    rows = [
        {"row": f"window {n} {role}", "place": t + moved, "role": idea, "letters": "letters", "token": label}
        for n, given, wanted in list(zip(windows, inputs, targets, strict=True))[:MAX_WINDOWS]
        for role, idea, labels, moved in (("input", "token", given, 0), ("target", "target", wanted, 1))
        for t, label in enumerate(labels[:MAX_TOKENS])
    ]
    return Plot(_shift_look(), {"tokens": rows_table(rows)})


@lru_cache(LOOKS_KEPT)
def _coverage_look() -> dict:
    boxes = named("uses").mark_rect(stroke=None)
    strength = alt.Scale(domain=[0, 1], range=[0.06, 0.9])
    boxes = boxes.encode(
        x=alt.X("place:O", title="place of the token in the text", axis=alt.Axis(labelAngle=0, labelOverlap=True)),
        y=alt.Y("use:N", sort=None, title=None),
        tooltip=["place:O", "token:N", "use:N", "times:Q"],
        color=color_by_idea(),
        opacity=alt.Opacity("strength:Q", scale=strength, legend=None),
    )
    return boxes.properties(height=alt.Step(30)).to_dict()


def coverage_chart(as_input: np.ndarray, as_target: np.ndarray, labels: Sequence[str], start: int = 0) -> Plot:
    """Return how often each token is an input and a target, and which are lost; all three are [tokens].

    The most frequent use has the strongest colour, and so has every lost token. `start` is the place of the first token
    shown in the whole text.

    >>> coverage_chart(np.array([1, 0]), np.array([0, 0]), ["a", "b"]).data["uses"]["times"].to_pylist()
    [1, 0, 0, 0, 0, 1]
    """
    lost = (as_input + as_target == 0).astype(int)
    most = max(1, int(as_input.max()), int(as_target.max()))
    roles = (("input", "token", as_input, most), ("target", "target", as_target, most), ("lost", "error", lost, 1))
    uses = [
        {
            "place": start + i,
            "use": use,
            "idea": idea,
            "times": int(times[i]),
            "strength": float(times[i] / strongest),
            "token": labels[i],
        }
        for use, idea, times, strongest in roles
        for i in range(len(labels))
    ]
    return Plot(_coverage_look(), {"uses": rows_table(uses)})
