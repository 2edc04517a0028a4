"""Large blocks of numbers as two images, of the positive and the negative amounts: masks of the theme's colors."""

from base64 import b64encode
from io import BytesIO

import numpy as np
from PIL import Image

from components.figures.cells import EXPONENT

LEVELS = 31  # of a color: more cannot be distinguished, and make the file larger


def raster(values: np.ndarray, full: float) -> tuple[str, ...]:
    """Return the positive and the negative numbers of [rows, columns] as images: grayscale PNG, as data URLs.

    A pixel is white for a number of the size `full` or more, and black for 0.
    """
    share = (np.clip(np.nan_to_num(values) / full, -1, 1)).astype(np.float64)
    images = []
    for amounts in (share, -share):
        levels = (LEVELS * np.maximum(amounts, 0) ** EXPONENT).round() * (255 / LEVELS)
        file = BytesIO()
        Image.fromarray(levels.astype(np.uint8), "L").save(file, "PNG", compress_level=1)
        images.append(f"data:image/png;base64,{b64encode(file.getvalue()).decode()}")
    return tuple(images)
