import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.lessons.training.charts import MAX_POINTS, downsample, loss_chart, norms_chart, predictions_chart
from tests.vega import altair_chart


@given(st.lists(st.floats(0, 100), max_size=60), st.integers(1, 20))
def test_a_thinned_point_is_the_mean_up_to_its_step(losses, most):
    steps, values = downsample(losses, most)
    assert len(steps) == len(values) <= most
    begin = 0
    for end, value in zip(steps.tolist(), values.tolist(), strict=True):
        assert value == pytest.approx(sum(losses[begin:end]) / (end - begin))
        begin = end
    assert begin == len(losses)


@given(st.lists(st.floats(0, 100), max_size=20))
def test_few_losses_are_not_thinned(losses):
    steps, values = downsample(losses, 20)
    assert steps.tolist() == list(range(1, len(losses) + 1))
    assert values.tolist() == losses


def test_a_curve_has_at_most_so_many_points_and_ends_with_the_last_step():
    losses = [1 / step for step in range(1, 2_001)]
    drawn = loss_chart({"loss": ("token", losses)}, 2_000).to_dict()["datasets"]["losses"]
    assert len(drawn) == MAX_POINTS
    assert drawn[-1]["step"] == 2_000
    assert drawn[0] == {"step": 10, "loss": pytest.approx(np.mean(losses[:10])), "name": "loss", "color_role": "token"}


def test_losses_levels_and_steps_are_drawn():
    plot = loss_chart({"a": ("token", [3.0, 2.0]), "b": ("position", [1.0])}, 5, {"ln V": math.log(21)})
    data = plot.to_dict()["datasets"]
    assert [(row["name"], row["color_role"], row["step"], row["loss"]) for row in data["losses"]] == [
        ("a", "token", 1, 3.0),
        ("a", "token", 2, 2.0),
        ("b", "position", 1, 1.0),
    ]
    assert [(row["name"], row["loss"]) for row in data["rules"]] == [("ln V", 3.0445)]
    assert {"name": "last", "value": 5} in plot.to_dict()["params"]
    assert altair_chart(plot)


def test_a_legend_names_several_curves_and_one_curve_needs_none():
    chart = loss_chart({"a": ("token", [1.0]), "b": ("position", [1.0])}, 1).to_dict()
    (legend,) = [
        layer["encoding"]["color"]["legend"] for layer in chart["layer"] if layer["encoding"]["color"]["legend"]
    ]
    assert legend["labelExpr"] == "datum.label == 'token' ? 'a' : datum.label == 'position' ? 'b' : ''"
    # The layers without a legend would take it away where all share one.
    assert chart["resolve"] == {"legend": {"color": "independent"}}
    assert "labelExpr" not in str(loss_chart({"a": ("token", [1.0])}, 1).to_dict())


def test_no_step_yet_is_a_chart_as_well():
    plot = loss_chart({"loss": ("token", [])}, 0, {"ln V": 3.0})
    assert plot.to_dict()["datasets"]["losses"] == []
    assert {"name": "last", "value": 1} in plot.to_dict()["params"]
    assert altair_chart(plot)


def test_every_row_has_a_bar_even_where_two_have_the_same_name():
    plot = norms_chart(
        ["bank", "a|b", "bank"], np.array([0.5, 0.0, 0.123456]), ["token", "neutral", "error"], "how far"
    )
    rows = plot.to_dict()["datasets"]["norms"]
    assert [row["row"] for row in rows] == ["0|bank", "1|a|b", "2|bank"]
    assert [row["norm"] for row in rows] == [0.5, 0.0, 0.123456]
    assert [row["color_role"] for row in rows] == ["token", "neutral", "error"]
    assert rows[2]["reading"] == "bank: 0.1235"
    assert plot.to_dict()["encoding"]["x"]["title"] == "how far"
    assert altair_chart(plot)


def test_every_token_has_three_bars():
    plot = predictions_chart(["bank", "bank"], np.array([0.1, 0.2]), np.array([0.9, 0.05]), np.array([1.0, 0.0]))
    rows = plot.to_dict()["datasets"]["predictions"]
    assert [(row["token"], row["color_role"], row["share"]) for row in rows] == [
        ("0|bank", "neutral", 0.1),
        ("0|bank", "token", 0.9),
        ("0|bank", "target", 1.0),
        ("1|bank", "neutral", 0.2),
        ("1|bank", "token", 0.05),
        ("1|bank", "target", 0.0),
    ]
    assert rows[4]["reading"] == "bank, after training: 5.0%"
    assert plot.to_dict()["encoding"]["x"]["scale"]["domain"] == [0, 1]
    assert altair_chart(plot)


def test_the_same_look_is_built_once():
    first, second = (norms_chart(["a"], np.array([x]), ["token"], "gradient") for x in (1.0, 2.0))
    assert first.spec is second.spec
    assert first.spec is not norms_chart(["a"], np.array([1.0]), ["token"], "distance").spec
    one, two = (predictions_chart(["a"] * n, *[np.full(n, 0.5)] * 3) for n in (1, 2))
    assert one.spec is two.spec
    short, long = (loss_chart({"loss": ("token", [1.0] * n)}, n) for n in (1, 300))
    assert short.spec["layer"] is long.spec["layer"]
    assert short.spec["layer"] is not loss_chart({"none": ("neutral", [1.0])}, 1).spec["layer"]
