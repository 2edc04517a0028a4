"""The charts of the lesson on training: losses by step, norms by row, and next-token probabilities."""

from collections.abc import Mapping, Sequence
from functools import lru_cache

import altair as alt
import numpy as np

from components.base.text_format import percent
from components.charts.palette import LETTERS, PAPER, color_by_role
from components.charts.plot import MAX_CACHED_SPECS, Plot, arrow_table, chart_on, name_axis, numbered, rows_table

MAX_POINTS = 200  # of a line


def downsample(losses: Sequence[float], max_points: int = MAX_POINTS) -> tuple[np.ndarray, np.ndarray]:
    """Return at most `max_points` steps and their losses: the first, the last, and the extremes of equal parts.

    Means would be a smooth line of losses that alternate.
    """
    values = np.array(losses, dtype=float)
    kept = np.arange(len(values))
    if len(values) > max_points:
        parts = np.array_split(kept, max_points // 2 - 1)
        extremes = [part[at(values[part])] for part in parts for at in (np.argmin, np.argmax)]
        kept = np.unique([0, *extremes, len(values) - 1])
    return kept + 1, values[kept]


@lru_cache(MAX_CACHED_SPECS)
def _loss_spec(names: tuple[tuple[str, str], ...]) -> dict:
    scale = alt.Scale(domainMin=0, domainMax=alt.expr("last"), nice=False)
    x = alt.X("step:Q", title="step", scale=scale, axis=alt.Axis(tickCount=10, tickMinStep=1, format="d"))
    y = alt.Y("loss:Q", title="loss", scale=alt.Scale(zero=True), axis=alt.Axis(format=".3~g"))
    tooltip = ["name:N", "step:Q", alt.Tooltip("loss:Q", format=".5~g")]
    legend = legend_of(dict(names)) if len(names) > 1 else None
    base = chart_on("losses").encode(x, y, color_by_role(), detail="name:N", tooltip=tooltip)
    # Hidden from screen readers: the reading describes the line, and there may be no mark, or no level.
    lines = base.mark_line(strokeWidth=2, aria=False).encode(color_by_role(legend=legend))
    points = base.mark_point(filled=True, size=14, opacity=1, aria=False)
    rules = chart_on("rules").mark_rule(strokeDash=[6, 4], aria=False)
    rules = rules.encode(y, color_by_role(), tooltip=["name:N", "loss:Q"])
    labels = chart_on("rules").encode(x=alt.value("width"), y=y, text="name:N")
    look = {"align": "right", "baseline": "bottom", "dy": -3, "fontSize": 12, "color": LETTERS}
    halo = labels.mark_text(**look, stroke=PAPER, strokeWidth=4, strokeJoin="round", aria=False)
    layers = alt.layer(rules, lines, points, halo, labels.mark_text(**look))
    # Independent: the other layers have no legend, and a shared one would then be none.
    return layers.resolve_legend(color="independent").properties(height=260 if legend else 220).to_dict()


def legend_of(names: Mapping[str, str]) -> alt.Legend:
    """Return a legend on top with the meaning of each color in use."""
    words = " : ".join(f"datum.label == '{color_role}' ? '{name}'" for color_role, name in names.items())
    columns = alt.expr("width < 350 ? 2 : 3")  # on a phone, two
    look = {"title": None, "orient": "top", "columns": columns, "aria": False}  # its description lists all color roles
    return alt.Legend(values=[*names], labelExpr=f"{words} : ''", **look)


def loss_chart(curves: Mapping[str, tuple[str, Sequence[float]]], steps: int, rules: Mapping[str, float]) -> Plot:
    """Return losses, by name with their color role, as lines over 0 to `steps`, and named levels as dashed rules."""
    columns: dict[str, list] = {"step": [], "loss": [], "name": [], "color_role": []}
    for name, (color_role, losses) in curves.items():
        kept_steps, values = downsample(losses)
        columns["step"] += kept_steps.tolist()
        columns["loss"] += values.tolist()
        columns["name"] += [name] * len(kept_steps)
        columns["color_role"] += [color_role] * len(kept_steps)
    level = {
        "loss": np.array([*rules.values()], dtype=float).round(4),
        "name": [*rules],
        "color_role": ["neutral"] * len(rules),
    }
    names = tuple((color_role, name) for name, (color_role, _) in curves.items())
    spec = {**_loss_spec(names), "params": [{"name": "last", "value": max(1, steps)}]}
    return Plot(spec, {"losses": arrow_table(columns), "rules": arrow_table(level)})


@lru_cache(MAX_CACHED_SPECS)
def _norms_spec(title: str) -> dict:
    y = alt.Y("row:N", sort=None, axis=name_axis())
    x = alt.X("norm:Q", title=title, axis=alt.Axis(tickCount=5, format="~g"))
    bars = chart_on("norms").mark_bar(height=12, opacity=0.85)
    bars = bars.encode(x, y, color_by_role(), tooltip=["reading:N"], description="reading:N")
    return bars.properties(height=alt.Step(20)).to_dict()


def norms_chart(names: Sequence[str], norms: np.ndarray, color_roles: Sequence[str], title: str) -> Plot:
    """Return the norms of rows as bars, each in the color of its role."""
    columns = {
        "row": numbered(names),
        "norm": norms.astype(float),
        "color_role": list(color_roles),
        "reading": [f"{name}: {norm:.4g}" for name, norm in zip(names, norms.tolist(), strict=True)],
    }
    return Plot(_norms_spec(title), {"norms": arrow_table(columns)})


PREDICTIONS = {"neutral": "before training", "token": "after training", "target": "in your text"}


@lru_cache(MAX_CACHED_SPECS)
def _predictions_spec() -> dict:
    y, offset = alt.Y("token:N", sort=None, axis=name_axis()), alt.YOffset("color_role:N", sort=[*PREDICTIONS])
    axis = alt.Axis(tickCount=5, format="~%")
    x = alt.X("share:Q", title="probability of being next", scale=alt.Scale(domain=[0, 1]), axis=axis)
    color = color_by_role(legend=legend_of(PREDICTIONS))
    bars = chart_on("predictions").mark_bar(height=8)
    bars = bars.encode(x, y, offset, color, tooltip=["reading:N"], description="reading:N")
    return bars.properties(height=alt.Step(10)).to_dict()


def predictions_chart(names: Sequence[str], before: np.ndarray, after: np.ndarray, in_text: np.ndarray) -> Plot:
    """Return the probability of each token to come next: before training, after it, and in the text."""
    rows = [
        {
            "token": label,
            "share": float(share),
            "color_role": color_role,
            "reading": f"{name}, {PREDICTIONS[color_role]}: {percent(share, 1)}",
        }
        for label, name, *shares in zip(numbered(names), names, before, after, in_text, strict=True)
        for color_role, share in zip(PREDICTIONS, shares, strict=True)
    ]
    return Plot(_predictions_spec(), {"predictions": rows_table(rows)})
