import numpy as np
import pytest

from components.embedding.projection import project


@pytest.mark.parametrize("seed", range(5))
def test_project_explains_as_much_variance_as_its_shares(seed):
    rows = np.random.default_rng(seed).normal(size=(12, 6))
    projection = project(rows)
    variances = np.linalg.eigvalsh(np.cov(rows.T))[::-1]
    assert projection.shares == pytest.approx(tuple(variances[:2] / variances.sum()))
    assert np.var(projection.points, axis=0, ddof=1) == pytest.approx(variances[:2])
    assert projection.apply(rows) == pytest.approx(projection.points)
    assert (projection.axes.max(axis=1) == np.abs(projection.axes).max(axis=1)).all()  # which fixes the signs


@pytest.mark.parametrize("rows", [np.zeros((3, 4)), np.array([[1.0], [3.0]]), np.eye(2)])
def test_project_of_few_vectors_keeps_their_distances(rows):
    projection = project(rows)
    assert projection.points.shape == (len(rows), 2)
    assert np.linalg.norm(np.diff(projection.points, axis=0)) == pytest.approx(np.linalg.norm(np.diff(rows, axis=0)))
    assert sum(projection.shares) == pytest.approx(1.0 if rows.any() else 0.0)
