import json
import re
import tomllib
import xml.etree.ElementTree as ET
from itertools import pairwise
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from components.base.learner_text import show_hidden
from components.charts.heatmap import heatmap, shared_bound
from components.charts.palette import COLOR_ROLES, READABLE_ON_CELL
from components.charts.plot import arrow_table, rows_table
from components.charts.svg_file import chart_svg
from components.lessons.word2vec.charts import flat_axes, flat_params

THEME = tomllib.loads((Path(__file__).parents[2] / ".streamlit" / "config.toml").read_text("utf-8"))["theme"]
NAMES = ("blue", "orange", "violet", "green", "red")


@pytest.fixture(params=["light", "dark"])
def theme(request):
    return THEME[request.param]


def channels(color):
    return [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]


def luminance(rgb):
    red, green, blue = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in rgb]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one, other):
    low, high = sorted(luminance(channels(c) if isinstance(c, str) else c) for c in (one, other))
    return (high + 0.05) / (low + 0.05)


def test_theme_gives_every_role_a_color_of_its_own(theme):
    assert len({*theme["chartCategoricalColors"]}) == len(COLOR_ROLES)


def test_theme_colors_are_readable_on_the_grounds_that_they_have(theme):
    page = theme["backgroundColor"]
    assert min(contrast(color, page) for color in theme["chartCategoricalColors"]) >= 3
    for name in NAMES:
        assert min(contrast(theme[f"{name}TextColor"], each) for each in (page, theme[f"{name}BackgroundColor"])) >= 4.5


def test_readable_on_cell_has_contrast_on_every_heatmap_color(theme):
    limit, dark, bright = re.search(r"> ([0-9.]+) \? '(#\w{6})' : '(#\w{6})'", READABLE_ON_CELL["expr"]).groups()
    for one, other in pairwise(map(channels, theme["chartDivergingColors"])):
        for step in range(51):
            cell = [a + (b - a) * step / 50 for a, b in zip(one, other, strict=True)]
            assert contrast(dark if luminance(cell) > float(limit) else bright, cell) >= 4.5


INTEGERS = st.integers(-(2**63), 2**63 - 1)
WORDS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
ROW = st.fixed_dictionaries({"integer": INTEGERS, "number": st.floats(allow_nan=False), "word": WORDS})


@given(st.lists(ROW, min_size=1, max_size=6))
def test_rows_table_of_any_rows_shows_hidden_characters_alone(rows):
    table = rows_table(rows)
    table.validate(full=True)
    assert table.to_pylist() == [{**row, "word": show_hidden(row["word"])} for row in rows]


@pytest.mark.parametrize(
    ("column", "dtype"),
    [
        ([1, 2], pa.int64()),
        (np.array([1, 2], dtype=np.int32), pa.int64()),
        (np.arange(10)[::2], pa.int64()),
        ([0.5, 2], pa.float64()),
        (np.array([0.5], dtype=np.float32), pa.float64()),
        (["a"], pa.string()),
        ([], pa.string()),
    ],
    ids=str,
)
def test_arrow_table_has_only_types_that_a_browser_reads(column, dtype):
    table = arrow_table({"x": column})
    table.validate(full=True)
    assert table.schema.field("x").type == dtype
    assert table.column("x").to_pylist() == list(column)


SCALES = [axis.to_dict()["scale"] for axis in flat_axes("a", "b")]


@given(
    st.lists(st.tuples(st.floats(-50, 50), st.floats(-50, 50)), min_size=1, max_size=9),
    st.integers(100, 2_000),
    st.integers(100, 900),
)
@example([(2.0, 3.0)] * 2, 100, 100)  # no extent
def test_flat_axes_contain_all_points_with_equal_units(points, width, height):
    names = {param["name"]: param["value"] for param in flat_params(np.array(points))}
    names |= {"width": width, "height": height}
    units = []
    for scale, pixels, values in zip(SCALES, (width, height), zip(*points, strict=True), strict=True):
        low, high = (eval(scale[end]["expr"], {"max": max}, names) for end in ("domainMin", "domainMax"))
        assert low < min(values) <= max(values) < high
        assert low + high == pytest.approx(min(values) + max(values), abs=1e-9)
        assert (scale["zero"], scale["nice"]) == (False, False)
        units.append((high - low) / pixels)
    assert units[0] == pytest.approx(units[1])


def test_heatmap_names_each_number_in_the_order_of_rows():
    values = np.array([[1.0, -2.0], [0.0, 0.123456], [-0.00001, 0.0]])
    plot = heatmap(values, ["bank", "{row}|x", "bank"], ["7", "5", "6"], 1.0, "W[{row}, {column}]", first_column=48)
    cells = plot.data["cells"].to_pylist()
    assert [cell["row"] for cell in cells[::2]] == ["0|bank", "1|{row}|x", "2|bank"]
    assert [cell["value"] for cell in cells] == [1, -2, 0, 0.1235, 0, 0]
    assert (cells[3]["column"], cells[3]["cell"], cells[3]["reading"]) == (49, "W[5, 49]", "W[5, 49] = 0.1235")
    assert heatmap(values, "abc", "123", 1.0).data["cells"].to_pylist()[1]["reading"] == "[1, 1] = −2.0000"  # from 0 on
    assert cells[4]["reading"] == "W[6, 48] = 0.0000"  # without a sign
    assert all(layer["encoding"]["y"]["sort"] is None for layer in plot.spec["layer"])


@pytest.mark.parametrize(("columns", "words", "has_numbers"), [(16, 0, 1), (17, 0, 0), (12, 1, 1), (13, 1, 0)])
def test_heatmap_has_numbers_only_in_few_columns(columns, words, has_numbers):
    spec = heatmap(np.zeros((2, columns)), "ab", "01", 3.0, words=["river"] * columns * words).spec
    marks = [layer["mark"] for layer in spec["layer"]]
    cells = spec["layer"][0]["encoding"]
    assert (cells["x"]["axis"]["labelAngle"], cells["tooltip"][0]["title"]) == ((-45, "pair") if words else (0, "cell"))
    assert not words or cells["x"]["sort"] is None  # by the numbers of the words: "10|" is not before "2|"
    assert cells["color"]["legend"]["values"] == [-3, -1.5, 0, 1.5, 3]
    assert [mark["type"] for mark in marks] == ["rect", *["text"] * has_numbers, "rect"]
    assert not any(mark["aria"] for mark in marks[1:])  # a screen reader reads each cell once
    assert '""' not in json.dumps(spec)  # each title and format of a number has a text


@given(st.lists(st.lists(st.floats(-100, 100) | st.floats(-0.3, 0.3), max_size=5), max_size=4))
@example([[-0.25]])  # the largest number with small steps
def test_shared_bound_is_the_least_step_that_contains_all(lists):
    bound = shared_bound(*map(np.array, lists))
    largest = max((abs(number) for numbers in lists for number in numbers), default=0)
    step, rounding = 0.5 if largest > 0.25 else 0.05, 1e-9
    assert bound == pytest.approx(round(bound / step) * step)
    assert bound - step < largest + rounding
    assert largest <= bound + rounding


def plot_of():
    return heatmap(np.full((2, 3), 0.5), ["a", "b"], ["0", "1"], 1.0, marked=[1])


def test_plot_has_the_same_look_and_numbers_in_both_forms():
    spec, chart = plot_of().to_spec(), plot_of().to_dict()
    assert {name: table.to_pylist() for name, table in spec.pop("datasets").items()} == chart.pop("datasets")
    assert spec == chart
    larger = plot_of().to_spec(zoom=2.0)
    assert larger["height"]["step"] == 2 * spec["height"]["step"]
    assert larger["layer"][1]["mark"] == spec["layer"][1]["mark"] | {"fontSize": 24}
    assert larger["config"]["legend"] == {"labelFontSize": 24, "titleFontSize": 24}


@pytest.mark.parametrize("form", ["to_spec", "to_dict"])
def test_plot_changed_after_building_leaves_the_next_unchanged(form):
    before = plot_of().to_dict()
    changed = getattr(plot_of(), form)()
    changed["height"]["step"] = -1
    changed["layer"][0]["encoding"].clear()
    changed["config"]["axis"] = None
    changed["datasets"].clear()
    assert plot_of().to_dict() == before


COLORS = {"category": ["#123456"] * 7, "diverging": ["#000000", "#FFFFFF"]}


def test_chart_svg_has_the_numbers_colors_and_escaped_names():
    name = "<b>'|{0}&"
    svg = chart_svg(heatmap(np.array([[0.25, -1.5]]), [name], ["0"], 3.0, marked=[0]).to_dict(), COLORS)
    picture = ET.fromstring(svg)
    assert {"0.25", "−1.50", name} <= {*picture.itertext()}
    assert b"#123456" in svg
    assert float(picture.get("width")) > 720
    assert picture.find("{*}rect").get("fill") == "#FFFFFF"  # behind everything


def test_chart_svg_of_an_invalid_chart_is_refused_in_a_sentence():
    with pytest.raises(RuntimeError, match=r"^The picture could not be rendered; the chart's own menu offers a PNG\.$"):
        chart_svg({"mark": {"no": "chart"}, "data": 5}, {})
