"""The axes of a 2-D projection: a unit has the same length on both, whatever the width of the page.

Otherwise angles would be wrong. Centre and extent of the points are parameters of the chart, so that its specification
does not change when the points do.
"""

from typing import Any

import altair as alt
import numpy as np

HALF_X_SHOWN = "max(half_y * width / height, half_x)"
HALF_Y_SHOWN = "max(half_y, half_x * height / width)"


def flat_axes(x_title: str, y_title: str) -> tuple[alt.X, alt.Y]:
    """Return the encodings of the fields x and y.

    >>> flat_axes("direction 1", "direction 2")[0].to_dict()["title"]
    'direction 1'
    """

    def scale(middle: str, half: str) -> alt.Scale:
        low, high = alt.expr(f"{middle} - {half}"), alt.expr(f"{middle} + {half}")
        return alt.Scale(domainMin=low, domainMax=high, nice=False, zero=False)

    x = alt.X("x:Q", title=x_title, axis=alt.Axis(tickCount=5), scale=scale("middle_x", HALF_X_SHOWN))
    return x, alt.Y("y:Q", title=y_title, axis=alt.Axis(tickCount=5), scale=scale("middle_y", HALF_Y_SHOWN))


def flat_params(points: np.ndarray, margin: float) -> list[dict[str, Any]]:
    """Return the parameters that frame `points` [n, 2] in `margin` times the space that they take.

    >>> [param["value"] for param in flat_params(np.array([[0.0, 0.0], [2.0, 4.0]]), margin=1.5)]
    [1.0, 2.0, 1.5, 3.0]
    """
    low, high = points.min(axis=0), points.max(axis=0)
    half, middle = np.maximum((high - low) / 2 * margin, 0.01), (low + high) / 2
    frame = {"middle_x": middle[0], "middle_y": middle[1], "half_x": half[0], "half_y": half[1]}
    return [{"name": name, "value": float(value)} for name, value in frame.items()]
