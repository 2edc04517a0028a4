from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.vectors.analogy_space import analogy_space
from tests.vectors.small_vectors import keyed


@given(st.integers(1, 40), st.integers(0, 10_000), st.sampled_from([1.0, 1e-3]), st.data())
def test_distances_of_the_coordinates_are_those_of_the_unit_vectors(D, seed, apart, data):
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=D) + apart * rng.normal(size=(4, D))
    if data.draw(st.booleans()):  # equal words: the plane is a line or a point
        rows = rows[data.draw(st.lists(st.integers(0, 3), min_size=4, max_size=4))]
    vectors = keyed("abcd", rows)
    space = analogy_space(vectors, *"abcd")
    unit = dict(zip("abcd", rows / np.linalg.norm(rows, axis=1, keepdims=True), strict=True))
    unit["sum"] = unit["a"] - unit["b"] + unit["c"]
    drawn = {"a": space.a, "b": space.b, "c": space.c, "d": space.answer, "sum": space.sum}
    for one, other in combinations(drawn, 2):
        expected = np.linalg.norm(unit[one] - unit[other])
        assert np.linalg.norm(drawn[one] - drawn[other]) == pytest.approx(expected, abs=5e-6), (one, other)
    assert [space.a[2], space.b[2], space.c[2], space.sum[2]] == pytest.approx([0.0] * 4, abs=5e-6)
    assert space.height >= 0
    assert space.distance(space.foot) ** 2 + space.height**2 == pytest.approx(space.distance(space.answer) ** 2)
