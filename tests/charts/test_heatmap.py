import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from components.charts.heatmap import MAX_CELLS, MAX_COLUMNS_WITH_NUMBERS, heatmap, shared_bound


def chart_of(values, bound=3.0, **extra):
    names = [str(row) for row in range(len(values))]
    return heatmap(np.asarray(values, dtype=float), names, names, bound, "W[{row}, {column}]", **extra).to_dict()


def marks_of(chart):
    return [layer["mark"]["type"] for layer in chart["layer"]]


def scales_of(chart):
    return [layer["encoding"]["color"]["scale"] for layer in chart["layer"] if "color" in layer["encoding"]]


def test_every_cell_has_its_name_and_the_number_torch_drew():
    with torch.random.fork_rng():
        torch.manual_seed(123)
        weight = nn.Embedding(6, 3).weight.detach()
    cells = {cell["cell"]: cell["value"] for cell in chart_of(weight)["datasets"]["cells"]}
    assert len(cells) == 18
    for row in range(6):
        for column in range(3):
            assert cells[f"W[{row}, {column}]"] == pytest.approx(weight[row, column].item(), abs=5e-5)
    assert cells["W[3, 1]"] == 0.9666


def test_numbers_are_rounded_to_the_four_decimals_that_are_printed():
    (cell,) = chart_of([[0.123456]])["datasets"]["cells"]
    assert cell["value"] == 0.1235


def test_columns_count_from_the_first_column_shown():
    cells = chart_of([[1.0, 2.0]], first_column=48)["datasets"]["cells"]
    assert [(cell["cell"], cell["column"]) for cell in cells] == [("W[0, 48]", 48), ("W[0, 49]", 49)]


def test_marked_rows_and_no_others_are_framed():
    chart = chart_of(np.zeros((4, 2)), marked=[3, 1])
    rows = list(dict.fromkeys(cell["row"] for cell in chart["datasets"]["cells"]))
    frames = chart["datasets"]["frames"]
    assert [frame["row"] for frame in frames] == [rows[1], rows[3]]
    assert {frame["color_role"] for frame in frames} == {"token"}
    assert chart_of(np.zeros((4, 2)))["datasets"]["frames"] == []


@pytest.mark.parametrize(
    ("columns", "texts"), [(1, 1), (MAX_COLUMNS_WITH_NUMBERS, 1), (MAX_COLUMNS_WITH_NUMBERS + 1, 0)]
)
def test_numbers_stand_in_the_cells_only_where_columns_are_few(columns, texts):
    assert marks_of(chart_of(np.zeros((2, columns)))).count("text") == texts


def test_more_cells_than_a_browser_redraws_at_once_are_refused():
    assert len(chart_of(np.zeros((MAX_CELLS // 4, 4)))["datasets"]["cells"]) == MAX_CELLS
    with pytest.raises(ValueError, match=f"{MAX_CELLS:,}"):
        chart_of(np.zeros((MAX_CELLS // 4 + 1, 4)))


@pytest.mark.parametrize("bound", [0.5, 3.0])
def test_colours_have_one_domain_around_zero(bound):
    (scale,) = scales_of(chart_of([[0.1, -0.2]], bound))
    assert scale["domain"] == [-bound, bound]
    assert scale["range"] == "diverging"
    assert scale["clamp"] is True


def test_rows_of_the_same_name_stay_apart_and_are_drawn_without_their_number():
    chart = heatmap(np.eye(3), ["bank", "the", "bank"], ["0", "1", "2"], 1.0).to_dict()
    rows = list(dict.fromkeys(cell["row"] for cell in chart["datasets"]["cells"]))
    assert len(rows) == 3
    expression = chart["layer"][0]["encoding"]["y"]["axis"]["labelExpr"]
    assert expression == "slice(datum.label, indexof(datum.label, '|') + 1)"
    assert [row[row.index("|") + 1 :] for row in rows] == ["bank", "the", "bank"]


def test_rows_keep_the_order_they_are_given_in():
    chart = heatmap(np.zeros((3, 1)), ["c", "a", "b"], ["7", "5", "6"], 1.0).to_dict()
    assert chart["layer"][0]["encoding"]["y"]["sort"] is None
    assert [cell["cell"] for cell in chart["datasets"]["cells"]] == ["[7, 0]", "[5, 0]", "[6, 0]"]


def test_a_name_with_braces_or_bars_is_kept_as_it_is():
    chart = heatmap(np.zeros((1, 1)), ["{row}|x"], ["4"], 1.0, "W[{row}, {column}]").to_dict()
    (cell,) = chart["datasets"]["cells"]
    assert cell["cell"] == "W[4, 0]"
    assert cell["row"].split("|", 1)[1] == "{row}|x"


@given(st.lists(st.lists(st.floats(-100, 100), max_size=5), max_size=4))
def test_the_shared_bound_holds_every_number_and_is_a_half_step(lists):
    bound = shared_bound(*map(np.array, lists))
    assert bound >= 0.5
    assert (bound * 2).is_integer()
    assert all(abs(number) <= bound for numbers in lists for number in numbers)
    assert bound == 0.5 or any(abs(number) > bound - 0.5 for numbers in lists for number in numbers)
