import numpy as np
import pytest

from components.charts.film import ROOM, film_chart

POINTS = np.array([[[0.0, 0.0], [1.0, 1.0]], [[0.0, 2.0], [1.0, 1.0]], [[4.0, 2.00004], [1.0, -3.0]]])


def drawn(steps: tuple[int, ...] = (0, 4, 9)) -> tuple[list[dict], dict]:
    plot = film_chart(["a", "b"], ["token", "target"], steps, POINTS[: len(steps)])
    params = {param["name"]: param for param in plot.to_dict()["params"]}
    return plot.to_dict()["datasets"]["film"], params


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
    assert [row["idea"] for row in rows] == ["token", "target"] * 3
    assert rows[4]["reading"] == "a at 4.00, 2.00 after step 9"


def test_all_frames_fit_on_the_same_axes():
    _, params = drawn()
    middle, half = params["middle_y"]["value"], params["half_y"]["value"]
    assert (middle, half) == pytest.approx((-0.5, 2.5 * ROOM))
    assert (params["middle_x"]["value"], params["half_x"]["value"]) == pytest.approx((2.0, 2.0 * ROOM))


def test_the_chart_is_valid_and_its_look_is_built_once():
    plot = film_chart(["a", "b"], ["token"] * 2, [0, 4, 9], POINTS)
    other = film_chart(["c", "d"], ["token"] * 2, [0], POINTS[:1])
    assert plot.to_chart()
    assert other.to_chart()
    assert plot.look["layer"] is other.look["layer"]
