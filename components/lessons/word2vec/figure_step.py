"""The first figure of the lesson: one step, a true neighbor that pulls and words sampled at random that push."""

import math
from collections.abc import Callable, Sequence
from decimal import Decimal
from functools import lru_cache
from itertools import pairwise

import numpy as np
import torch
from torch import Tensor

from components.base.learner_text import visible_text
from components.figures.cells import equals, fit, number, printed, signed, text_width
from components.figures.drawing import Figure, Slider, draw
from components.figures.labels import LARGEST_NAME, Area
from components.lessons.word2vec.oblique import arrow, open_arrow
from components.lessons.word2vec.steps import StepScene
from components.vectors.negative_sampling import SentenceStep

PANEL, RIGHT, GAP = 400, 424, 12  # the width of a panel, the left edge of the second one, between them if stacked
HEIGHT = SECOND_HEIGHT = 374
PLOT, MARGIN = Area(1, 74, 399, 348), 34
CHIP_GAP, CHIP_PAD, CHIP_SIZE = 4, 14, 14
NAME_WIDTH, NAME_SIZE = 96, 14
CENTER_LOWER = 18
RULER = 100
LINE = 17  # between two names in the plot
LEAST_CHANCE = 0.0005  # that is not rounded to 0.0%
TIP = 6  # half the width of an arrowhead
MAX_DRAWN = 40  # figures, all sessions together: with their steps 80 kB each


@lru_cache(MAX_DRAWN)
def step_figure(scene: StepScene, rate: float, masked: bool) -> Figure:
    """Return the figure of the steps of a sentence; most reruns do not change it.

    Until the learner has predicted which word changes the row most, errors and changes are masked.
    """
    chips, n = sentence_chips(scene.sentence), len(scene.steps)
    pitch = PANEL / n
    steps = [frame(scene, each, count, masked, rate, chips) for count, each in enumerate(scene.steps, 1)]
    drawing = draw(
        "lessons/word2vec/step.svg.j2",
        chips=chips,
        steps=steps,
        pitch=pitch,
        plot=PLOT,
        right=RIGHT,
        edge=RIGHT + PANEL - 4,
        down=HEIGHT + GAP,
        rate=f"{rate:g}",
        negative=f"{scene.n_negative:,} of {scene.n_words:,} words",
    )
    sentence = " ".join(map(visible_text, scene.sentence))
    lit = scene.first
    reading = (
        f"The sentence “{sentence}” in {n} steps, each with a center word, a neighbor and words sampled at "
        f"random; the rows have 2 numbers. {steps[lit]['about']}"
    )
    slider, narrow = Slider("", "Step", lit, n - 1), (PANEL, HEIGHT + GAP + SECOND_HEIGHT)
    return Figure(drawing, reading, HEIGHT, narrow=narrow, lit=str(lit + 1), slider=slider, play="Play")


def sentence_chips(sentence: Sequence[str]) -> list[dict]:
    """Return the words of the sentence in one line, each with its left edge and its width, as wide as there is room.

    >>> sentence_chips(["a\\xadb"])[0]["text"]
    'a‹U+00AD›b'
    """
    widths = [CHIP_PAD + text_width(visible_text(word), CHIP_SIZE) for word in sentence]
    room = PANEL - 2 - CHIP_GAP * (len(sentence) - 1)
    most = max(widths) if sum(widths) <= room else room / len(sentence)
    chips, left = [], 1.0
    for word, width in zip(sentence, widths, strict=True):
        width = min(width, most)
        text = fit(visible_text(word), width - 6, CHIP_SIZE)
        chips.append({"text": text, "x": round(left, 1), "width": round(width, 1)})
        left += width + CHIP_GAP
    return chips


def frame(scene: StepScene, each: SentenceStep, count: int, masked: bool, rate: float, chips: Sequence[dict]) -> dict:
    """Return what the figure shows of a step; its arrows are as large as there is room."""
    step, center, zero = each.step, visible_text(scene.center(each)), np.zeros(2)
    row, after, others = each.row.numpy(), (each.row + step.change).numpy(), each.other_rows.numpy()
    points = np.stack([zero, row, after, *others])  # [.., 2]
    placed = PLOT.contain(points, MARGIN)
    origin, scale = placed[0], float(np.ptp(placed, axis=0).max() / max(1e-9, np.ptp(points, axis=0).max()))

    def at(point: np.ndarray) -> tuple[float, float]:
        x, y = origin + scale * np.array([point[0], -point[1]])
        return round(float(x), 1), round(float(y), 1)

    names = [visible_text(scene.names[word]) for word in each.others]
    roles = ["target"] + ["error"] * (len(names) - 1)
    words = []
    for n, (name, role, word) in enumerate(zip(names, roles, each.others, strict=True)):
        chance = scene.chances[word] / (1 - scene.chances[each.others[0]])
        percent = f"{chance:.1%}" if chance >= LEAST_CHANCE else f"below {2 * LEAST_CHANCE:.1%}"
        words.append(
            {
                "name": fit(name, NAME_WIDTH, 17),
                "role": role,
                "about": f"sampled, chance {percent}: pushes" if n else "the true neighbor: pulls",
                "row": pair(others[n]),
                "dot": number(step.dots[n].item()),
                "sigmoid": number(step.sigmoids[n].item()),
                "wanted": f"{step.wanted[n].item():.0f}",
                "error": "?" if masked else signed(step.errors[n].item()),
                "arrow": arrow(at(zero), at(others[n]), 0),
            }
        )
    tips = [(center, "ink", row), *zip(names, roles, others, strict=True)]
    pulled = torch.stack([each.row, *(rate * step.errors[:, None] * each.other_rows)]).cumsum(dim=0)
    pulls = [
        {"role": role, "path": f"M{x1} {y1}L{x2} {y2}"}
        for role, ((x1, y1), (x2, y2)) in zip(roles, pairwise(map(at, pulled.numpy())), strict=True)
    ]
    about = ", ".join(
        f"{name} {'sampled' if n else 'as neighbor'} (dot product {word['dot']}, sigmoid {word['sigmoid']}, wanted "
        f"{word['wanted']}, error {word['error']})"
        for n, (name, word) in enumerate(zip(names, words, strict=True))
    )
    moved = "?" if masked else pair(after)
    inside = [chip for n, chip in enumerate(chips) if abs(n - each.center) <= scene.window]
    left, right = inside[0]["x"] - 1, inside[-1]["x"] + inside[-1]["width"] + 1
    return {
        "count": count,
        "center": fit(center, NAME_WIDTH, 17),
        "center_chip": chips[each.center],
        "neighbor_chip": chips[each.neighbor],
        "window": (left, round(right - left, 1)),
        "row": pair(row),
        "after": moved,
        "change": "?" if masked else pair(step.change),
        "sum": "?" if masked else pair(step.change / rate),
        "sign": "=" if masked else sign_of(rate, step.change),
        "words": words,
        "arrow": arrow(at(zero), at(row), 0),
        "pulls": [] if masked else pulls,
        "move": "" if masked else open_arrow(at(row), at(after)),
        "origin": at(zero),
        "ruler": (ruler(scale), round(scale * ruler(scale), 1)),
        "names": name_places(tips, origin, at, [] if masked else [at(after)]),
        "about": f"Step {count}: {center} {pair(row)} with {about}. After it {center} is {moved}.",
    }


def ruler(scale: float) -> float:
    """Return the longest of 1, 2, 5, 10, … and 0.5, 0.2, 0.1, … that is at most 100 units long.

    >>> ruler(99.0), ruler(800.0), ruler(3.0)
    (1.0, 0.1, 20.0)
    """
    power = 10.0 ** math.floor(math.log10(RULER / scale))
    return next(round(each * power, 9) for each in (5, 2, 1) if each * power * scale <= RULER)


def sign_of(rate: float, change: Tensor) -> str:
    """Return the sign between the learning rate times the sum, as they are shown, and the change."""
    shown = [map(number, each.tolist()) for each in (change / rate, change)]
    signs = [equals(Decimal(f"{rate:g}") * printed(total), product) for total, product in zip(*shown, strict=True)]
    return "≈" if "≈" in signs else "="


def pair(row: Sequence[float]) -> str:
    """Return a row of two numbers.

    >>> pair([0.5, -1.25])
    '[0.50 −1.25]'
    """
    return f"[{' '.join(number(float(each)) for each in row)}]"


def name_places(
    tips: Sequence[tuple[str, str, np.ndarray]], origin: np.ndarray, at: Callable, free: Sequence[tuple[float, float]]
) -> list[dict]:
    """Return the words beyond the ends of their arrows, moved if one would cover another or a point to leave free."""
    found, taken = [], [(y, x - TIP, x + TIP) for x, y in free]  # the names, and what is covered: y, left, right
    for text, role, point in tips:
        x, y = at(point)
        y += CENTER_LOWER * (role == "ink")  # what its row becomes is drawn at the end of its arrow
        away = np.array([x, y]) - origin
        size = max(1.0, math.hypot(*away))
        name = fit(text, NAME_WIDTH, NAME_SIZE)
        width = text_width(name, LARGEST_NAME)
        right = away[0] >= 0
        beside = away[0] / size if role != "ink" else math.copysign(1, away[0])  # a lower name is beside the arrow
        x, y = x + 10 * beside, y + 12 * away[1] / size
        x = round(float(min(x, PLOT.right - width - 4) if right else max(x, PLOT.left + width + 4)), 1)
        left = x if right else x - width
        step = LINE if away[1] >= 0 else -LINE
        covered = [line for line, start, end in taken if left < end and start < left + width]
        near = (y + sign * step * n for n in range(len(covered) + 1) for sign in (1, -1))
        y = next(at for at in near if all(abs(at - line) >= LINE for line in covered))
        y = round(float(max(PLOT.top + 10, min(PLOT.bottom - 10, y))), 1)
        taken.append((y, left, left + width))
        found.append({"text": name, "role": role, "x": x, "y": y, "anchor": "start" if right else "end"})
    return found
