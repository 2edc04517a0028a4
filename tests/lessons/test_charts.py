"""The charts of all lessons: the numbers that they show, as Vega-Lite renders them, with hostile words in them."""

import json
import re
import xml.etree.ElementTree as ET
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
import vl_convert
from hypothesis import given
from hypothesis import strategies as st

from components.embedding.timing import Quartiles, Timing
from components.lessons.lookup.charts import norms_chart as norms_of_all_chart
from components.lessons.one_hot.charts import timing_chart
from components.lessons.positions.charts import wave_chart
from components.lessons.training.charts import MAX_POINTS, downsample, loss_chart, norms_chart, predictions_chart
from components.lessons.word2vec.charts import epochs_chart, map_chart, matrix_chart, ranking_chart

# Of a word of the learner and a number: each chart, and a description that one of its marks must have.
CHARTS = {
    "timing": (
        lambda w, x: timing_chart([Timing(V, Quartiles(x, x, 2 * x), Quartiles(x, x, 3 * x)) for V in (16, 1_024)]),
        "one-hot product, V = 1,024: 1,000,000.0 microseconds",
    ),
    "wave": (lambda w, x: wave_chart(np.array([x, -x]), 7), "P[t, 7]"),
    "losses": (lambda w, x: loss_chart({"c": ("token", [3.0, x]), "d": ("position", [x])}, 5, {"ln V": x}), "d"),
    "no losses": (lambda w, x: loss_chart({"c": ("token", [])}, 0, {f"ln {x}": x}), "ln 1.0"),
    "norms of rows": (
        lambda w, x: norms_chart([w, "a"], np.array([x / 8.1, 1]), ["token"] * 2, "far"),
        "{word}: 0.1235",
    ),
    "norms of all": (
        lambda w, x: norms_of_all_chart(np.array([x, x, x + 60]), [(w, x)]),
        "norms from 1.000 to 2.000: 2 rows",
    ),
    "predictions": (
        lambda w, x: predictions_chart([w], np.array([x / 4]), np.array([x / 20]), np.array([x / 2])),
        "{word}, in your text: 50.0%",
    ),
    "epochs": (lambda w, x: epochs_chart([x, 3], "solved", 8.0), "solved"),
    "loss of epochs": (lambda w, x: epochs_chart([x, 3], "loss"), "loss"),
    "ranking": (lambda w, x: ranking_chart([("a", 0.8), (w, x / 8.1)], ["a"]), "2. {word}, 0.1235"),
    "map": (
        lambda w, x: map_chart([w, "a"], np.array([[0, 0], [x, 1]]), (0.7, 0.2)),
        "direction 1: 70% of the variance",
    ),
    "matrix": (lambda w, x: matrix_chart([w, "a"], np.array([[1, x / 4], [0, 1]])), "{word} and a: 0.2500"),
    "large matrix": (lambda w, x: matrix_chart([w] * 20, np.full((20, 20), x / 4)), "{word} and {word}: 0.2500"),
}


def rows_of(plot, data, *names):
    return [tuple(row[name] for name in names) for row in plot.data[data].to_pylist()]


def test_charts_of_all_lessons_are_drawn_here():
    files = Path(__file__).parents[2].glob("components/lessons/*/charts.py")
    modules = [import_module(f"components.lessons.{file.parent.name}.charts") for file in files]
    found = {made for module in modules for name, made in vars(module).items() if name.endswith("_chart")}
    drawn = {globals()[name] for chart, _ in CHARTS.values() for name in chart.__code__.co_names if name in globals()}
    assert not found - drawn, "add an example of each to CHARTS"
    assert matrix_chart in found


@pytest.mark.parametrize(("chart", "description"), CHARTS.values(), ids=CHARTS)
def test_chart_with_hostile_words_is_drawn_with_all_its_data(chart, description):
    word = "<b>'|0&"
    plot = chart(word, 1.0)
    svg = ET.fromstring(vl_convert.vegalite_to_svg({**plot.to_dict(), "width": 600}))
    shown = {*svg.itertext(), *(part.get("aria-label", "") for part in svg.iter())}
    internal = re.compile(r"color_role|letters|\b\d+\|")  # they have no meaning for a screen reader
    assert not any(internal.search(text) for text in shown)
    rows = [row for table in plot.data.values() for row in table.to_pylist()]
    assert {row["reading"] for row in rows if "reading" in row} | {description.format(word=word)} <= shown
    assert any(word in text for text in shown) is any(word in str(value) for row in rows for value in row.values())
    assert '""' not in json.dumps(plot.spec)  # each title and format of a number has a text
    other = chart("river", 2 / 3)
    for layer in plot.spec.get("layer", [plot.spec]):
        encodings = [e for each in layer["encoding"].values() for e in (each if isinstance(each, list) else [each])]
        data = layer.get("data", plot.spec.get("data"))["name"]
        assert {e["field"] for e in encodings if "field" in e} <= {*plot.data[data].column_names}
        for e in layer["encoding"].get("tooltip", []):
            if e["type"] == "quantitative" and "format" not in e:
                assert all(value == round(value, 4) for value in other.data[data][e["field"]].to_pylist()), e["field"]
    part = "layer" if "layer" in plot.spec else "encoding"
    assert plot.spec[part] is other.spec[part]  # built once: the browser only replaces the data
    assert plot.data != other.data


@pytest.mark.parametrize(("score", "low", "high"), [(2.88, 0, 2.88), (-0.3, -0.3, 1)])
def test_ranking_chart_has_room_for_all_scores(score, low, high):
    for layer in ranking_chart([("a", score)]).spec["layer"]:
        first, last = layer["encoding"]["x"]["scale"]["domain"]
        assert low - 0.5 < first <= low
        assert high * 1.1 < last < high * 1.3


@given(st.lists(st.floats(0, 100), max_size=60), st.integers(4, 20))
def test_downsample_of_any_losses_keeps_ends_and_extremes(losses, most):
    steps, values = downsample(losses, most)
    kept = steps.tolist()
    assert len(kept) == len(losses) if len(losses) <= most else len(kept) <= most
    assert values.tolist() == [losses[step - 1] for step in kept]
    ends = [1, len(losses)] if losses else []
    assert [*kept[:1], *kept[-1:]] == ends
    assert sorted({*kept}) == kept
    assert not losses or (min(values), max(values)) == (min(losses), max(losses))


def test_downsample_of_alternating_losses_still_alternates():
    _, values = downsample([2.0, 1.0] * 1_000)
    assert np.abs(np.diff(values)).sum() >= MAX_POINTS // 2 - 1  # once in each part


@pytest.mark.parametrize(("steps", "last"), [(0, 1), (5, 5)])
def test_loss_chart_has_curves_levels_and_all_steps(steps, last):
    plot = loss_chart({"a": ("token", [3.0, 2.0]), "b": ("position", [1.0])}, steps, {"ln V": 3.04452})
    losses = [("a", "token", 1, 3.0), ("a", "token", 2, 2.0), ("b", "position", 1, 1.0)]
    assert rows_of(plot, "losses", "name", "color_role", "step", "loss") == losses
    assert rows_of(plot, "rules", "name", "loss", "color_role") == [("ln V", 3.0445, "neutral")]
    assert plot.spec["params"] == [{"name": "last", "value": last}]
    assert len(rows_of(loss_chart({"loss": ("token", [1.0] * 2_000)}, 2_000, {}), "losses")) <= MAX_POINTS


def test_charts_of_rows_keep_equal_names_apart():
    plot = norms_chart(["bank", "bank"], np.array([0.5, 0.123456]), ["token", "error"], "distance")
    assert rows_of(plot, "norms", "row", "norm", "color_role") == [
        ("0|bank", 0.5, "token"),
        ("1|bank", 0.123456, "error"),
    ]


@pytest.mark.parametrize(("size", "width"), [("narrow", 235), ("wide", 700), ("widest", 1_230)])
def test_no_name_of_a_map_covers_a_dot_or_another_name(size, width):
    words = [f"word{n:02}" for n in range(13)] + ["unending" * 20]
    points = np.random.default_rng(3).normal(size=(14, 2)).round(4)
    plot = map_chart(words, points, (0.7, 0.2))
    rows = [row for row in plot.to_dict()["datasets"]["words"] if row["map"] == size]
    assert [row["word"] for row in rows] == words
    assert [(row["x"], row["y"]) for row in rows] == [*map(tuple, points)]
    assert [row["name"] for row in rows] == [*words[:-1], ""]  # no room for the last one
    at = {param["name"]: param["value"] for param in plot.spec["params"]}
    pixels = min(width / 2 / at["half_x"], 340 / 2 / at["half_y"])
    dots = (points - [at["middle_x"], at["middle_y"]]) * pixels * [1, -1]
    ends = np.array([(row["name_x"], row["name_y"]) for row in rows])[:-1]
    names = ends + dots[:-1] + np.sign(ends) * [6 * 3.9, 0]  # their middles: they start or end there
    for n, (x, y) in enumerate(names):
        assert abs(x) + 6 * 3.9 < width / 2
        assert not any(abs(x - dot_x) < 6 * 3.9 and abs(y - dot_y) < 6.5 for dot_x, dot_y in dots)
        others = np.delete(names, n, axis=0)
        assert not any(abs(x - name_x) < 6 * 7.8 and abs(y - name_y) < 13 for name_x, name_y in others)
        line = np.array([rows[n]["line_x"], rows[n]["line_y"]])
        edge = max(abs(line + dots[n] - names[n]) / [6 * 3.9 + 2, 6.5])
        assert edge == pytest.approx(1, abs=0.01) or (not line.any() and max(abs(ends[n])) < 20)
