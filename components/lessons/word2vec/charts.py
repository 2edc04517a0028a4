"""The charts of the lesson on word2vec: values by epoch, ranked words, a map, a similarity matrix."""

from collections.abc import Sequence
from functools import lru_cache

import altair as alt
import numpy as np

from components.charts.columns import arrow_table
from components.charts.flat import flat_axes, flat_params
from components.charts.palette import READABLE_ON_CELL, color_by_role, value_scale
from components.charts.plot import MAX_CACHED_SPECS, ROW_LABEL, Plot, chart_on

LINE_HEIGHT = 180


@lru_cache(MAX_CACHED_SPECS)
def _epochs_spec(title: str, top: float | None) -> dict:
    x = alt.X("epoch:Q", title="epoch", axis=alt.Axis(tickMinStep=1, format="d"))
    scale = alt.Scale(zero=top is not None) if top is None else alt.Scale(domain=[0, top])
    y = alt.Y("value:Q", title=title, scale=scale, axis=alt.Axis(tickMinStep=1, format="~s"))
    line = chart_on("epochs").mark_line(point=alt.OverlayMarkDef(size=36), strokeWidth=2)
    return line.encode(x, y, color_by_role(), tooltip=["epoch:Q", "value:Q"]).properties(height=LINE_HEIGHT).to_dict()


def epochs_chart(values: Sequence[float], title: str, top: float | None = None) -> Plot:
    """Return one value for each epoch as a line; with `top` the axis is from 0 to `top`.

    >>> epochs_chart([3.0, 2.0], "loss").data["epochs"]["epoch"].to_pylist()
    [1, 2]
    """
    columns = {"epoch": np.arange(1, len(values) + 1), "value": np.array(values, dtype=float)}
    return Plot(_epochs_spec(title, top), {"epochs": arrow_table({**columns, "color_role": ["token"] * len(values)})})


@lru_cache(MAX_CACHED_SPECS)
def _ranking_spec(low: float, high: float, title: str) -> dict:
    y = alt.Y("rank:N", sort=None, title=None, axis=alt.Axis(labelExpr=ROW_LABEL, labelLimit=140))
    # The space above 1 is for the numbers beside the bars.
    x = alt.X("score:Q", title=title, scale=alt.Scale(domain=[low, high], nice=False), axis=alt.Axis(tickCount=5))
    tooltip = ["word:N", alt.Tooltip("score:Q", format=".4f")]
    base = chart_on("ranked").encode(x, y, tooltip=tooltip, description="reading:N")
    bars = base.mark_bar(height=14, opacity=0.8).encode(color=color_by_role())
    numbers = base.mark_text(align="left", dx=4, fontSize=11, aria=False)
    numbers = numbers.encode(text=alt.Text("score:Q", format=".4f"), color=color_by_role("letters"))
    return alt.layer(bars, numbers).properties(height=alt.Step(22)).to_dict()


def ranking_chart(ranked: Sequence[tuple[str, float]], inputs: Sequence[str] = (), title: str = "cosine") -> Plot:
    """Return words with their scores as bars, the first on top; input words are grey.

    >>> ranking_chart([("king", 0.8), ("queen", 0.55)], inputs=["king"]).data["ranked"]["color_role"].to_pylist()
    ['neutral', 'combined']
    """
    scores = np.array([score for _, score in ranked], dtype=float)
    low = min(0.0, float(np.floor(scores.min(initial=0.0) * 2) / 2))
    high = max(1.0, float(np.ceil(scores.max(initial=0.0) * 2) / 2)) * 1.15  # space for the number beside the bar
    table = {
        "rank": [f"{rank}|{rank}. {word}" for rank, (word, _) in enumerate(ranked, 1)],
        "word": [word for word, _ in ranked],
        "score": scores.round(4),
        "color_role": ["neutral" if word in inputs else "combined" for word, _ in ranked],
        "letters": ["letters"] * len(ranked),
        "reading": [f"{rank}. {word}, {score:.4f}" for rank, (word, score) in enumerate(ranked, 1)],
    }
    return Plot(_ranking_spec(low, high, title), {"ranked": arrow_table(table)})


ROOM = 1.25  # factor of the axes, for the names of the outermost words


@lru_cache(MAX_CACHED_SPECS)
def _map_spec(first: str, second: str) -> dict:
    x, y = flat_axes(first, second)
    points = chart_on("words").mark_point(filled=True, size=60).encode(x, y, color_by_role(), tooltip=["word:N"])
    layers = [
        chart_on(data)
        .mark_text(align=align, dx=dx, fontSize=13)
        .encode(x, y, color_by_role("letters"), text="word:N", description="reading:N")
        for data, align, dx in (("names_right", "left", 8), ("names_left", "right", -8))
    ]
    return alt.layer(points, *layers).properties(height=420).to_dict()


def map_chart(words: Sequence[str], points: np.ndarray, shares: tuple[float, float]) -> Plot:
    """Return words at `points` [words, 2]; the axes are titled with the variance that they explain.

    >>> map_chart(["a", "b"], np.eye(2), (0.7, 0.2)).data["names_left"]["word"].to_pylist()
    ['b']
    """
    points = points.astype(float).round(4)
    rows = [
        {
            "word": word,
            "x": x,
            "y": y,
            "color_role": "token",
            "letters": "letters",
            "reading": f"{word} at {x:.2f}, {y:.2f}",
        }
        for word, (x, y) in zip(words, points.tolist(), strict=True)
    ]
    left = names_to_the_left(points)
    first, second = (f"direction {n}: {share:.0%} of the variance" for n, share in enumerate(shares, 1))
    spec = {**_map_spec(first, second), "params": flat_params(points, ROOM)}
    data = {
        "words": rows,
        "names_left": [row for row, is_left in zip(rows, left, strict=True) if is_left],
        "names_right": [row for row, is_left in zip(rows, left, strict=True) if not is_left],
    }
    return Plot(
        spec, {name: arrow_table({key: [r[key] for r in some] for key in rows[0]}) for name, some in data.items()}
    )


def names_to_the_left(points: np.ndarray) -> list[bool]:
    """Return for each of `points` [words, 2] whether its name is on the left, away from its nearest neighbour.

    >>> names_to_the_left(np.array([[0.0, 0.0], [1.0, 0.0]]))
    [True, False]
    """
    sides = []
    for n, point in enumerate(points):
        distances = np.linalg.norm(points - point, axis=1)
        distances[n] = np.inf
        sides.append(bool(points[distances.argmin(), 0] > point[0]))
    return sides


@lru_cache(MAX_CACHED_SPECS)
def _matrix_spec(words: int) -> dict:
    axis = alt.Axis(labelExpr=ROW_LABEL, labelLimit=110, labelOverlap=False)
    x = alt.X("column:N", sort=None, title=None, axis=alt.Axis(**axis.to_dict(), orient="top", labelAngle=-45))
    y = alt.Y("row:N", sort=None, title=None, axis=axis)
    tooltip = ["pair:N", alt.Tooltip("value:Q", format=".4f")]
    base = chart_on("pairs").encode(x, y, tooltip=tooltip, description="reading:N")
    layers = [base.mark_rect().encode(color=alt.Color("value:Q", scale=value_scale(1.0), legend=None))]
    if words <= 12:
        room = alt.expr(f"width / {words} < 34 ? 0 : 1")
        numbers = base.mark_text(fontSize=11, opacity=room, color=READABLE_ON_CELL, aria=False)
        layers.append(numbers.encode(text=alt.Text("value:Q", format=".2f")))
    return alt.layer(*layers).properties(height=alt.Step(26)).to_dict()


def matrix_chart(words: Sequence[str], values: np.ndarray) -> Plot:
    """Return the cosine similarity of every pair of words [words, words] as a heatmap.

    >>> matrix_chart(["a", "b"], np.eye(2)).data["pairs"]["pair"].to_pylist()
    ['a, a', 'a, b', 'b, a', 'b, b']
    """
    keys = [f"{n}|{word}" for n, word in enumerate(words)]
    pairs = [(r, c) for r in range(len(words)) for c in range(len(words))]
    table = {
        "row": [keys[r] for r, _ in pairs],
        "column": [keys[c] for _, c in pairs],
        "value": values.astype(float).round(4).ravel(),
        "pair": [f"{words[r]}, {words[c]}" for r, c in pairs],
        "reading": [f"{words[r]} and {words[c]}: {values[r, c]:.4f}" for r, c in pairs],
    }
    return Plot(_matrix_spec(len(words)), {"pairs": arrow_table(table)})
