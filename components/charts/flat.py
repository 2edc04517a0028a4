"""The axes of a flat map: one unit is as long across as it is up, whatever the width of the page.

Else no angle on the map would be true. The middle and the reach of the points are parameters of the chart, so that its
look stays the same when they move.
"""

from typing import Any

import altair as alt
import numpy as np

ACROSS = "max(half_y * width / height, half_x)"
UP = "max(half_y, half_x * height / width)"


def flat_axes(first: str, second: str) -> tuple[alt.X, alt.Y]:
    """Return the encodings of the fields x and y, titled `first` and `second`.

    >>> flat_axes("direction 1", "direction 2")[0].to_dict()["title"]
    'direction 1'
    """

    def between(middle: str, half: str) -> alt.Scale:
        low, high = alt.expr(f"{middle} - {half}"), alt.expr(f"{middle} + {half}")
        return alt.Scale(domainMin=low, domainMax=high, nice=False, zero=False)

    x = alt.X("x:Q", title=first, axis=alt.Axis(tickCount=5), scale=between("middle_x", ACROSS))
    return x, alt.Y("y:Q", title=second, axis=alt.Axis(tickCount=5), scale=between("middle_y", UP))


def flat_params(points: np.ndarray, room: float) -> list[dict[str, Any]]:
    """Return the parameters that frame `points` [n, 2], with `room` times as much space as they take.

    >>> [param["value"] for param in flat_params(np.array([[0.0, 0.0], [2.0, 4.0]]), room=1.5)]
    [1.0, 2.0, 1.5, 3.0]
    """
    low, high = points.min(axis=0), points.max(axis=0)
    half, middle = np.maximum((high - low) / 2 * room, 0.01), (low + high) / 2
    frame = {"middle_x": middle[0], "middle_y": middle[1], "half_x": half[0], "half_y": half[1]}
    return [{"name": name, "value": float(value)} for name, value in frame.items()]
