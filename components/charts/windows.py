"""Windows over a text: inputs above targets, and what each token is used for."""

from collections.abc import Sequence

import altair as alt
import numpy as np
import pandas as pd

from components.charts.palette import color_by_idea, stroke_by_idea

MAX_WINDOWS = 6
MAX_TOKENS = 16


def shift_chart(windows: Sequence[int], inputs: list[list[str]], targets: list[list[str]]) -> alt.LayerChart:
    """Return inputs and targets of some windows, each token in the column of its place, so that the shift shows.

    `inputs` and `targets` are labels [n, T]; at most MAX_WINDOWS windows of MAX_TOKENS tokens are drawn.
    """
    rows = [
        {"row": f"window {n} {role}", "place": t + moved, "role": idea, "letters": "letters", "token": label}
        for n, given, wanted in list(zip(windows, inputs, targets, strict=True))[:MAX_WINDOWS]
        for role, idea, labels, moved in (("input", "token", given, 0), ("target", "target", wanted, 1))
        for t, label in enumerate(labels[:MAX_TOKENS])
    ]
    data = pd.DataFrame(rows)
    base = alt.Chart(data).encode(
        x=alt.X("place:O", title="place in the window", axis=alt.Axis(labelAngle=0, orient="top")),
        y=alt.Y("row:N", sort=None, title=None, axis=alt.Axis(labelLimit=150, labelFlush=False)),
        tooltip=["row", "place", "token"],
    )
    boxes = base.mark_rect(cornerRadius=4, opacity=0.28, strokeWidth=1.5).encode(
        color=color_by_idea("role"), stroke=stroke_by_idea("role")
    )
    letters = base.mark_text(limit=90, fontSize=12).encode(text="token:N", color=color_by_idea("letters"))
    return alt.layer(boxes, letters).properties(height=alt.Step(26))


def coverage_chart(as_input: np.ndarray, as_target: np.ndarray, labels: Sequence[str], start: int = 0) -> alt.Chart:
    """Return how often each token is an input and a target, and which are lost; all three are [tokens].

    `start` is the place of the first token shown in the whole text.
    """
    lost = (as_input + as_target == 0).astype(int)
    roles = (("input", "token", as_input), ("target", "target", as_target), ("lost", "error", lost))
    data = pd.DataFrame(
        [
            {"place": start + i, "use": use, "idea": idea, "times": int(times[i]), "token": labels[i]}
            for use, idea, times in roles
            for i in range(len(labels))
        ]
    )
    base = alt.Chart(data).encode(
        x=alt.X("place:O", title="place of the token in the text", axis=alt.Axis(labelAngle=0, labelOverlap=True)),
        y=alt.Y("use:N", sort=None, title=None, axis=alt.Axis(labelFlush=False)),
        tooltip=["place", "token", "use", "times"],
    )
    strength = alt.Scale(domain=[0, max(1, int(data.times.max()))], range=[0.06, 0.9])
    boxes = base.mark_rect(stroke=None).encode(
        color=color_by_idea(),
        opacity=alt.Opacity("times:Q", scale=strength, legend=None),
    )
    return boxes.properties(height=alt.Step(30))
