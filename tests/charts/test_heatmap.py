import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.charts.heatmap import MAX_COLUMNS_WITH_NUMBERS, heatmap, shared_bound
from components.charts.palette import role_scale


def chart_of(values, bound=3.0, **extra):
    names = [str(row) for row in range(len(values))]
    return heatmap(np.asarray(values, dtype=float), names, names, bound, "W[{row}, {column}]", **extra)


def cells_of(plot):
    return plot.data["cells"].to_pylist()


def test_heatmap_names_each_number_by_row_and_column():
    *_, cell = cells_of(chart_of([[1.0, 2.0], [3.0, 0.123456]], first_column=48))
    assert cell == {"row": "1|1", "column": 49, "value": 0.1235, "cell": "W[1, 49]", "reading": "W[1, 49] = 0.1235"}


def test_heatmap_frames_exactly_the_marked_rows():
    frames = chart_of(np.zeros((4, 2)), marked=[3, 1]).data["frames"].to_pylist()
    assert frames == [{"row": "1|1", "color_role": "token"}, {"row": "3|3", "color_role": "token"}]
    assert chart_of(np.zeros((4, 2))).data["frames"].num_rows == 0
    stroke = chart_of(np.zeros((4, 2))).spec["layer"][-1]["encoding"]["stroke"]
    assert stroke == {"field": "color_role", "type": "nominal", "scale": role_scale().to_dict(), "legend": None}


def test_heatmap_keeps_order_and_names_of_rows():
    plot = heatmap(np.zeros((3, 1)), ["bank", "{row}|x", "bank"], ["7", "5", "6"], 1.0)
    assert [(cell["row"], cell["cell"]) for cell in cells_of(plot)] == [
        ("0|bank", "[7, 0]"),
        ("1|{row}|x", "[5, 0]"),
        ("2|bank", "[6, 0]"),
    ]
    assert all(layer["encoding"]["y"]["sort"] is None for layer in plot.spec["layer"])


@pytest.mark.parametrize(("columns", "has_numbers"), [(1, 1), (MAX_COLUMNS_WITH_NUMBERS, 1), (17, 0)])
def test_heatmap_has_numbers_only_in_few_columns(columns, has_numbers):
    marks = [layer["mark"]["type"] for layer in chart_of(np.zeros((2, columns))).spec["layer"]]
    assert marks.count("text") == has_numbers


def test_heatmap_colors_are_symmetric_about_zero():
    scale = chart_of([[0.1, -0.2]], 0.5).spec["layer"][0]["encoding"]["color"]["scale"]
    assert scale == {"domain": [-0.5, 0.5], "range": "diverging", "clamp": True}


@given(st.lists(st.lists(st.floats(-100, 100), max_size=5), max_size=4))
def test_shared_bound_is_the_least_half_step_that_contains_all(lists):
    bound = shared_bound(*map(np.array, lists))
    largest = max((abs(number) for numbers in lists for number in numbers), default=0)
    assert (bound * 2).is_integer()
    assert bound - 0.5 < largest <= bound or (bound == 0.5 and largest == 0)
