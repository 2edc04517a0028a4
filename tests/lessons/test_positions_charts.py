import math

import numpy as np
import pytest
import torch
from torch import nn

from components.lessons.positions.charts import norm_chart, wave_chart


@pytest.fixture
def learned():
    with torch.random.fork_rng():
        torch.manual_seed(7)
        return nn.Embedding(9, 5).weight.detach()


def test_the_wave_is_one_column_of_the_table_place_by_place(learned):
    chart = wave_chart(learned[:, 3].numpy(), column=3).to_dict()
    wave = chart["datasets"]["wave"]
    assert [point["position"] for point in wave] == list(range(9))
    assert [point["value"] for point in wave] == pytest.approx(learned[:, 3].tolist(), abs=5e-5)
    assert chart["encoding"]["y"]["title"] == "P[t, 3]"


def test_a_sine_comes_back_as_a_sine():
    sines = np.array([math.sin(place) for place in range(64)])
    wave = wave_chart(sines, 0).to_dict()["datasets"]["wave"]
    assert [point["value"] for point in wave] == [round(math.sin(place), 4) for place in range(64)]


def test_lengths_are_the_norms_that_torch_gives(learned):
    lengths = torch.linalg.vector_norm(learned, dim=1)
    rows = norm_chart(lengths.numpy(), math.sqrt(5)).to_dict()["datasets"]["rows"]
    assert [row["position"] for row in rows] == list(range(9))
    assert [row["norm"] for row in rows] == pytest.approx(lengths.tolist(), abs=5e-5)


def test_the_expected_length_is_one_dashed_rule():
    chart = norm_chart(np.array([2.0]), math.sqrt(8)).to_dict()
    (expected,) = chart["datasets"]["expected"]
    assert expected["norm"] == 2.8284
    (rule,) = [layer["mark"] for layer in chart["layer"] if layer["mark"]["type"] == "rule"]
    assert rule["strokeDash"]


@pytest.mark.parametrize(("lengths", "expected"), [([1.0, 9.0], 4.0), ([1.0], 4.0), ([0.1], 0.1)])
def test_the_axis_of_lengths_starts_at_zero_and_holds_points_and_rule(lengths, expected):
    layers = norm_chart(np.array(lengths), expected).to_dict()["layer"]
    for layer in layers:
        low, high = layer["encoding"]["y"]["scale"]["domain"]
        assert low == 0
        assert high > max(*lengths, expected)


def test_positions_have_the_colour_of_positions():
    wave = wave_chart(np.zeros(2), 0).to_dict()["datasets"]["wave"]
    rows = norm_chart(np.zeros(2), 1.0).to_dict()["datasets"]["rows"]
    assert {point["color_role"] for point in wave + rows} == {"position"}
