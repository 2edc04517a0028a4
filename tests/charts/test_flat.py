import altair as alt
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.charts.flat import HALF_X_SHOWN, HALF_Y_SHOWN, flat_axes, flat_params

PLACES = st.lists(st.tuples(st.floats(-50, 50), st.floats(-50, 50)), min_size=1, max_size=9)


def reach(expression: str, **names: float) -> float:
    return eval(expression, {"max": max}, names)


@given(PLACES, st.integers(100, 2_000), st.integers(100, 900))
def test_all_points_fit_and_one_unit_is_as_long_across_as_up(places, width, height):
    points = np.array(places)
    params = {param["name"]: param["value"] for param in flat_params(points, margin=1.15)}
    half = {name: params[name] for name in ("half_x", "half_y")}
    across, up = (reach(expression, width=width, height=height, **half) for expression in (HALF_X_SHOWN, HALF_Y_SHOWN))
    assert across / width == pytest.approx(up / height)
    low, high = points.min(axis=0), points.max(axis=0)
    for axis, (middle, room) in enumerate([("middle_x", across), ("middle_y", up)]):
        assert params[middle] - room <= low[axis]
        assert high[axis] <= params[middle] + room


def test_points_in_one_place_have_some_room():
    values = [param["value"] for param in flat_params(np.array([[2.0, 3.0]] * 2), margin=1.15)]
    assert values == [2.0, 3.0, 0.01, 0.01]


def test_the_axes_are_valid_and_framed_by_the_parameters():
    x, y = flat_axes("direction 1", "direction 2")
    chart = alt.Chart(alt.NamedData(name="points")).mark_point().encode(x, y).to_dict()
    scale = chart["encoding"]["y"]["scale"]
    assert scale["domainMin"] == {"expr": f"middle_y - {HALF_Y_SHOWN}"}
    assert chart["encoding"]["x"]["scale"]["domainMax"] == {"expr": f"middle_x + {HALF_X_SHOWN}"}
    assert (scale["zero"], scale["nice"]) == (False, False)
    assert chart["encoding"]["y"]["title"] == "direction 2"
