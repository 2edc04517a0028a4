"""Large blocks of numbers as two images, of the positive and the negative amounts: masks of the theme's colors."""

from base64 import b64encode
from io import BytesIO
from typing import NamedTuple

import numpy as np
from PIL import Image

from components.figures.cells import EXPONENT

LEVELS = 31  # of a color: more cannot be told apart, and make the file larger


class Raster(NamedTuple):
    """Two greyscale PNG images as data URLs: white has the full color, black none."""

    positive: str
    negative: str


def raster(values: np.ndarray, full: float) -> Raster:
    """Return numbers [rows, columns] as images, one pixel each, on a scale on which `full` has the full color.

    >>> raster(np.array([[1.0, -0.5]]), full=1.0).positive[:30]
    'data:image/png;base64,iVBORw0K'
    """
    share = (np.clip(np.nan_to_num(values) / full, -1, 1)).astype(np.float64)
    return Raster(*(_png(np.maximum(sign * share, 0) ** EXPONENT) for sign in (1, -1)))


def _png(amounts: np.ndarray) -> str:
    file = BytesIO()
    levels = (LEVELS * amounts).round() * (255 / LEVELS)
    Image.fromarray(levels.astype(np.uint8), "L").save(file, "PNG", optimize=True)
    return f"data:image/png;base64,{b64encode(file.getvalue()).decode()}"
