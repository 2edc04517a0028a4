"""The figure of the lesson on attention: the weights as a grid, and how the output of one token is mixed."""

import math
from collections.abc import Sequence

from components.embedding.attention_head import HeadSteps
from components.figures.cells import cell, equals, factor, number, printed
from components.figures.columns import SHOWN, columns, in_words, shown_columns, wider_by
from components.figures.drawing import Figure, Slider, draw
from components.figures.sizes import CELL_HEIGHT
from components.lessons.attention.choices import Choices

TOP, PITCH = 68, 28  # of the grid
BELOW, ABOVE = 59, 14
NARROW_WIDTH = 414
TERMS = 3  # of a sum that is written out
FAN = 14  # units: the width of the path of a weight of 1

POSITIONS = {"none": "no positions", "added": "positions added", "rotary": "rotary positions"}


def weights_figure(
    names: Sequence[str],
    steps: HeadSteps,
    choices: Choices,
    query: int,
    which: str,
    change: float | None,
    masked: bool,
    slider: Slider | None,
    full: float,
    extra: int = 0,
) -> Figure:
    """Return the figure of a head that reads up to nine tokens; the row of `query` is lit at first.

    `which` describes the tokens. `change` is the largest change of an output if the tokens are shuffled; it is masked
    until the learner has predicted it.
    Value rows and outputs have `extra` columns more than usually, if there are as many.
    """
    n, kind, causal = len(names), choices.attention_positions, choices.causal
    shown = shown_columns(steps.v.shape[1], shown=SHOWN + extra)
    wider = wider_by(shown)
    values = steps.v.tolist()
    queries = [_query(t, names, steps, causal, shown) for t in range(n)]
    keys = [
        {
            "name": names[s],
            "cells": [(index, offset, value, cell(value, full)) for index, offset, value in columns(shown, values[s])],
            "readers": " ".join(each["part"] for each in queries if not causal or s <= each["t"]),
        }
        for s in range(n)
    ]
    bottom = TOP + PITCH * (n - 1) + CELL_HEIGHT
    drawing = draw(
        "lessons/attention/figure.svg.j2",
        queries=queries,
        keys=keys,
        which=which,
        full=full,
        top=TOP,
        wider=wider,
        pitch=PITCH,
        bottom=bottom,
        down=bottom + BELOW + ABOVE,
        axis=columns(shown, values[0]),
        masked=masked,
        change=None if change is None else number(change),
        choosable=kind == "rotary",
        shape=[n, n],
    )
    reading = f"Attention weights [{n}, {n}], {'causal mask' if causal else 'no mask'}, {POSITIONS[kind]}. {which}. "
    if change is not None and not masked:
        reading += f"A shuffle changes an element of an output by up to {number(change)}. "
    return Figure(
        drawing,
        reading + queries[query]["about"],
        bottom + BELOW,
        width=Figure.width + wider,
        narrow=(NARROW_WIDTH, 2 * (bottom + BELOW) + ABOVE),
        lit=queries[query]["part"],
        columns=shown,
        column=shown[0],
        slider=slider,
    )


def _query(t: int, names: Sequence[str], steps: HeadSteps, causal: bool, shown: Sequence[int]) -> dict:
    weights, scores = steps.weights[t].tolist(), steps.scores[t].tolist()
    mixed = [
        {
            "open": not causal or s <= t,
            "score": number(scores[s]) if not causal or s <= t else "−∞",
            "weight": number(weights[s]) if not causal or s <= t else "0",
            "percent": cell(weights[s], 1.0).percent,
            "height": round(weights[s], 3),
            "width": round(FAN * weights[s], 1),
        }
        for s in range(len(names))
    ]
    cells = columns(shown, steps.out[t].tolist())
    parts = ", ".join(f"{each['weight']} {name}" for each, name in zip(mixed, names, strict=True) if each["open"])
    about = f"{names[t]} at position {t}: weights {parts}; output {in_words(cells)}"
    sums = [(index, sum_in_words(index, weights, steps.v[:, index].tolist(), value)) for index, _, value in cells]
    return {"t": t, "part": f"q{t}", "name": names[t], "mixed": mixed, "out": cells, "sums": sums, "about": about}


def sum_in_words(column: int, weights: Sequence[float], values: Sequence[float], total: float) -> str:
    """Return a number of an output as the sum of its largest terms, each a weight times a value.

    >>> sum_in_words(0, [0.5, 0.25, 0.25, 0.0], [1.0, -2.0, 0.5, 9.0], 0.125)
    'column 0: 0.50 · 1.00 + 0.25 · (−2.00) + 0.25 · 0.50 ≈ 0.12'
    """
    terms = sorted(
        ((w, v) for w, v in zip(weights, values, strict=True) if w > 0), key=lambda term: -abs(math.prod(term))
    )
    shown = " + ".join(f"{number(w)} · {factor(v)}" for w, v in terms[:TERMS])
    exact = sum(printed(number(w)) * printed(number(v)) for w, v in terms)
    sign = equals(exact, number(total))
    return f"column {column}: {shown}{' + …' if len(terms) > TERMS else ''} {sign} {number(total)}"
