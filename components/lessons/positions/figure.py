"""The figure of the lesson on positions: the table as stripes, how alike its rows are, and one row as hands or bars."""

import math
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from components.base.limits import MAX_CONTEXT_LENGTH
from components.base.settings import Settings
from components.caches.tables import shared_learned_positions
from components.caches.trained import gpt2_positions
from components.embedding.positions import sinusoidal_positions
from components.figures.cells import FULL_COLOR, full_color, number
from components.figures.drawing import Figure, Slider, draw
from components.figures.pager import pager
from components.figures.raster import raster
from components.lessons.positions.choices import SHOWN

COLUMNS = 64
HANDS, HANDS_IN_ROW = 9, 3
TOP, ROW, HEIGHT = 62, 2, 376  # units: of both blocks, of a position, of the figure
OTHERS = (1, 3, 10, 50)  # distances of the positions that the read-out compares


def shown_positions(settings: Settings) -> Float[Tensor, "128 D"]:
    """Return 128 rows: those of the position embedding table [T, D], and below them the ones of a longer table."""
    T, D = settings.context_length, settings.dim
    if settings.position == "sinusoidal":
        return sinusoidal_positions(SHOWN, D, settings.layout)
    if settings.trained:
        return gpt2_positions()[:SHOWN]
    table, longer = (
        shared_learned_positions(length, D, settings.vocab_size, settings.seed) for length in (T, max(T, SHOWN))
    )
    return torch.cat([table, longer[T:]])[:SHOWN]


def positions_figure(
    P: Tensor, cosines: Tensor, T: int, settings: Settings, at: int, masked: bool, first: int = 0
) -> Figure:
    """Return the figure of position embeddings P [128, D] and their similarities [128, 128]; row `at` is followed.

    A batch uses the first T. What is alike is masked until the learner has predicted it. Of a wide table the columns
    from `first` on are shown.
    """
    D, kind, trained = P.shape[1], settings.position, settings.trained and settings.position == "learned"
    first = max(0, min(first, D - COLUMNS))
    full = 1.0 if kind == "sinusoidal" else full_color(settings.trained, P)
    compared = [at + step if at + step < SHOWN else at - step for step in OTHERS]
    others = [(other, number(cosines[at, other].item())) for other in compared]
    parts = row_parts(P[at].tolist(), settings, first, full / FULL_COLOR)
    drawing = draw(
        "lessons/positions/figure.svg.j2",
        top=TOP,
        pitch=ROW,
        rows=SHOWN,
        in_row=HANDS_IN_ROW,
        D=D,
        T=T,
        n_used=min(T, SHOWN),
        at=at,
        table=_image(P[:, first : first + COLUMNS].numpy().tobytes(), min(D, COLUMNS), full),
        alike=_image(cosines.numpy().tobytes(), SHOWN, 1.0),
        columns=min(D, COLUMNS),
        first=first,
        trained=trained,
        all_rows=MAX_CONTEXT_LENGTH,
        turn=pager("position_column", range(first, first + COLUMNS), D, "columns") if settings.trained else None,
        masked=masked,
        kind=kind,
        parts=parts,
        others=others,
    )
    reading = f"Position {at} of {SHOWN}, D = {D}, {kind}. Its row: {'; '.join(part['name'] for part in parts)}."
    if not masked:
        reading += " Cosine similarity " + ", ".join(f"with position {other}: {cosine}" for other, cosine in others)
    slider = Slider("at", "Position", at, SHOWN - 1)
    return Figure(drawing, reading, HEIGHT, lit=parts[0]["part"], slider=slider)


def row_parts(row: Sequence[float], settings: Settings, first: int = 0, std: float = 1.0) -> list[dict]:
    """Return up to nine parts of a row [D]: pairs as clock hands, spread over all frequencies, or numbers as bars.

    The full length of a bar is three standard deviations, each `std`; the bars are those from column `first` on.
    """
    D = len(row)
    groups = [(d,) for d in range(first, min(D, first + HANDS))]
    if settings.position == "sinusoidal":
        pairs = sorted({round(n) for n in np.linspace(0, math.ceil(D / 2) - 1, HANDS)})
        groups = [pair_columns(pair, D, settings.layout) for pair in pairs]
    parts = []
    for columns in groups:
        label, values = ", ".join(map(str, columns)), [row[d] for d in columns]
        name = f"column{'s' if len(columns) > 1 else ''} {label}: {', '.join(map(number, values))}"
        part = {"part": str(columns[0]), "label": label, "name": name, "columns": columns}
        part |= {"bar": max(-1.0, min(1.0, values[0] / (3 * std))), "sine": values[0], "cosine": (*values, 0.0)[1]}
        parts.append(part)
    return parts


def pair_columns(pair: int, D: int, layout: str) -> tuple[int, ...]:
    """Return the columns of a pair's sine and cosine; for an odd D the last sine has no cosine.

    >>> pair_columns(1, 6, "interleaved"), pair_columns(1, 6, "halves"), pair_columns(2, 5, "halves")
    ((2, 3), (1, 4), (2,))
    """
    sine, cosine = (2 * pair, 2 * pair + 1) if layout == "interleaved" else (pair, math.ceil(D / 2) + pair)
    return (sine, cosine) if cosine < D else (sine,)


@lru_cache(32)
def _image(numbers: bytes, columns: int, full: float) -> tuple[str, ...]:
    return raster(np.frombuffer(numbers, np.float32).reshape(-1, columns), full)
