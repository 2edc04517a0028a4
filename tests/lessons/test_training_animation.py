import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.lessons.training.animation import POINT, ROOM, animation_chart, name_box, names_with_room
from tests.vega import altair_chart

POINTS = np.array([[[0.0, 0.0], [1.0, 1.0]], [[0.0, 2.0], [1.0, 1.0]], [[4.0, 2.00004], [1.0, -3.0]]])


def drawn(steps: tuple[int, ...] = (0, 4, 9)) -> tuple[list[dict], dict]:
    plot = animation_chart(["a", "b"], ["token", "target"], steps, POINTS[: len(steps)])
    params = {param["name"]: param for param in plot.to_dict()["params"]}
    return plot.to_dict()["datasets"]["snapshots"], params


def shown(rows: list[dict], at: int) -> list[dict]:
    return [row for row in rows if row["step"] <= at <= row["until"]]


def test_each_place_of_the_slider_shows_every_row_once_as_it_was_by_then():
    rows, params = drawn()
    assert (params["at"]["bind"]["min"], params["at"]["bind"]["max"]) == (0, 9)
    for at in range(10):
        assert [row["row"] for row in shown(rows, at)] == ["a", "b"]
        assert {row["step"] for row in shown(rows, at)} == {max(step for step in (0, 4, 9) if step <= at)}


def test_the_slider_begins_at_the_last_step():
    rows, params = drawn()
    now = shown(rows, params["at"]["value"])
    assert [(row["x"], row["y"]) for row in now] == [(4.0, 2.0), (1.0, -3.0)]


def test_before_the_first_step_the_rows_are_drawn():
    rows, params = drawn(steps=(0,))
    assert len(shown(rows, params["at"]["value"])) == 2


def test_every_frame_knows_where_its_rows_began():
    rows, _ = drawn()
    assert [(row["x0"], row["y0"]) for row in rows] == [(0.0, 0.0), (1.0, 1.0)] * 3
    assert [row["color_role"] for row in rows] == ["token", "target"] * 3
    assert rows[4]["reading"] == "a at 4.00, 2.00 after step 9"


def test_all_frames_fit_on_the_same_axes():
    _, params = drawn()
    middle, half = params["middle_y"]["value"], params["half_y"]["value"]
    assert (middle, half) == pytest.approx((-0.5, 2.5 * ROOM))
    assert (params["middle_x"]["value"], params["half_x"]["value"]) == pytest.approx((2.0, 2.0 * ROOM))


@given(
    st.lists(st.tuples(st.floats(-3, 3), st.floats(-3, 3), st.integers(1, 12)), min_size=1, max_size=12),
    st.floats(5, 200),
)
def test_no_name_covers_another_name_or_a_point(rows, scale):
    points, letters = np.array([row[:2] for row in rows]), [row[2] for row in rows]
    places = names_with_room(points, letters, [scale])
    boxes = {n: name_box(points[n] * scale, side, letters[n]) for n, (side, _) in enumerate(places) if side}
    dots = [np.hstack([point - POINT, point + POINT]) for point in points * scale]
    for n, box in boxes.items():
        others = [dot for m, dot in enumerate(dots) if m != n] + [other for m, other in boxes.items() if m != n]
        for other in others:
            assert (other[:2] >= box[2:]).any() or (other[2:] <= box[:2]).any()


def test_a_name_without_room_waits_for_a_larger_map_and_is_left_out_where_there_is_none():
    close = np.array([[0.0, 0.0], [0.0, 0.1], [0.0, 0.2]])
    assert names_with_room(close, [3] * 3, [10.0]) == [(1, 10.0), (-1, 10.0), (0, 0.0)]
    assert names_with_room(close, [3] * 3, [10.0, 300.0]) == [(1, 10.0), (-1, 10.0), (1, 300.0)]


def test_a_name_stays_on_its_side_in_all_frames():
    rows, _ = drawn()
    sides = {row["row"]: {(each["side"], each["scale"]) for each in rows if each["row"] == row["row"]} for row in rows}
    assert {name: len(places) for name, places in sides.items()} == {"a": 1, "b": 1}


def test_the_chart_is_valid_and_its_look_is_built_once():
    plot = animation_chart(["a", "b"], ["token"] * 2, [0, 4, 9], POINTS)
    other = animation_chart(["c", "d"], ["token"] * 2, [0], POINTS[:1])
    assert altair_chart(plot)
    assert altair_chart(other)
    assert plot.spec["layer"] is other.spec["layer"]
