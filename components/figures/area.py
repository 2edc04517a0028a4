"""A rectangle of a figure, and points that are drawn in it."""

from typing import NamedTuple

import numpy as np


class Area(NamedTuple):
    """A rectangle in units of the figure."""

    left: float
    top: float
    right: float
    bottom: float

    def contain(self, points: np.ndarray, margin: float) -> np.ndarray:
        """Return points [..., 2] in units, `margin` or more from the edges; y points up, and both axes have one scale.

        >>> Area(0, 0, 100, 60).contain(np.array([[0.0, 0.0], [2.0, 1.0]]), margin=10).tolist()
        [[10.0, 50.0], [90.0, 10.0]]
        """
        low, high = (edge(points.reshape(-1, 2), axis=0) for edge in (np.min, np.max))
        size = np.array([self.right - self.left, self.bottom - self.top])
        scale = ((size - 2 * margin) / np.maximum(high - low, 1e-9)).min()
        center = np.array([self.left, self.top]) + size / 2
        return center + (points - (low + high) / 2) * np.array([scale, -scale])
