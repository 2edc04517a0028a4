"""Rows of a table that move while they learn: the same flat map for every step, and a slider over the steps."""

from collections.abc import Sequence
from functools import lru_cache

import altair as alt
import numpy as np

from components.charts.columns import arrow_table
from components.charts.flat import flat_axes, flat_params
from components.charts.palette import color_by_idea
from components.charts.plot import LOOKS_KEPT, Plot, named

HEIGHT = 420
ROOM = 1.15


@lru_cache(LOOKS_KEPT)
def _look() -> dict:
    x, y = flat_axes("direction 1", "direction 2")
    tooltip = ["row:N", "step:Q", alt.Tooltip("x:Q", format=".2f"), alt.Tooltip("y:Q", format=".2f")]
    frames = named("film").transform_filter("datum.step <= at && at <= datum.until")
    paths = frames.mark_rule(strokeWidth=1, opacity=0.5, aria=False).encode(x, y, color_by_idea(), x2="x0:Q", y2="y0:Q")
    starts = frames.mark_point(size=40, filled=False, opacity=0.7)
    starts = starts.encode(x="x0:Q", y="y0:Q", color=color_by_idea("start"), description="origin:N")
    points = frames.mark_point(size=60, filled=True, opacity=1).encode(
        x, y, color_by_idea(), tooltip=tooltip, description="reading:N"
    )
    names = frames.mark_text(align="left", dx=7, fontSize=12, aria=False).encode(
        x, y, color_by_idea("letters"), text="row:N"
    )
    return alt.layer(paths, starts, points, names).properties(height=HEIGHT).to_dict()


def film_chart(names: Sequence[str], ideas: Sequence[str], steps: Sequence[int], points: np.ndarray) -> Plot:
    """Return rows at `points` [frames, rows, 2], one frame at a time: that of the step which the slider stands on.

    A hollow point is where a row began, and the line from it how far it has come. A frame stands until the next one.

    >>> plot = film_chart(["a"], ["token"], [0, 4], np.zeros((2, 1, 2)))
    >>> plot.data["film"]["until"].to_pylist()
    [3, 4]
    """
    frames, rows, _ = points.shape
    points = points.astype(float).round(4)
    last = max(1, steps[-1])  # a slider needs two ends
    until = [step - 1 for step in steps[1:]] + [last]
    x, y = points[:, :, 0].ravel(), points[:, :, 1].ravel()
    columns = {
        "row": [*names] * frames,
        "step": np.repeat(np.array(steps), rows),
        "until": np.repeat(np.array(until), rows),
        "x": x,
        "y": y,
        "x0": np.tile(points[0, :, 0], frames),
        "y0": np.tile(points[0, :, 1], frames),
        "idea": [*ideas] * frames,
        "start": ["neutral"] * (frames * rows),
        "letters": ["letters"] * (frames * rows),
        "origin": [f"start of {name}" for name in names] * frames,
        "reading": [
            f"{name} at {a:.2f}, {b:.2f} after step {step}"
            for step, frame in zip(steps, points.tolist(), strict=True)
            for name, (a, b) in zip(names, frame, strict=True)
        ],
    }
    slider = {"input": "range", "min": 0, "max": last, "step": 1, "name": "step "}
    params = [*flat_params(points.reshape(-1, 2), ROOM), {"name": "at", "value": steps[-1], "bind": slider}]
    return Plot({**_look(), "params": params}, {"film": arrow_table(columns)})
