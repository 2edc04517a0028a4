"""The axes of a 2-D projection: a unit has the same length on both, whatever the width of the page.

Otherwise angles would be wrong. Center and extent of the points are parameters of the chart, so that its specification
does not change when the points do.
"""

from typing import Any

import altair as alt
import numpy as np


def flat_axes(x_title: str, y_title: str) -> tuple[alt.X, alt.Y]:
    """Return the encodings of the fields x and y."""

    def look(title: str, middle: str, half: str) -> dict[str, Any]:
        ends = {"domainMin": alt.expr(f"{middle} - {half}"), "domainMax": alt.expr(f"{middle} + {half}")}
        return {"title": title, "axis": alt.Axis(tickCount=5), "scale": alt.Scale(**ends, nice=False, zero=False)}

    x = alt.X("x:Q", **look(x_title, "middle_x", "max(half_y * width / height, half_x)"))
    return x, alt.Y("y:Q", **look(y_title, "middle_y", "max(half_y, half_x * height / width)"))


def flat_params(points: np.ndarray, margin: float) -> list[dict[str, Any]]:
    """Return the parameters that frame `points` [n, 2] in `margin` times the space that they take."""
    low, high = points.min(axis=0), points.max(axis=0)
    half, middle = np.maximum((high - low) / 2 * margin, 0.01), (low + high) / 2
    frame = {"middle_x": middle[0], "middle_y": middle[1], "half_x": half[0], "half_y": half[1]}
    return [{"name": name, "value": float(value)} for name, value in frame.items()]
