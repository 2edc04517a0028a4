"""The figure of the lesson on positions: the table as stripes, how alike its rows are, and one row as hands or bars."""

import math
from functools import lru_cache

import numpy as np
from torch import Tensor

from components.base.settings import Settings
from components.figures.cells import number
from components.figures.drawing import Figure, Slider, draw
from components.figures.raster import Raster, raster
from components.lessons.positions.rows import SHOWN

COLUMNS = 64
HANDS, HANDS_IN_ROW = 9, 3
TOP, ROW, HEIGHT = 62, 2, 376  # units: of both blocks, of a position, of the figure
FULL = {"sinusoidal": 1.0, "learned": 2.2}
OTHERS = (1, 3, 10, 50)  # distances of the positions that the read-out compares


def positions_figure(P: Tensor, cosines: Tensor, T: int, settings: Settings, at: int, masked: bool) -> Figure:
    """Return the figure of position embeddings P [128, D] and their similarities [128, 128]; row `at` is followed.

    A batch uses the first T. What is alike is masked until the learner has predicted it.
    """
    D, kind = P.shape[1], settings.position
    others = [at + step if at + step < SHOWN else at - step for step in OTHERS]
    parts = hands(P[at], settings.layout) if kind == "sinusoidal" else bars(P[at])
    for part in parts:
        part["name"] = f"column{'s' if ',' in part['label'] else ''} {part['label']}"
    drawing = draw(
        "lessons/positions/figure.svg.j2",
        top=TOP,
        pitch=ROW,
        rows=SHOWN,
        in_row=HANDS_IN_ROW,
        D=D,
        T=min(T, SHOWN),
        at=at,
        table=_image(P[:, :COLUMNS].numpy().tobytes(), min(D, COLUMNS), FULL[kind]),
        alike=_image(cosines.numpy().tobytes(), SHOWN, 1.0),
        columns=min(D, COLUMNS),
        masked=masked,
        kind=kind,
        parts=parts,
        others=[(other, number(cosines[at, other].item())) for other in others],
    )
    compared = (
        ""
        if masked
        else " Cosine similarity "
        + ", ".join(f"with position {other}: {number(cosines[at, other].item())}" for other in others)
    )
    names = ", ".join(f"{part['label']}: {part['value']}" for part in parts)
    reading = f"Position {at} of {SHOWN}, D = {D}, {kind}. Its row: {names}.{compared}"
    slider = Slider("at", "Position", at, SHOWN - 1)
    return Figure(drawing, reading, HEIGHT, lit=parts[0]["part"], slider=slider)


def hands(row: Tensor, layout: str) -> list[dict]:
    """Return up to nine pairs of sine and cosine of a row [D] as clock hands, spread over all frequencies."""
    n_sines = math.ceil(len(row) / 2)
    found = []
    for pair in sorted({round(n) for n in np.linspace(0, n_sines - 1, HANDS)}):
        a, b = (2 * pair, 2 * pair + 1) if layout == "interleaved" else (pair, n_sines + pair)
        sine, cosine = row[a].item(), row[b].item() if b < len(row) else 0.0
        label = f"{a}, {b}" if b < len(row) else f"{a}"
        value = f"{number(sine)}, {number(cosine)}" if b < len(row) else number(sine)
        found.append(
            {"part": str(a), "label": label, "value": value, "sine": sine, "cosine": cosine, "columns": (a, b)}
        )
    return found


def bars(row: Tensor) -> list[dict]:
    """Return the first nine numbers of a row [D] as bars, whose full length is three standard deviations."""
    return [
        {"part": str(d), "label": str(d), "value": number(v), "bar": max(-1.0, min(1.0, v / 3)), "columns": (d,)}
        for d, v in enumerate(row[:HANDS].tolist())
    ]


@lru_cache(32)
def _image(numbers: bytes, columns: int, full: float) -> Raster:
    return raster(np.frombuffer(numbers, np.float32).reshape(-1, columns), full)
