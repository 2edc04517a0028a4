"""The figure of the lesson on training: the rows on a 2-D projection, step by step, and the loss beside them."""

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from components.base.text_format import pluralize
from components.figures.cells import fit, number
from components.figures.drawing import Figure, Slider, draw
from components.lessons.training.charts import downsample
from components.lessons.training.labels import Box, Label, place_labels
from components.training.recorded import RecordedTraining
from components.training.snapshots import EmbeddingMap, Snapshot

HEIGHT = 349
MAP = Box(1, 1, 541, 306)  # left, top, right, bottom
LOSS = Box(600, 190, 812, 280)
MARGIN = 22  # between the outermost points and the edge of the map
NAME_WIDTH = 100
HIDDEN = "Which rows move is hidden until the question below is answered."


class Row(NamedTuple):
    """A row of the table: its point at each frame, the frames whose batch has it, and its labels."""

    row: int
    name: str
    moves: str  # "x,y" at each frame, or "x,y" before the step, L, and "x,y" after it
    steps: str  # that looked it up
    labels: list[Label]
    used: bool
    about: str


class Frame(NamedTuple):
    """A step: its loss, what was looked up, and what moved."""

    step: int
    x: float
    y: float
    left: float
    right: float
    loss: str
    looked_up: str
    changed: str
    farthest: str
    others: str
    name: str


def training_figure(training: RecordedTraining, names: Sequence[str], masked: bool) -> Figure:
    """Return the film of a training; `names` has the token of each row [V].

    Until the learner has predicted which rows move, all stay at their start.
    """
    found = training.snapshots.project(training, only_start=masked)
    curve, level, top = loss_curve(training)
    frames = with_edges([frame(training, each, names, top) for each in found.snapshots])
    V, D, shown = training.text.vocab_size, training.config.dim, len(training.snapshots.rows)
    drawing = draw(
        "lessons/training/figure.svg.j2",
        map=MAP,
        loss=LOSS,
        rows=rows(training, found, names, masked),
        frames=frames,
        curve=curve,
        level=level,
        level_name=number(training.text.conditional_entropy),
        top=number(top),
        last_step=max(1, len(training.losses)),
        masked=masked,
        cut=f"{shown} of {V:,} rows" if shown < V else f"all {V} rows",
        share=f"2 of {D} directions, {sum(found.shares):.0%} of the variance" if D > 2 else f"D = {D}",
        std=f"{training.config.token_std:g}",
    )
    film, last = len(frames) > 1, len(frames) - 1
    return Figure(
        drawing,
        in_words(training, found, HIDDEN if masked else frames[-1].name),
        HEIGHT,
        lit=str(frames[-1].step),
        columns=training.snapshots.rows,
        slider=Slider("", "Step", last, last),
        play="Play" if film else "",
    )


def in_words(training: RecordedTraining, found: EmbeddingMap, last_step: str) -> str:
    """Return the text alternative."""
    done, bound = pluralize(len(training.losses), "step"), number(training.text.conditional_entropy)
    first, second = found.shares
    return (
        f"After {done}: {len(training.snapshots.rows)} of {training.text.vocab_size:,} rows of the table on 2 of "
        f"{training.config.dim} directions, with {first:.0%} and {second:.0%} of the variance; at the start their "
        f"standard deviation is {training.config.token_std:g}. {last_step} The dashed level is {bound}, the "
        "conditional entropy of the next token given the current one."
    )


def rows(training: RecordedTraining, found: EmbeddingMap, names: Sequence[str], masked: bool) -> list[Row]:
    """Return the rows with their points in units of the figure."""
    before, after = in_units(found)  # [frames, rows, 2]
    shown = training.snapshots.rows
    texts = [fit(names[row], NAME_WIDTH, 14) for row in shown]
    looked_up = [{*each.looked_up} for each in found.snapshots]
    if not masked:
        looked_up[0] = first_batch(training)
    labels = place_labels(
        after,
        texts,
        [[row in each for row in shown] for each in looked_up],
        [each.step for each in found.snapshots],
        MAP,
    )
    distances = (training.table - training.initial_model.token.weight.detach()).norm(dim=1)
    result = []
    for n, row in enumerate(shown):
        moves = [
            point(b) + "L" + point(a) if f and np.abs(a - b).max() >= 0.05 else point(a)
            for f, (b, a) in enumerate(zip(before[:, n], after[:, n], strict=True))
        ]
        steps = [str(each.step) for each, ids in zip(found.snapshots, looked_up, strict=True) if row in ids]
        about = f"{names[row]}, row {row}: in {int(training.n_batches[row]):,} of {len(training.losses):,} batches"
        about += f", {number(distances[row].item(), 3)} from its start" if len(found.snapshots) > 1 else ""
        result.append(
            Row(row, names[row], " ".join(moves), " ".join(steps), labels[n], training.text.counts[row] > 0, about)
        )
    return result


def first_batch(training: RecordedTraining) -> list[int]:
    """Return the rows that the first step looks up, in order."""
    stored = training.snapshots.stored
    windows = training.text.inputs[training.upcoming_windows].flatten().tolist()
    return [*stored[1].looked_up] if len(stored) > 1 else windows


def in_units(found: EmbeddingMap) -> tuple[np.ndarray, np.ndarray]:
    """Return the points before and after each step in units of the figure; both axes have the same scale."""
    low, high = found.after.min(axis=(0, 1)), found.after.max(axis=(0, 1))
    sizes = np.array([MAP.right - MAP.left, MAP.bottom - MAP.top]) - 2 * MARGIN
    scale = (sizes / np.maximum(high - low, 1e-9)).min()
    center = np.array([MAP.left + MAP.right, MAP.top + MAP.bottom]) / 2
    flip = np.array([scale, -scale])
    before, after = (center + (points - (low + high) / 2) * flip for points in (found.before, found.after))
    return before, after


def point(xy: np.ndarray) -> str:
    """Return a point with one decimal.

    >>> point(np.array([1.25, 3.0]))
    '1.2,3'
    """
    return ",".join(f"{value:.1f}".removesuffix(".0") for value in xy.tolist())


def loss_curve(training: RecordedTraining) -> tuple[str, float, float]:
    """Return the losses as points of a line, the height of the dashed level, and the loss at the top."""
    finite = [loss for loss in training.losses if math.isfinite(loss)]
    top = max([math.log(training.text.vocab_size), *finite]) * 1.05
    ends, values = downsample(finite)
    last = max(1, len(training.losses))
    line = " ".join(point(np.array([across(n, last), up(v, top)])) for n, v in zip(ends, values, strict=True))
    return line, up(training.text.conditional_entropy, top), top


def across(step: int, last: int) -> float:
    """Return the x of a step in the curve of the loss."""
    return LOSS.left + (LOSS.right - LOSS.left) * step / last


def up(loss: float, top: float) -> float:
    """Return the y of a loss in its curve."""
    return LOSS.bottom - (LOSS.bottom - LOSS.top) * loss / top


def frame(training: RecordedTraining, snapshot: Snapshot, names: Sequence[str], top: float) -> Frame:
    """Return what the figure tells of a step."""
    V, step = training.text.vocab_size, snapshot.step
    ids = snapshot.looked_up if step else first_batch(training)
    texts = list(dict.fromkeys(names[row] for row in ids))
    x, loss = across(step, max(1, len(training.losses))), snapshot.loss
    if not step:
        name = f"Step 0, before training. Step 1 looks up {', '.join(texts)}."
        y = up(math.log(V), top)
        return Frame(0, x, y, x, x, "", " ".join(texts), "no row moved yet", "", "", name)
    others = V - snapshot.n_changed
    changed = f"{snapshot.n_changed:,} of {V:,} rows moved"
    farthest = f"{names[snapshot.farthest]} by {number(snapshot.distance, 3)}"
    rest = f"the other {others:,}: by exactly 0" if others else "none stayed"
    name = (
        f"Step {step}: loss {number(loss, 3)}. It looked up {', '.join(texts)}. {changed}, farthest {farthest}; {rest}."
    )
    return Frame(step, x, up(loss, top), x, x, number(loss), " ".join(texts), changed, farthest, rest, name)


def with_edges(frames: Sequence[Frame]) -> list[Frame]:
    """Return the frames with the part of the curve that belongs to each: up to half of the way to its neighbors."""
    edges = [LOSS.left - 4, *((a.x + b.x) / 2 for a, b in pairwise(frames)), LOSS.right + 4]
    return [each._replace(left=a, right=b) for each, (a, b) in zip(frames, pairwise(edges), strict=True)]
