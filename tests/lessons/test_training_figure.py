"""Where the names of moving points are placed."""

from itertools import product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from components.figures.labels import CLEARANCE, NAME_HEIGHT, RADIUS, SIDES, Area, place_labels


def overlap(one, other):
    """Return whether two rectangles have a common area; each is a center, a width and a height."""
    (x1, y1, width1, height1), (x2, y2, width2, height2) = one, other
    return abs(x1 - x2) < (width1 + width2) / 2 - 1e-9 and abs(y1 - y2) < (height1 + height2) / 2 - 1e-9


@given(st.lists(st.tuples(st.floats(0, 400), st.floats(0, 200), st.integers(10, 110)), min_size=1), st.integers(0, 9))
def test_labels_cover_no_other_label_and_no_point(rows, n_lit):
    points, lit = np.array([[row[:2] for row in rows]]), [n < n_lit for n in range(len(rows))]
    (centers,) = place_labels(points, [row[2] for row in rows], [lit], Area(0, 0, 400, 200)).tolist()
    taken = []
    for n, ((x, y), (dot_x, dot_y, width)) in enumerate(zip(centers, rows, strict=True)):
        if not np.isnan(x):
            others = [(*row[:2], *[2 * (RADIUS + CLEARANCE)] * 2) for m, row in enumerate(rows) if m != n]
            own = dot_x, dot_y, 2 * RADIUS, 2 * RADIUS
            assert not any(overlap((x, y, width, NAME_HEIGHT), other) for other in (*taken, *others, own))
            assert width / 2 < x < 400 - width / 2
            assert NAME_HEIGHT / 2 < y < 200 - NAME_HEIGHT / 2
            taken.append((x, y, width, NAME_HEIGHT))


def test_a_name_can_be_on_every_side_of_its_point():
    assert sorted(map(tuple, SIDES.tolist())) == [each for each in product((-1, 0, 1), repeat=2) if any(each)]


def test_each_point_of_a_crowd_has_a_name_that_stays_on_its_side():
    crowd = np.array([[200.0 + 9 * (n % 3), 100.0 + 8 * (n // 3)] for n in range(9)])
    before, after = place_labels(np.stack([crowd, crowd + 1]), [40] * 9, [[False] * 9] * 2, Area(0, 0, 400, 200))
    assert not np.isnan(before).any()
    assert (after == before + 1).all()


def test_name_is_beside_the_line_from_its_point_if_there_is_room():
    points, wide = np.array([[[50.0, 50.0], [300.0, 50.0]]]), Area(0, 0, 400, 200)
    sides = [place_labels(points, [40] * 2, [[True] * 2], wide, joined) - points for joined in ((), ((0, 1),))]
    assert [bool(side[0, 0, 0] > 0) for side in sides] == [True, False]
    flat = place_labels(points, [40] * 2, [[True] * 2], Area(20, 36, 330, 64), ((0, 1),))
    assert not np.isnan(flat).any()


def test_name_without_room_is_left_out_and_batch_names_are_first():
    points = np.array([[[60.0, 50.0], [60.0, 52.0], [60.0, 54.0]]] * 2)
    first = [[False, False, True], [False] * 3]
    centers = place_labels(points, [36] * 3, first, Area(0, 36, 120, 68))
    assert (~np.isnan(centers[..., 0])).tolist() == [[True, False, True], [True, True, False]]
