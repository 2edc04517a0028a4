"""The charts of the lesson on word2vec: values by epoch, ranked words, a map, a similarity matrix."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import product
from typing import Any

import altair as alt
import numpy as np

from components.charts.heatmap import heatmap
from components.charts.palette import LETTERS, color_by_role
from components.charts.plot import MAX_CACHED_SPECS, Plot, arrow_table, chart_on, rows_table
from components.figures.cells import number, text_width
from components.figures.labels import LARGEST_NAME, Area, place_labels

MARGIN = 1.25  # of the space that words take on the map: for the names of the outermost ones
NAME_SIZE = 13  # pixels, of a name on the map
LONGEST_GAP = 20  # pixels between a dot and its name without a line
MAPS = {"narrow": Area(0, 0, 235, 340), "wide": Area(0, 0, 700, 340), "widest": Area(0, 0, 1_230, 340)}  # in pixels


@lru_cache(MAX_CACHED_SPECS)
def _epochs_spec(title: str, top: float | None) -> dict:
    x = alt.X("epoch:Q", title="epoch", axis=alt.Axis(tickMinStep=1, format="d"))
    scale = alt.Scale(zero=False) if top is None else alt.Scale(domain=[0, top])
    y = alt.Y("value:Q", title=title, scale=scale, axis=alt.Axis(format=",.5~r", tickMinStep=1 if top else 0))
    tooltip = alt.Tooltip("value:Q", format=",.5~r")
    line = chart_on("epochs").mark_line(point=alt.OverlayMarkDef(size=36, aria=True), strokeWidth=2, aria=False)
    line = line.encode(x, y, color_by_role(), tooltip=["epoch:Q", tooltip], description="reading:N")
    return line.properties(height=180).to_dict()


def short(value: float) -> str:
    """Return a number with four digits at most, one from 1,000 on as a whole number.

    >>> short(15.5366), short(11218.4), short(7)
    ('15.54', '11,218', '7')
    """
    return f"{value:,.0f}" if value >= 999.5 else f"{value:.4g}"


def epochs_chart(values: Sequence[float], title: str, top: float | None = None) -> Plot:
    """Return one value for each epoch as a line; with `top` the axis is from 0 to `top`."""
    epochs = np.arange(1, len(values) + 1)
    columns = {"epoch": epochs, "value": np.array(values, dtype=float), "color_role": ["token"] * len(values)}
    columns["reading"] = [f"epoch {epoch}: {short(value)}" for epoch, value in enumerate(values, 1)]
    return Plot(_epochs_spec(title, top), {"epochs": arrow_table(columns)})


@lru_cache(MAX_CACHED_SPECS)
def _ranking_spec(low: float, high: float, title: str) -> dict:
    y = alt.Y("rank:N", sort=None, title=None, axis=alt.Axis(labelLimit=140))
    # The space above 1 is for the numbers beside the bars.
    x = alt.X("score:Q", title=title, scale=alt.Scale(domain=[low, high], nice=False), axis=alt.Axis(tickCount=5))
    tooltip = ["word:N", alt.Tooltip("score:Q", format=".4f")]
    base = chart_on("ranked").encode(x, y, tooltip=tooltip, description="reading:N")
    bars = base.mark_bar(height=14, opacity=0.8).encode(color=color_by_role())
    numbers = base.mark_text(align="left", dx=4, fontSize=11, color=LETTERS, aria=False)
    numbers = numbers.encode(text=alt.Text("score:Q", format=".4f"))
    return alt.layer(bars, numbers).properties(height=alt.Step(22)).to_dict()


def ranking_chart(ranked: Sequence[tuple[str, float]], inputs: Sequence[str] = (), title: str = "cosine") -> Plot:
    """Return words with their scores as bars, the first on top; input words are gray."""
    scores = np.array([score for _, score in ranked], dtype=float)
    low = min(0.0, float(np.floor(scores.min(initial=0.0) * 2) / 2))
    high = max(1.0, float(np.ceil(scores.max(initial=0.0) * 2) / 2)) * 1.15  # space for the number beside the bar
    table = {
        "rank": [f"{rank}. {word}" for rank, (word, _) in enumerate(ranked, 1)],
        "word": [word for word, _ in ranked],
        "score": scores.round(4),
        "color_role": ["neutral" if word in inputs else "token" for word, _ in ranked],
        "reading": [f"{rank}. {word}, {number(score, 4)}" for rank, (word, score) in enumerate(ranked, 1)],
    }
    return Plot(_ranking_spec(low, high, title), {"ranked": arrow_table(table)})


def flat_axes(x_title: str, y_title: str) -> tuple[alt.X, alt.Y]:
    """Return the encodings of x and y for a map: a unit has the same length on both, whatever the width of the page.

    Otherwise angles would be wrong. Center and extent of the points are parameters of the chart, so that its
    specification does not change when the points do.
    """

    def look(title: str, middle: str, half: str) -> dict[str, Any]:
        ends = {"domainMin": alt.expr(f"{middle} - {half}"), "domainMax": alt.expr(f"{middle} + {half}")}
        return {"title": title, "axis": alt.Axis(tickCount=5), "scale": alt.Scale(**ends, nice=False, zero=False)}

    x = alt.X("x:Q", **look(x_title, "middle_x", "max(half_y * width / height, half_x)"))
    return x, alt.Y("y:Q", **look(y_title, "middle_y", "max(half_y, half_x * height / width)"))


def flat_frame(points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the middle of `points` [n, 2], and half of what is shown of both axes at least."""
    low, high = points.min(axis=0), points.max(axis=0)
    return (low + high) / 2, np.maximum((high - low) / 2 * MARGIN, 0.01)


def flat_params(points: np.ndarray) -> list[dict[str, Any]]:
    """Return the parameters of flat axes for `points` [n, 2]."""
    middle, half = flat_frame(points)
    frame = {"middle_x": middle[0], "middle_y": middle[1], "half_x": half[0], "half_y": half[1]}
    return [{"name": name, "value": float(value)} for name, value in frame.items()]


@lru_cache(MAX_CACHED_SPECS)
def _map_spec(first: str, second: str) -> dict:
    x, y = flat_axes(first, second)
    words = chart_on("words").transform_filter(
        "datum.map == (width < 400 ? 'narrow' : width < 950 ? 'wide' : 'widest')"
    )
    line = {"x2Offset": alt.expr("datum.line_x"), "y2Offset": alt.expr("datum.line_y")}
    lines = words.mark_rule(**line, opacity=0.5, color=LETTERS, aria=False).encode(x, y, x2="x:Q", y2="y:Q")
    dots = words.mark_point(filled=True, size=60, aria=False).encode(x, y, color_by_role(), tooltip=["word:N"])
    align = alt.expr("datum.name_x > 0 ? 'left' : datum.name_x < 0 ? 'right' : 'center'")
    move = {"dx": alt.expr("datum.name_x"), "dy": alt.expr("datum.name_y")}
    names = words.mark_text(**move, align=align, fontSize=NAME_SIZE, color=LETTERS)
    names = names.encode(x, y, text="name:N", description="reading:N")
    return alt.layer(lines, dots, names).properties(height=420).to_dict()


def map_chart(words: Sequence[str], points: np.ndarray, shares: tuple[float, float]) -> Plot:
    """Return words at `points` [words, 2]; the axes are titled with the variance that they explain."""
    points = points.astype(float).round(4)
    rows = [
        {
            "map": size,
            "word": word,
            "x": x,
            "y": y,
            "color_role": "token",
            "reading": f"{word} at {number(x)}, {number(y)}",
            **name,
        }
        for size, area in MAPS.items()
        for word, (x, y), name in zip(words, points.tolist(), placed_names(words, points, area), strict=True)
    ]
    first, second = (f"direction {n}: {share:.0%} of the variance" for n, share in enumerate(shares, 1))
    return Plot({**_map_spec(first, second), "params": flat_params(points)}, {"words": rows_table(rows)})


def placed_names(words: Sequence[str], points: np.ndarray, area: Area) -> list[dict[str, Any]]:
    """Return for each of `words` at `points` [words, 2] its name and, in pixels from its dot, the name and its line.

    A name starts or ends at its x, or has its middle there if x is 0. One beside its dot needs no line; one that has
    no room is empty.

    >>> placed_names(["king"], np.array([[0.0, 0.0]]), Area(0, 0, 200, 100))
    [{'name': 'king', 'name_x': 9.0, 'name_y': 0.0, 'line_x': 0.0, 'line_y': 0.0}]
    """
    (middle, half), size = flat_frame(points), np.array(area[2:])
    dots = size / 2 + (points - middle) * (size / half / 2).min() * [1, -1]  # y is down on the screen
    widths = np.array([text_width(word, LARGEST_NAME) for word in words])
    names = place_labels(dots[None], widths, [[True] * len(words)], area)[0] - dots
    names[:, 0] = np.sign(names[:, 0]) * (np.abs(names[:, 0]) - widths / 2)
    lines = names - np.sign(names) * np.where(names[:, :1] == 0, [0, NAME_SIZE / 2], [2, 0])  # as far as the name
    lines *= np.linalg.norm(names, axis=1, keepdims=True) > LONGEST_GAP
    ends = np.nan_to_num(np.concatenate([names, lines], axis=1).round(1)).tolist()
    return [
        {"name": word if any(end) else "", **dict(zip(("name_x", "name_y", "line_x", "line_y"), end, strict=True))}
        for word, end in zip(words, ends, strict=True)
    ]


def matrix_chart(words: Sequence[str], values: np.ndarray) -> Plot:
    """Return the cosine similarity of every pair of words [words, words] as a heatmap."""
    pairs = zip(product(words, words), values.ravel(), strict=True)
    readings = [f"{one} and {other}: {number(value, 4)}" for (one, other), value in pairs]
    return heatmap(values, words, words, 1.0, "{row}, {column}", words=words, readings=readings)
