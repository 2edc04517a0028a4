"""The figure of all learned positions: their path in a plane, and how alike they are, beside the sinusoidal ones."""

from collections.abc import Sequence

import numpy as np

from components.embedding.gpt2 import Helix
from components.figures.drawing import Figure, draw
from components.figures.raster import raster

TOP, SIZE, BELOW = 62, 240, 30  # units
NARROW = 262  # on a narrow screen the three parts are one below the other
EVERY = 4  # positions between the points of the path
NAMED = 256  # positions between those that are named
MARGIN = 1.15  # of the plane around the points


def helix_figure(found: Helix, alike: Sequence[np.ndarray], T: int) -> Figure:
    """Return the figure of positions on two principal components, and of two similarity matrices."""
    points = found.points[:, list(found.plane)].numpy()
    largest = MARGIN * float(np.abs(points).max()) or 1.0
    points_drawn = [
        (n + 1, round(SIZE / 2 * (1 + x / largest), 1), round(SIZE / 2 * (1 - y / largest), 1))
        for n, (x, y) in enumerate(points)
    ]
    drawing = draw(
        "lessons/positions/helix.svg.j2",
        top=TOP,
        size=SIZE,
        down=TOP + SIZE + BELOW,
        path=[point for point in points_drawn if point[0] % EVERY == 0],
        named=[point for point in points_drawn if point[0] % NAMED == 0],
        plane=[component + 1 for component in found.plane],
        images=[raster(each, 1.0) for each in alike],
        T=T,
    )
    named = "; ".join(f"position {t} at {x:.0f}, {y:.0f}" for t, x, y in points_drawn if t % NAMED == 0)
    middle = len(alike[0]) // 2
    near, far = ([float(each[middle, middle + 1]), float(each[middle, -1])] for each in alike)
    reading = (
        f"{T} learned positions in the plane of their principal components {found.plane[0] + 1} and "
        f"{found.plane[1] + 1}: {named}. How alike, learned and sinusoidal: middle and next shown position "
        f"{near[0]:.2f} and {far[0]:.2f}, middle and last {near[1]:.2f} and {far[1]:.2f}."
    )
    height = TOP + SIZE + BELOW
    return Figure(drawing, reading, height, narrow=(NARROW, 3 * height))
