"""Where the names of points fit on a map, frame by frame, so that no name covers a point or another name."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from components.figures.cells import CHARACTER

SIZE, LINE, GAP, RADIUS = 14, 16, 9, 6  # of the letters, a line, from a point to its name, of a point


class Box(NamedTuple):
    """A rectangle in units of the figure."""

    left: float
    top: float
    right: float
    bottom: float

    def overlaps(self, other: "Box") -> bool:
        """Return whether two rectangles have a common area.

        >>> Box(0, 0, 2, 2).overlaps(Box(1, 1, 3, 3)), Box(0, 0, 2, 2).overlaps(Box(2, 0, 3, 2))
        (True, False)
        """
        return (
            self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom
        )


class Label(NamedTuple):
    """A name beside a point: its side (1 is right, -1 left), whether it is of the batch, and the steps that show it."""

    side: int
    in_batch: bool
    steps: str


def place_labels(
    points: np.ndarray, names: Sequence[str], in_batch: Sequence[Sequence[bool]], steps: Sequence[int], area: Box
) -> list[list[Label]]:
    """Return the labels of each row for points [frames, rows, 2]; rows of the batch have priority.

    >>> place_labels(np.array([[[50.0, 50.0], [54.0, 50.0]]]), ["a", "b"], [[False, True]], [3], Box(0, 0, 99, 99))
    [[Label(side=-1, in_batch=False, steps='3')], [Label(side=1, in_batch=True, steps='3')]]
    """
    found: list[dict[tuple[int, bool], list[int]]] = [{} for _ in names]
    for step, frame, lit in zip(steps, points.tolist(), in_batch, strict=True):
        dots = [Box(x - RADIUS, y - RADIUS, x + RADIUS, y + RADIUS) for x, y in frame]
        placed: list[Box] = []
        for n in sorted(range(len(names)), key=lambda n: not lit[n]):
            for side in (1, -1):
                box = name_box(*frame[n], side, names[n])
                inside = area.left < box.left and box.right < area.right
                if inside and not any(map(box.overlaps, placed)) and not _covered(box, dots, n):
                    placed.append(box)
                    found[n].setdefault((side, lit[n]), []).append(step)
                    break
    return [[Label(*key, " ".join(map(str, shown))) for key, shown in each.items()] for each in found]


def _covered(box: Box, dots: Sequence[Box], own: int) -> bool:
    return any(box.overlaps(dot) for n, dot in enumerate(dots) if n != own)


def name_box(x: float, y: float, side: int, name: str) -> Box:
    """Return the rectangle of a name beside a point.

    >>> name_box(0, 0, side=-1, name="ab")
    Box(left=-25.8, top=-8.0, right=-9, bottom=8.0)
    """
    near, far = sorted([x + side * GAP, x + side * (GAP + CHARACTER * SIZE * len(name))])
    return Box(near, y - LINE / 2, far, y + LINE / 2)
