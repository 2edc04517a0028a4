import numpy as np
import pytest

from components.charts.heatmap import heatmap
from components.lessons.combine.charts import broadcast_chart
from components.lessons.positions.charts import norm_chart, wave_chart
from components.lessons.windows.charts import coverage_chart, shift_chart
from tests.vega import altair_chart

CHARTS = {
    "heatmap": lambda: heatmap(np.zeros((2, 3)), ["a", "b"], ["0", "1"], 1.0, marked=[1]),
    "heatmap without frames": lambda: heatmap(np.zeros((1, 1)), ["a"], ["0"], 1.0),
    "wide heatmap": lambda: heatmap(np.zeros((2, 48)), ["a", "b"], ["0", "1"], 1.0),
    "wave": lambda: wave_chart(np.zeros(3), 0),
    "lengths": lambda: norm_chart(np.ones(3), 1.0),
    "shift": lambda: shift_chart([0], [["a"]], [["b"]]),
    "coverage": lambda: coverage_chart(np.array([1]), np.array([0]), ["a"]),
    "broadcast": lambda: broadcast_chart(2, 4, 8),
}


def encodings_of(chart):
    for layer in chart.get("layer", [chart]):
        yield layer.get("data", chart.get("data"))["name"], layer["encoding"]


@pytest.mark.parametrize("name", CHARTS)
def test_every_chart_fits_the_schema_of_vega_lite(name):
    chart = altair_chart(CHARTS[name]()).to_dict()  # Altair checks on both ways
    assert chart["$schema"].startswith("https://vega.github.io/schema/vega-lite/")


@pytest.mark.parametrize("name", CHARTS)
def test_every_field_that_a_chart_draws_is_in_its_data(name):
    plot = CHARTS[name]()
    for data, encoding in encodings_of(plot.to_dict()):
        parts = [
            part for channel in encoding.values() for part in (channel if isinstance(channel, list) else [channel])
        ]
        fields = {part["field"] for part in parts if "field" in part}
        assert fields <= set(plot.data[data].column_names)


@pytest.mark.parametrize("name", CHARTS)
def test_a_changed_specification_leaves_the_next_one_as_it_was(name):
    before = CHARTS[name]().to_dict()
    spoiled = CHARTS[name]().to_spec()
    spoiled["height"] = -1
    for _, encoding in encodings_of(spoiled):
        encoding.clear()
    assert CHARTS[name]().to_dict() == before


@pytest.mark.parametrize("name", CHARTS)
def test_streamlit_gets_the_same_look_and_numbers(name):
    spec, chart = CHARTS[name]().to_spec(), CHARTS[name]().to_dict()
    assert {key: table.to_pylist() for key, table in spec.pop("datasets").items()} == chart.pop("datasets")
    assert spec == chart


@pytest.mark.parametrize("larger", [1.0, 1.5])
def test_labels_stand_at_their_ticks_at_the_ends_of_an_axis_as_well(larger):
    axis = CHARTS["wave"]().to_spec(larger)["config"]["axis"]
    assert axis["labelFlush"] is False
    assert axis["labelSeparation"] > 0
    assert axis.get("labelFontSize") == (18 if larger == 1.5 else None)


def test_other_numbers_of_the_same_size_keep_the_look():
    charts = [heatmap(np.full((2, 3), number), ["a", "b"], ["0", "1"], 1.0).to_dict() for number in (0.1, 0.2)]
    data = [chart.pop("datasets") for chart in charts]
    assert charts[0] == charts[1]
    assert data[0] != data[1]
