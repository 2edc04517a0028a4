"""How the points of an analogy are drawn obliquely: the plane of the inputs as a floor, the answer above it."""

import math

import numpy as np

from components.figures.labels import Area
from components.vectors.analogy_space import AnalogySpace

AREA = Area(24, 64, 324, 286)  # of the drawing
# How far right and up one unit of each axis is drawn: the second leads to the back, the third up.
AXES = np.array([[1.0, 0.0], [0.5, 0.42], [0.0, 1.0]])
MARGIN = 0.1  # of the plane around its points, as a share of its longer side
HEAD = 9  # of an arrow

Drawn = tuple[float, float]  # x and y in the figure


def oblique(space: AnalogySpace) -> tuple[str, list[Drawn]]:
    """Return the corners of the plane, and where a, b, c, the answer, the sum and the foot of the answer are drawn."""
    floor = np.stack([space.a, space.b, space.c, space.sum, space.foot])[:, :2]
    low, high = floor.min(axis=0), floor.max(axis=0)
    margin = MARGIN * max(high - low)
    (left, front), (right, back) = low - margin, high + margin
    corners = (left, front, 0.0), (right, front, 0.0), (right, back, 0.0), (left, back, 0.0)
    points = np.stack([*corners, space.a, space.b, space.c, space.answer, space.sum, space.foot])
    drawn = [(round(x, 1), round(y, 1)) for x, y in AREA.contain(points @ AXES, margin=0).tolist()]
    return " ".join(f"{x},{y}" for x, y in drawn[:4]), drawn[4:]


def arrow(start: Drawn, end: Drawn, gap: float = 10) -> tuple[str, str]:
    """Return the paths of an arrow: its line, and its head, which ends `gap` before the end.

    >>> arrow((0.0, 0.0), (20.0, 0.0), 0)
    ('M0.0 0.0L12.8 0.0', 'M20.0 0.0L11.0 4.0L11.0 -4.0Z')
    >>> arrow((0.0, 0.0), (1.0, 0.0))
    ('', '')
    """
    (x1, y1), (x2, y2) = start, end
    length = math.hypot(x2 - x1, y2 - y1)
    if length <= gap + HEAD:
        return "", ""
    dx, dy = (x2 - x1) / length, (y2 - y1) / length
    tip_x, tip_y = x2 - gap * dx, y2 - gap * dy
    back_x, back_y = tip_x - HEAD * dx, tip_y - HEAD * dy
    line = f"M{x1:.1f} {y1:.1f}L{tip_x - 0.8 * HEAD * dx:.1f} {tip_y - 0.8 * HEAD * dy:.1f}"
    sides = "".join(f"L{back_x - side * dy:.1f} {back_y + side * dx:.1f}" for side in (4, -4))
    return line, f"M{tip_x:.1f} {tip_y:.1f}{sides}Z"


def open_arrow(start: Drawn, end: Drawn, gap: float = 0) -> str:
    """Return the path of an arrow as strokes, up to `gap` before the end; the head is at most as long as the arrow.

    >>> open_arrow((0.0, 0.0), (30.0, 0.0)), open_arrow((5.0, 5.0), (5.0, 5.0))
    ('M0.0 0.0L30.0 0.0M22.0 5.0L30.0 0.0L22.0 -5.0', '')
    """
    (x1, y1), (x2, y2) = start, end
    distance = math.hypot(x2 - x1, y2 - y1)
    if distance <= gap:
        return ""
    dx, dy = (x2 - x1) / distance, (y2 - y1) / distance
    head, x2, y2 = min(8.0, distance - gap), x2 - gap * dx, y2 - gap * dy
    (xa, ya), (xb, yb) = ((x2 - head * (dx + side * dy), y2 - head * (dy - side * dx)) for side in (0.625, -0.625))
    return f"M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}M{xa:.1f} {ya:.1f}L{x2:.1f} {y2:.1f}L{xb:.1f} {yb:.1f}"
