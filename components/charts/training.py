"""A training as pictures: losses step by step, lengths row by row, and what the model says next."""

from collections.abc import Mapping, Sequence
from functools import lru_cache

import altair as alt
import numpy as np

from components.charts.columns import arrow_table, rows_table
from components.charts.palette import color_by_idea
from components.charts.plot import LABEL, LOOKS_KEPT, Plot, named

MAX_POINTS = 200  # of a line; where there are more steps, a point is the mean of several
HEIGHT = 220
LEGEND_HEIGHT = 40
ROW_HEIGHT = 20


def thinned(losses: Sequence[float], most: int = MAX_POINTS) -> tuple[np.ndarray, np.ndarray]:
    """Return steps and losses, at most `most` of each: a point is the mean of neighbours and stands at their last step.

    >>> [part.tolist() for part in thinned([4.0, 2.0, 1.0], most=2)]
    [[2, 3], [3.0, 1.0]]
    """
    values = np.array(losses, dtype=float)
    together = max(1, -(-len(values) // most))
    ends = np.minimum(np.arange(together, len(values) + together, together), len(values))
    return ends, np.array([part.mean() for part in np.split(values, ends[:-1])]) if len(values) else values


@lru_cache(LOOKS_KEPT)
def _loss_look(names: tuple[tuple[str, str], ...]) -> dict:
    scale = alt.Scale(domainMin=0, domainMax=alt.expr("last"), nice=False)
    x = alt.X("step:Q", title="step", scale=scale, axis=alt.Axis(tickCount=10, tickMinStep=1, format="d"))
    y = alt.Y("loss:Q", title="loss", scale=alt.Scale(zero=True), axis=alt.Axis(format=".3~g"))
    tooltip = ["name:N", "step:Q", alt.Tooltip("loss:Q", format=",.4f")]
    color = color_by_idea()
    if len(names) > 1:
        color.legend = legend_of(dict(names))
    base = named("losses").encode(x, y, color_by_idea(), detail="name:N", tooltip=tooltip)
    # Hidden from screen readers: the reading says where it goes, and there may be no mark, or no level.
    lines = base.mark_line(strokeWidth=2, aria=False).encode(color)
    points = base.mark_point(filled=True, size=14, opacity=1, aria=False)
    rules = (
        named("rules").mark_rule(strokeDash=[6, 4], aria=False).encode(y, color_by_idea(), tooltip=["name:N", "loss:Q"])
    )
    labels = named("rules").mark_text(align="right", baseline="bottom", dy=-3, fontSize=12)
    labels = labels.encode(x=alt.value("width"), y=y, color=color_by_idea("letters"), text="name:N")
    layers = alt.layer(rules, lines, points, labels)
    # Independent: the other layers have no legend, and a shared one would then be none.
    height = HEIGHT + LEGEND_HEIGHT * (len(names) > 1)
    return layers.resolve_legend(color="independent").properties(height=height).to_dict()


def legend_of(names: Mapping[str, str]) -> alt.Legend:
    """Return a legend on top that says, for each idea in use, what its colour stands for here.

    >>> legend_of({"token": "after"}).to_dict()["labelExpr"]
    "datum.label == 'token' ? 'after' : ''"
    """
    words = " : ".join(f"datum.label == '{idea}' ? '{name}'" for idea, name in names.items())
    return alt.Legend(values=[*names], labelExpr=f"{words} : ''", title=None, orient="top")


Curves = Mapping[str, tuple[str, Sequence[float]]]  # losses with the idea that gives them their colour, by name


def loss_chart(curves: Curves, steps: int, rules: Mapping[str, float] | None = None) -> Plot:
    """Return losses as lines over 0 to `steps`, each by its name with its idea, and levels as dashed rules with names.

    >>> plot = loss_chart({"loss": ("token", [2.0, 1.0])}, steps=2, rules={"ln V": 1.6})
    >>> plot.data["losses"]["step"].to_pylist(), plot.data["rules"]["loss"].to_pylist()
    ([1, 2], [1.6])
    """
    rules = rules or {}
    columns: dict[str, list] = {"step": [], "loss": [], "name": [], "idea": []}
    for name, (idea, losses) in curves.items():
        at, values = thinned(losses)
        columns["step"] += at.tolist()
        columns["loss"] += values.tolist()
        columns["name"] += [name] * len(at)
        columns["idea"] += [idea] * len(at)
    level = {
        "loss": np.array([*rules.values()], dtype=float).round(4),
        "name": [*rules],
        "idea": ["neutral"] * len(rules),
        "letters": ["letters"] * len(rules),
    }
    names = tuple((idea, name) for name, (idea, _) in curves.items())
    look = {**_loss_look(names), "params": [{"name": "last", "value": max(1, steps)}]}
    return Plot(look, {"losses": arrow_table(columns), "rules": arrow_table(level)})


@lru_cache(LOOKS_KEPT)
def _lengths_look(title: str) -> dict:
    y = alt.Y("row:N", sort=None, title=None, axis=alt.Axis(labelExpr=LABEL, labelLimit=150, labelOverlap=False))
    x = alt.X("length:Q", title=title, axis=alt.Axis(tickCount=5, format="~g"))
    tooltip = ["reading:N"]
    bars = named("lengths").mark_bar(height=12, opacity=0.85)
    bars = bars.encode(x, y, color_by_idea(), tooltip=tooltip, description="reading:N")
    return bars.properties(height=alt.Step(ROW_HEIGHT)).to_dict()


def lengths_chart(names: Sequence[str], lengths: np.ndarray, ideas: Sequence[str], title: str) -> Plot:
    """Return one bar for each row, as long as `lengths` says, in the colour of its idea.

    >>> lengths_chart(["a"], np.array([0.5]), ["token"], "gradient").data["lengths"]["reading"].to_pylist()
    ['a: 0.5']
    """
    columns = {
        "row": [f"{n}|{name}" for n, name in enumerate(names)],
        "length": lengths.astype(float),
        "idea": list(ideas),
        "reading": [f"{name}: {length:.4g}" for name, length in zip(names, lengths.tolist(), strict=True)],
    }
    return Plot(_lengths_look(title), {"lengths": arrow_table(columns)})


SAYINGS = {"neutral": "before training", "token": "after training", "target": "in your text"}


@lru_cache(LOOKS_KEPT)
def _sayings_look() -> dict:
    y = alt.Y("token:N", sort=None, title=None, axis=alt.Axis(labelExpr=LABEL, labelLimit=150, labelOverlap=False))
    axis = alt.Axis(tickCount=5, format="~%")
    x = alt.X("share:Q", title="probability of being next", scale=alt.Scale(domain=[0, 1]), axis=axis)
    color = color_by_idea()
    color.legend = legend_of(SAYINGS)
    bars = named("sayings").mark_bar(height=8)
    bars = bars.encode(x, y, color, yOffset=alt.YOffset("idea:N", sort=[*SAYINGS]), tooltip=["reading:N"])
    return bars.encode(description="reading:N").properties(height=alt.Step(10)).to_dict()


def sayings_chart(names: Sequence[str], before: np.ndarray, after: np.ndarray, in_text: np.ndarray) -> Plot:
    """Return, for each token, how likely it is to come next: before training, after it, and as the text has it.

    >>> plot = sayings_chart(["bank"], np.array([0.1]), np.array([0.9]), np.array([1.0]))
    >>> plot.data["sayings"]["share"].to_pylist()
    [0.1, 0.9, 1.0]
    """
    rows = [
        {
            "token": f"{n}|{name}",
            "share": float(share),
            "idea": idea,
            "reading": f"{name}, {SAYINGS[idea]}: {share:.1%}",
        }
        for n, (name, *shares) in enumerate(zip(names, before, after, in_text, strict=True))
        for idea, share in zip(SAYINGS, shares, strict=True)
    ]
    return Plot(_sayings_look(), {"sayings": rows_table(rows)})
