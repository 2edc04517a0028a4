"""The figure of the lesson on positions: a clock and its columns, all pairs, the stripes, and how alike rows are."""

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from components.base.settings import Settings
from components.base.text_format import pluralize
from components.caches.tables import shared_learned_positions
from components.caches.trained import gpt2_positions
from components.downloads.gpt2 import RowFile, row_file
from components.embedding.positions import similarity, sinusoidal_positions
from components.figures.cells import cell, full_color, number
from components.figures.columns import pager, shown_rows
from components.figures.drawing import Figure, Slider, draw
from components.figures.raster import raster
from components.lessons.positions.choices import SHOWN

COLUMNS = 64
CLOCKS = 8
CAPTION = 7  # characters in the pitch of the clocks
TURNS = 8  # positions through which the first clock turns: a whole turn takes 2π
STAGES = ("pairs", "stripes", "alike")  # which the picture grows by, after the clock
OTHERS = (1, 3, 10, 50)  # distances of the positions that are compared
HEIGHT, NARROW_WIDTH, ABOVE = 376, 402, 16


class Kind(NamedTuple):
    """Position embeddings [128, D] of one kind, and their similarities [128, 128]."""

    rows: Float[Tensor, "128 D"]
    cosines: Float[Tensor, "128 128"]


def kinds_of(settings: Settings) -> dict[str, Kind]:
    """Return sinusoidal and learned position embeddings, 128 rows of each.

    Those of the learned table [T, D] are followed by the ones of a longer table; a trained table has them all.
    """
    T, D = settings.context_length, settings.dim
    if settings.trained:
        return _trained_kinds(row_file(), settings.layout)
    table, longer = (
        shared_learned_positions(length, D, settings.vocab_size, settings.seed) for length in (T, max(T, SHOWN))
    )
    return _kinds(torch.cat([table, longer[T:]])[:SHOWN], settings.layout)


@lru_cache(2)
def _trained_kinds(file: RowFile, layout: str) -> dict[str, Kind]:
    return _kinds(gpt2_positions()[:SHOWN], layout)


def _kinds(learned: Tensor, layout: str) -> dict[str, Kind]:
    rows = {"sinusoidal": sinusoidal_positions(*learned.shape, layout), "learned": learned}
    return {name: Kind(P, similarity(P)) for name, P in rows.items()}


def positions_figure(kinds: dict[str, Kind], settings: Settings, at: int, masked: bool, column: int) -> Figure:
    """Return the figure of both kinds of position embeddings; the row of position `at` is followed.

    What is alike is masked until the learner has predicted it; then the whole picture is lit. The stripes of a trained
    table, which is wide, begin with `column`.
    """
    P, D, T, used = kinds["sinusoidal"].rows, settings.dim, settings.context_length, settings.position
    shown = sorted({round(n) for n in np.linspace(0, math.ceil(D / 2) - 1, CLOCKS)})  # over all frequencies
    first, *_ = pairs = [pair_columns(pair, D, settings.layout) for pair in shown]
    titles = [f"column{'s' if len(pair) > 1 else ''} {', '.join(map(str, pair))}: " for pair in pairs]
    turns = [clock(P[t].tolist(), first, f"position {t}: ") for t in range(TURNS)]
    clocks = [clock(P[at].tolist(), pair, title) for pair, title in zip(pairs, titles, strict=True)]
    captions = [",".join(map(str, pair)) for pair in pairs]
    fits = max(map(len, captions)) <= CAPTION
    alike = {name: [(t, number(kind.cosines[at, t].item())) for t in compared_with(at)] for name, kind in kinds.items()}
    stripes = shown_rows(D, column if settings.trained else 0, COLUMNS)
    parts = [*map(str, range(TURNS)), *STAGES]
    names = stage_names(D, at, clocks, alike, masked)
    lit = parts[-1] if not masked else parts[at] if at < TURNS else STAGES[0]
    drawing = draw(
        "lessons/positions/figure.svg.j2",
        turns=turns,
        clocks=clocks,
        captions=[[each] if fits else each.replace(",", ", ").split() for each in captions],
        names=names,
        shown=lambda part: shown_with(parts, part, lit),
        kinds=[(name, images(name, kind, stripes, settings.trained), name == used) for name, kind in kinds.items()],
        trained=settings.trained,
        learned=settings.trained or used == "learned",
        stripes_from=stripes.start,
        turn=pager("position_column", stripes, D, "columns") if settings.trained else None,
        alike=alike,
        first=first,
        at=at,
        T=T,
        rows=SHOWN,
        masked=masked,
        down=HEIGHT + ABOVE,
    )
    reading = f"Positions with D = {D}. {'; '.join(turn['about'] for turn in turns)}; {'; '.join(names.values())}"
    return Figure(
        drawing,
        reading,
        HEIGHT,
        narrow=(NARROW_WIDTH, 2 * HEIGHT + ABOVE),
        lit=lit,
        slider=Slider("at", "Position", at, SHOWN - 1),
        play="Play",
    )


def compared_with(at: int) -> list[int]:
    """Return the positions that position `at` is compared with: later ones, or earlier ones if there are none."""
    return [at + step if at + step < SHOWN else at - step for step in OTHERS]


def shown_with(parts: list[str], part: str, lit: str) -> dict[str, str | bool]:
    """Return the parts with which a part is shown and those before it, and whether it is shown at first."""
    at = parts.index(part)
    return {"parts": " ".join(parts[at:]), "before": " ".join(parts[:at]), "lit": parts.index(lit) >= at}


def clock(row: Sequence[float], columns: Sequence[int], name: str) -> dict:
    """Return a pair of columns as a clock hand, which points at its sine to the right and its cosine upwards."""
    values = [row[d] for d in columns]
    about = name + ", ".join(f"{kind} {number(value)}" for kind, value in zip(("sin", "cos"), values, strict=False))
    hand = {"sine": values[0], "cosine": (*values, 0.0)[1]}
    return hand | {"cells": [cell(value, 1.0) for value in values], "about": about}


def stage_names(D: int, at: int, clocks: list[dict], alike: dict[str, list], masked: bool) -> dict[str, str]:
    """Return what the picture grows by at each stage, in words and with the numbers."""
    found = "; ".join(
        f"{name} {', '.join(f'{cosine} with {other}' for other, cosine in each)}" for name, each in alike.items()
    )
    pairs, columns = "; ".join(each["about"] for each in clocks), pluralize(D, "column")
    return {
        "pairs": f"Position {at} as {len(clocks)} of {pluralize(math.ceil(D / 2), 'pair')}: {pairs}",
        "stripes": f"{SHOWN} positions as stripes, {min(D, COLUMNS)} of {columns}, sinusoidal and learned",
        "alike": f"How alike position {at} is to others: {'?' if masked else found}",
    }


def pair_columns(pair: int, D: int, layout: str) -> tuple[int, ...]:
    """Return the columns of a pair's sine and cosine; for an odd D the last sine has no cosine.

    >>> pair_columns(1, 6, "interleaved"), pair_columns(1, 6, "halves"), pair_columns(2, 5, "halves")
    ((2, 3), (1, 4), (2,))
    """
    sine, cosine = (2 * pair, 2 * pair + 1) if layout == "interleaved" else (pair, math.ceil(D / 2) + pair)
    return (sine, cosine) if cosine < D else (sine,)


def images(name: str, kind: Kind, columns: range, trained: bool) -> dict[str, tuple[str, ...]]:
    """Return some columns of the rows, and the similarities of a kind as images."""
    full = 1.0 if name == "sinusoidal" else full_color(trained, kind.rows)
    table = _image(kind.rows[:, columns.start : columns.stop].contiguous().numpy().tobytes(), len(columns), full)
    return {"table": table, "alike": _image(kind.cosines.numpy().tobytes(), SHOWN, 1.0)}


@lru_cache(64)
def _image(numbers: bytes, columns: int, full: float) -> tuple[str, ...]:
    return raster(np.frombuffer(numbers, np.float32).reshape(-1, columns), full)
