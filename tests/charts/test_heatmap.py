import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.charts.heatmap import heatmap, shared_bound


def chart_of(values, bound=3.0, **extra):
    names = [str(row) for row in range(len(values))]
    return heatmap(np.asarray(values, dtype=float), names, names, bound, "W[{row}, {column}]", **extra)


def test_heatmap_names_each_number_in_the_order_of_rows():
    values = np.array([[1.0, 2.0], [0.0, 0.123456], [0.0, 0.0]])
    plot = heatmap(values, ["bank", "{row}|x", "bank"], ["7", "5", "6"], 1.0, "W[{row}, {column}]", first_column=48)
    cells = plot.data["cells"].to_pylist()
    assert [cell["row"] for cell in cells[::2]] == ["0|bank", "1|{row}|x", "2|bank"]
    assert [cell["value"] for cell in cells] == [1, 2, 0, 0.1235, 0, 0]
    assert (cells[3]["column"], cells[3]["cell"], cells[3]["reading"]) == (49, "W[5, 49]", "W[5, 49] = 0.1235")
    assert all(layer["encoding"]["y"]["sort"] is None for layer in plot.spec["layer"])


@pytest.mark.parametrize(("columns", "words", "has_numbers"), [(16, 0, 1), (17, 0, 0), (12, 1, 1), (13, 1, 0)])
def test_heatmap_has_numbers_only_in_few_columns(columns, words, has_numbers):
    spec = chart_of(np.zeros((2, columns)), words=["river"] * columns * words).spec
    marks = [layer["mark"] for layer in spec["layer"]]
    cells = spec["layer"][0]["encoding"]
    assert (cells["x"]["axis"]["labelAngle"], cells["tooltip"][0]["title"]) == ((-45, "pair") if words else (0, "cell"))
    assert [mark["type"] for mark in marks] == ["rect", *["text"] * has_numbers, "rect"]
    assert not any(mark["aria"] for mark in marks[1:])  # a screen reader reads each cell once
    assert '""' not in json.dumps(spec)  # each title and format of a number has a text


@given(st.lists(st.lists(st.floats(-100, 100), max_size=5), max_size=4))
def test_shared_bound_is_the_least_half_step_that_contains_all(lists):
    bound = shared_bound(*map(np.array, lists))
    largest = max((abs(number) for numbers in lists for number in numbers), default=0)
    assert (bound * 2).is_integer()
    assert bound - 0.5 < largest <= bound or (bound == 0.5 and largest == 0)
