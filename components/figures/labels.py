"""Points on a map, and where their names fit, frame by frame, so that no name covers a point or another name."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

NAME_HEIGHT, RADIUS = 20, 6  # of a name, of a point
LARGEST_NAME = 16.2  # font size in presentation mode, where that of small text grows
CLEARANCE = 5  # around the other points, so that no name seems to be theirs
LINE_POINTS = 64  # of a line that names leave free
GAPS = (3, 14, 28, 44, 62)  # between a point and its name
SIDES = np.array([(1, 0), (-1, 0), (0, -1), (0, 1), (1, -1), (-1, -1), (1, 1), (-1, 1)])


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


def place_labels(
    points: np.ndarray,
    widths: Sequence[float],
    first: Sequence[Sequence[bool]],
    area: Area,
    joined: Sequence[tuple[int, int]] = (),
) -> np.ndarray:
    """Return the center of each name for points [frames, rows, 2]; NaN if there is no room for it.

    A name is as near to its point as it can be, on the same side as in the frame before if there is room. Those that
    are `first` [frames, rows] have priority. If there is room, no name covers a line between rows that are `joined`.

    >>> place_labels(np.array([[[50.0, 50.0], [64.0, 50.0]]]), [10, 10], [[False, True]], Area(0, 0, 99, 99)).tolist()
    [[[36.0, 50.0], [78.0, 50.0]]]
    >>> place_labels(np.array([[[25.0, 11.0], [33.0, 11.0]]]), [10, 10], [[False, True]], Area(20, 0, 60, 22)).tolist()
    [[[nan, nan], [47.0, 11.0]]]
    """
    centers, sides = np.full(points.shape, np.nan), [0] * len(widths)
    for frame, has_priority, found in zip(points, first, centers, strict=True):
        dots = _boxes(frame, 2 * (RADIUS + CLEARANCE), 2 * (RADIUS + CLEARANCE))
        lines = [np.linspace(frame[one], frame[other], LINE_POINTS) for one, other in joined]
        crossed = _boxes(np.concatenate([np.empty((0, 2)), *lines]), CLEARANCE, CLEARANCE)
        placed = np.empty((0, 4))
        for n in sorted(range(len(widths)), key=lambda n: not has_priority[n]):
            reach = np.array([widths[n], NAME_HEIGHT]) / 2 + RADIUS
            possible = frame[n] + np.stack([SIDES * (reach + gap) for gap in GAPS])  # [gaps, sides, 2]
            boxes, taken = _boxes(possible, widths[n], NAME_HEIGHT), np.vstack([np.delete(dots, n, axis=0), placed])
            inside = (boxes[..., :2] > area[:2]) & (boxes[..., 2:] < area[2:])
            free = inside.all(axis=-1) & ~_cover(boxes, taken)  # [gaps, sides]
            clear = free & ~_cover(boxes, crossed)
            free = clear if clear.any() else free
            if free.any():
                gap = free.any(axis=1).argmax()
                sides[n] = sides[n] if free[gap, sides[n]] else free[gap].argmax()
                found[n] = possible[gap, sides[n]]
                placed = np.vstack([placed, boxes[gap, sides[n]]])
    return centers


def name_moves(points: np.ndarray, centers: np.ndarray, widths: Sequence[float]) -> list[list[str]]:
    """Return for each of `points` [frames, rows, 2] the positions of its name, which has these centers."""
    return [
        [name_move(*each, width) for each in zip(points[:, n], centers[:, n], strict=True)]
        for n, width in enumerate(widths)
    ]


def name_move(dot: np.ndarray, name: np.ndarray, width: float) -> str:
    """Return the position of a name: its "x,y", after that of its dot and L if a line is to join them.

    >>> name_move(np.array([50.0, 50.0]), np.array([79.0, 50.0]), width=40)
    '79,50'
    >>> name_move(np.array([50.0, 50.0]), np.array([50.0, 69.0]), width=40)
    '50,69'
    >>> name_move(np.array([50.0, 50.0]), np.array([90.0, 50.0]), width=40)
    '50,50L90,50'
    """
    if np.isnan(name).any():
        return "-99,-99"  # no room: outside
    apart, half = np.abs(name - dot), np.array([width, NAME_HEIGHT]) / 2
    beside = (apart < half + RADIUS + GAPS[0] + 0.1).all() and apart.min() < 0.1  # or right above or below it
    return point(name, 0) if beside else f"{point(dot, 0)}L{point(name, 0)}"


def point(xy: Sequence[float], digits: int = 1) -> str:
    """Return a point with one decimal.

    >>> point([1.25, 3.0])
    '1.2,3'
    """
    return ",".join(f"{value:.{digits}f}".removesuffix(".0") for value in xy)


def _cover(boxes: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Return whether each of `boxes` [..., 4] covers a part of one of the others [others, 4]."""
    left, top, right, bottom = np.moveaxis(boxes[..., None, :], -1, 0)
    lefts, tops, rights, bottoms = others.T
    across, down = (left < rights) & (lefts < right), (top < bottoms) & (tops < bottom)
    return (across & down).any(axis=-1)


def _boxes(centers: np.ndarray, width: float, height: float) -> np.ndarray:
    """Return the left, top, right and bottom edges of rectangles with these centers [..., 4]."""
    half = np.array([width, height]) / 2
    return np.concatenate([centers - half, centers + half], axis=-1)
