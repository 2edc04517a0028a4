import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.lessons.training.animation import POINT, animation_chart, name_box, names_with_room

POINTS = np.array([[[0.0, 0.0], [1.0, 1.0]], [[0.0, 2.0], [1.0, 1.0]], [[4.0, 2.00004], [1.0, -3.0]]])


@pytest.mark.parametrize(("steps", "last", "middle"), [((0,), 1, (0.5, 0.5)), ((0, 4, 9), 9, (2.0, -0.5))])
def test_animation_chart_at_each_step_shows_every_row_as_it_was(steps, last, middle):
    plot = animation_chart(["a", "b"], ["token", "target"], steps, POINTS[: len(steps)])
    params = {param["name"]: param for param in plot.spec["params"]}
    assert (params["middle_x"]["value"], params["middle_y"]["value"]) == pytest.approx(middle, abs=1e-4)
    assert (params["at"]["value"], params["at"]["bind"]["min"], params["at"]["bind"]["max"]) == (steps[-1], 0, last)
    rows = plot.data["snapshots"].to_pylist()
    for at in range(last + 1):
        frame = max(n for n, step in enumerate(steps) if step <= at)
        shown = [row for row in rows if row["step"] <= at <= row["until"]]
        assert [(row["row"], row["color_role"], row["x0"], row["y0"], row["x"], row["y"]) for row in shown] == [
            (name, role, *POINTS[0, n], *POINTS[frame, n].round(4))
            for n, (name, role) in enumerate([("a", "token"), ("b", "target")])
        ]
        x, y = POINTS[frame, 1]
        assert shown[1]["reading"] == f"b at {x:.2f}, {y:.2f} after step {steps[frame]}"
    assert len({(row["row"], row["side"], row["scale"]) for row in rows}) == 2  # names do not change sides


@given(
    st.lists(st.tuples(st.floats(-3, 3), st.floats(-3, 3), st.integers(1, 12)), min_size=1, max_size=12),
    st.floats(5, 200),
)
def test_names_with_room_cover_no_other_name_and_no_point(rows, scale):
    points, letters = np.array([row[:2] for row in rows]), [row[2] for row in rows]
    sides = [side for side, _ in names_with_room(points, letters, [scale])]
    boxes = {n: name_box(points[n] * scale, side, letters[n]) for n, side in enumerate(sides) if side}
    dots = {n: np.hstack([point - POINT, point + POINT]) for n, point in enumerate(points * scale)}
    for n, box in boxes.items():
        for other in [each[m] for each in (boxes, dots) for m in each if m != n]:
            assert (other[:2] >= box[2:]).any() or (other[2:] <= box[:2]).any()


def test_names_with_room_on_a_larger_map_only_are_shown_there():
    close = np.array([[0.0, 0.0], [0.0, 0.1], [0.0, 0.2]])
    assert names_with_room(close, [3] * 3, [10.0]) == [(1, 10.0), (-1, 10.0), (0, 0.0)]
    assert names_with_room(close, [3] * 3, [10.0, 300.0]) == [(1, 10.0), (-1, 10.0), (1, 300.0)]
