"""The figure of the lesson on training: the rows on a 2-D projection, step by step, and the loss beside them."""

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from components.base.learner_text import isolated
from components.base.text_format import first_few, pluralize
from components.figures.cells import amount, bracketed, fit, number, text_width
from components.figures.drawing import Figure, Slider, draw
from components.figures.labels import NAME_HEIGHT, RADIUS, Area, name_moves, place_labels, point
from components.lessons.training.charts import downsample
from components.training.recorded import EmbeddingMap, RecordedTraining, Snapshot

HEIGHT, SECOND_HEIGHT = 366, 332
PANEL, GAP = 400, 12  # the width of a panel, and between two that are stacked
MAP, LOSS = Area(1, 6, 399, 293), Area(470, 190, 812, 280)
NAMES_READ = 20  # tokens in the text alternative of a step
MARGIN = 22  # between the outermost points and the edge of the map
LABEL_WIDTH = 60  # of a loss on the curve
NAME_WIDTH, NAME_SIZE, NAME_PAD = 100, 14, 10


def training_figure(training: RecordedTraining, names: Sequence[str], masked: bool, met: str) -> Figure:
    """Return the film of a training; `names` has the token of each row [V], `met` names the two that met.

    Until the learner has predicted which rows change, all stay at their start.
    """
    found = training.project(only_start=masked)
    text, config, shown = training.text, training.config, training.shown_rows
    V, D, (first, second) = text.vocab_size, config.dim, found.shares
    losses = [loss for loss in training.losses if math.isfinite(loss)]
    last_step, top = max(1, len(training.losses)), max([math.log(V), *losses])

    def on_curve(step: float, loss: float) -> tuple[float, float]:
        right, up = step / last_step, loss / top
        return LOSS.left + (LOSS.right - LOSS.left) * right, LOSS.bottom - (LOSS.bottom - LOSS.top) * up

    curve = [on_curve(*each) for each in zip(*downsample(losses), strict=True)]

    def dot(step: float, loss: float) -> dict:
        """Return the dot on the curve after a step, with its label above the part of the curve beside it."""
        x, y = on_curve(step, loss)
        at_end = x > LOSS.right - LABEL_WIDTH or (training.diverged and x > LOSS.left + LABEL_WIDTH)  # it rises then
        first, last = (x - LABEL_WIDTH, x) if at_end else (x, x + LABEL_WIDTH)
        highest = min([y, *(high for at, high in curve if first <= at <= last)])
        return {"x": x, "y": y, "loss": loss, "at_end": at_end, "above": max(highest - 12, LOSS.top)}

    frames = [frame(V, each, names) for each in found.snapshots]
    dots = [dot(each["step"], each["loss"]) for each in frames]
    edges = [LOSS.left - 4, *((a["x"] + b["x"]) / 2 for a, b in pairwise(dots)), LOSS.right + 4]
    level = number(text.conditional_entropy)
    hidden = f"{pluralize(len(training.losses), 'step')} trained. The map changes once you have answered."
    drawing = draw(
        "lessons/training/figure.svg.j2",
        map=MAP,
        loss=LOSS,
        radius=RADIUS,
        name_height=NAME_HEIGHT,
        rows=rows(training, found, names, masked),
        frames=[*zip(frames, dots, pairwise(edges), strict=True)],
        curve=" ".join(map(point, curve)),
        end=dot(len(losses), losses[-1]) if losses else None,
        level=on_curve(0, text.conditional_entropy)[1],
        level_name=level,
        top=number(top),
        last_step=last_step,
        masked=masked,
        hidden=hidden if masked and training.losses else "",
        met=met,
        down=HEIGHT + GAP,
        cut=f"{len(shown)} of {V:,} rows" if len(shown) < V else f"all {V} rows",
        share=f"2 of {D} directions, {first + second:.0%} of the variance" if D > 2 else f"D = {D}",
        std=f"{config.token_std:g}",
    )
    last = "Which rows change is still hidden." if masked else frames[-1]["name"]
    shares = " and ".join(f"{share:.0%}" for share in found.shares[:D])
    reading = (
        f"After {pluralize(len(training.losses), 'step')}: {len(shown)} of {V:,} rows of the table on {min(2, D)} of "
        f"{pluralize(D, 'direction')}, with {shares} of the variance; at the start their standard deviation is "
        f"{config.token_std:g}. {last} The dashed level is {level}, the "
        "conditional entropy of the next token given the current one."
    )
    slider = Slider("", "Step", len(frames) - 1, len(frames) - 1)
    play = "Play" if len(frames) > 1 else ""
    size = {"height": HEIGHT, "narrow": (PANEL, HEIGHT + GAP + SECOND_HEIGHT)}
    return Figure(drawing, reading, **size, lit=str(frames[-1]["step"]), columns=shown, slider=slider, play=play)


def rows(training: RecordedTraining, found: EmbeddingMap, names: Sequence[str], masked: bool) -> list[dict]:
    """Return what the map shows of each row: its dot and its name at each frame, and the steps that use it.

    A dot has an "x,y" in units of the figure, or the one before the step, L, and the one after it.
    """
    shown, steps = training.shown_rows, [each.step for each in found.snapshots]
    before, after = MAP.contain(np.stack([found.before, found.after]), MARGIN)  # [frames, rows, 2]
    looked_up = [set() if masked else {*each.looked_up} for each in found.snapshots]
    texts = [fit(names[row], NAME_WIDTH, NAME_SIZE) for row in shown]
    widths = [2 * round((NAME_PAD + text_width(text, NAME_SIZE)) / 2) for text in texts]
    centers = place_labels(after, widths, [[row in ids for row in shown] for ids in looked_up], MAP)
    moves_of_names = name_moves(after, centers, widths)
    distances, result = training.distances, []
    for n, row in enumerate(shown):
        batches = f"{len(training.losses):,} batch{'' if len(training.losses) == 1 else 'es'}"
        about = f"“{names[row]}”, row {row}: in {int(training.n_batches[row]):,} of {batches}"
        about += f", {amount(distances[row].item(), 3)} from its start" if len(steps) > 1 else ""
        moves = [
            f"{point(b)}L{point(a)}" if at and np.abs(a - b).max() >= 0.05 else point(a)
            for at, (b, a) in enumerate(zip(before[:, n], after[:, n], strict=True))
        ]
        in_batch = [str(step) for step, ids in zip(steps, looked_up, strict=True) if row in ids]
        drawn = {"row": row, "used": training.text.counts[row] > 0, "about": about, "steps": " ".join(in_batch)}
        result.append(drawn | {"name": texts[n], "width": widths[n], "moves": moves, "name_moves": moves_of_names[n]})
    return result


def frame(V: int, snapshot: Snapshot, names: Sequence[str]) -> dict:
    step, loss = snapshot.step, snapshot.loss
    texts = list(dict.fromkeys(names[row] for row in snapshot.looked_up))
    some = first_few([f"“{text}”" for text in texts], NAMES_READ)
    found = {"step": step, "looked_up": " ".join(isolated(bracketed(text)) for text in texts)}
    if not step:
        name = f"Step 0, before training. Step 1 looks up {some}."
        return found | {"loss": math.log(V), "changed": "no row has changed yet", "farthest": "", "name": name}
    others = V - snapshot.n_changed
    changed = f"{snapshot.n_changed:,} of {V:,} rows changed"
    farthest = f"“{names[snapshot.farthest]}”, by {amount(snapshot.distance, 3)}"
    rest = f"the other {f'{others:,}' if others > 1 else 'one'} did not change" if others else ""
    name = f"Step {step}: loss {number(loss, 3)}. It looked up {some}. {changed}, most of all {farthest}"
    name += f"; {rest}." if others else "."
    return found | {"loss": loss, "changed": changed, "farthest": farthest, "others": rest, "name": name}
