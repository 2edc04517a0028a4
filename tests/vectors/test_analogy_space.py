from itertools import combinations

import numpy as np
import pytest
from gensim.models import KeyedVectors
from hypothesis import given
from hypothesis import strategies as st

from components.vectors.analogy_space import analogy_space

NAMES = ["a", "b", "c", "d"]


def vectors_of(rows):
    vectors = KeyedVectors(len(rows[0]))
    vectors.add_vectors(NAMES, np.array(rows, dtype=np.float32))
    return vectors


@given(st.integers(1, 40), st.integers(0, 10_000), st.sampled_from([1.0, 1e-3]), st.data())
def test_distances_of_the_coordinates_are_those_of_the_unit_vectors(D, seed, apart, data):
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=D) + apart * rng.normal(size=(4, D))
    repeated = data.draw(st.lists(st.integers(0, 3), min_size=4, max_size=4))
    if data.draw(st.booleans()):
        rows = rows[repeated]  # equal words: the plane is a line or a point
    vectors = vectors_of(rows)
    space = analogy_space(vectors, *NAMES)
    unit = {name: vectors[name].astype(np.float64) for name in NAMES}
    unit = {name: vector / np.linalg.norm(vector) for name, vector in unit.items()}
    unit["sum"] = unit["a"] - unit["b"] + unit["c"]
    drawn = {"a": space.a, "b": space.b, "c": space.c, "d": space.answer, "sum": space.sum}
    for one, other in combinations(drawn, 2):
        expected = np.linalg.norm(unit[one] - unit[other])
        assert np.linalg.norm(drawn[one] - drawn[other]) == pytest.approx(expected, abs=5e-6), (one, other)
    assert space.height >= 0
    assert [space.a[2], space.b[2], space.c[2], space.sum[2]] == pytest.approx([0.0] * 4, abs=5e-6)


def test_plane_alone_has_other_distances():
    space = analogy_space(vectors_of([[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, -1, 1.5]]), *NAMES)
    assert space.distance(space.foot) < space.distance(space.answer)
