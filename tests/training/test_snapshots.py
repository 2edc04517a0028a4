import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from components.embedding.tables import seeded_generator
from components.training.snapshots import MAX_FRAMES, SnapshotRecorder, neighbour_mismatches


def record_random_tables(rows: list[int], steps: int, V: int = 6, D: int = 5) -> tuple[SnapshotRecorder, list[Tensor]]:
    generator = seeded_generator(steps)
    tables = [torch.randn(V, D, generator=generator) for _ in range(steps + 1)]
    snapshots = SnapshotRecorder(rows, tables[0])
    for step in range(1, steps + 1):
        snapshots.record_snapshot(step, tables[step])
    return snapshots, tables


@pytest.mark.parametrize(("steps", "every"), [(0, 1), (31, 1), (32, 2), (63, 2), (64, 4), (127, 4), (700, 32)])
def test_snapshot_recorder_keeps_at_most_32_at_even_distances(steps, every):
    snapshots, _ = record_random_tables([0, 1], steps, V=2, D=3)
    assert snapshots.every == every
    assert snapshots.steps == [*range(0, steps + 1, every)]
    assert len(snapshots.steps) <= MAX_FRAMES == 32
    assert snapshots.nbytes == len(snapshots.steps) * 2 * 3 * 4


@pytest.mark.parametrize("steps", [0, 5, 100])
def test_project_uses_the_first_two_principal_components_of_all_snapshots(steps):
    rows = [1, 3, 4, 5]
    snapshots, tables = record_random_tables(rows, steps)
    found = snapshots.project(steps + 1, tables[0] * 2)
    assert found.steps == (*snapshots.steps, steps + 1)
    shown = [tables[step] for step in snapshots.steps] + [tables[0] * 2]
    vectors = np.concatenate([table[rows].double().numpy() for table in shown])
    centred = vectors - vectors.mean(axis=0)
    variances, directions = np.linalg.eigh(centred.T @ centred)
    expected = (centred @ directions[:, [-1, -2]]).reshape(len(shown), 4, 2)
    signs = np.sign((found.points * expected).sum(axis=(0, 1)))
    assert found.points == pytest.approx(signs * expected, abs=1e-6)
    assert found.shares == pytest.approx(variances[[-1, -2]] / variances.sum())


def test_project_after_a_recorded_step_shows_that_step_once_and_stores_nothing():
    snapshots, tables = record_random_tables([0, 1, 2], 3)
    tables[0] += 1  # a snapshot is a copy
    assert snapshots.project(3, tables[3]).steps == (0, 1, 2, 3)
    found = snapshots.project(4, tables[0])
    assert (found.steps, snapshots.steps) == ((0, 1, 2, 3, 4), [0, 1, 2, 3])
    assert np.abs(found.points[4] - found.points[0]).max() > 0.1
    with pytest.raises(ValueError, match="1 vectors make no map"):
        SnapshotRecorder([0], tables[0]).project(0, tables[0])


@pytest.mark.parametrize("bad", [float("nan"), -float("inf")])
def test_project_leaves_out_snapshots_that_are_not_finite(bad):
    snapshots, tables = record_random_tables([0, 1, 2], 3)
    tables[3][5, 0] = bad  # not a recorded row
    assert snapshots.project(3, tables[3]).steps == (0, 1, 2, 3)
    tables[3][1, 2] = bad
    snapshots.record_snapshot(4, tables[3])
    found = snapshots.project(5, tables[3])
    assert found.steps == (0, 1, 2, 3)
    assert np.isfinite(found.points).all()


@given(st.integers(2, 12), st.integers(3, 6), st.integers(0, 99))
def test_neighbour_mismatches_counts_rows_with_another_nearest_neighbour(rows, D, seed):
    vectors = torch.randn(rows, D, generator=seeded_generator(seed)).double().numpy()
    points = vectors[:, :2]

    def nearest(vectors: np.ndarray, row: int) -> int:
        return min({*range(rows)} - {row}, key=lambda other: np.linalg.norm(vectors[row] - vectors[other]))

    different = [nearest(points, row) != nearest(vectors, row) for row in range(rows)]
    assert neighbour_mismatches(points, vectors) == sum(different)
    assert neighbour_mismatches(points, points) == 0
