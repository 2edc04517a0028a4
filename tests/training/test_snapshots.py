import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from components.base.limits import MAX_TRAINING_STEPS
from components.training.config import TrainingConfig
from components.training.recorded import RecordedTraining
from components.training.snapshots import EVERY_STEP_TO, SnapshotRecorder, is_recorded, neighbour_mismatches
from tests.training.trainings import random_text, trained, usual_config


def test_recorded_steps_are_the_first_ones_and_then_further_and_further_apart():
    recorded = [step for step in range(MAX_TRAINING_STEPS + 1) if is_recorded(step)]
    assert recorded[: EVERY_STEP_TO + 1] == [*range(EVERY_STEP_TO + 1)]
    distances = np.diff(recorded[EVERY_STEP_TO:])
    assert (np.diff(distances) >= 0).all()
    assert recorded[-1] * 1.31 > MAX_TRAINING_STEPS
    assert len(recorded) <= 40


@pytest.mark.parametrize("steps", [0, 7, 20, 40])
def test_snapshots_have_the_rows_before_and_after_each_step(steps):
    config = usual_config("momentum", batch_size=2)
    training, other = trained(config, steps), trained(config, 0)
    stored = {each.step: each for each in training.snapshots.stored}
    assert [*stored] == [step for step in range(steps + 1) if is_recorded(step)]
    assert training.snapshots.nbytes == len(stored) * 2 * len(training.snapshots.rows) * config.dim * 4
    for step in range(1, steps + 1):
        before = other.table.clone()
        other.step()
        if step in stored:
            found, moved = stored[step], (other.table - before).norm(dim=1)
            assert np.array_equal(found.before, before[training.snapshots.rows])
            assert np.array_equal(found.after, other.table[training.snapshots.rows])
            assert found.loss == other.losses[-1]
            assert [*found.looked_up] == other.batch.flatten().tolist()
            assert (found.n_changed, found.farthest) == ((other.table != before).any(dim=1).sum(), moved.argmax())
            assert found.distance == pytest.approx(moved.max().item())


@pytest.mark.parametrize("steps", [0, 5, 30])
def test_project_uses_the_first_two_principal_components_of_all_snapshots(steps):
    training = trained(TrainingConfig(dim=5), steps)
    recorder = training.snapshots
    found = recorder.project(training)
    assert found.steps == [*recorder.steps, *([] if is_recorded(steps) else [steps])]
    shown = [trained(TrainingConfig(dim=5), step) for step in found.steps]
    after = np.stack([each.table[recorder.rows].double().numpy() for each in shown])
    before = np.stack([each.previous_table[recorder.rows].double().numpy() for each in shown])
    center = after.mean(axis=(0, 1))
    flat = (after - center).reshape(-1, 5)
    variances, directions = np.linalg.eigh(flat.T @ flat)
    axes = directions[:, [-1, -2]]
    signs = np.sign((found.after * ((after - center) @ axes)).sum(axis=(0, 1)))
    assert found.after == pytest.approx(signs * ((after - center) @ axes), abs=1e-5)
    assert found.before == pytest.approx(signs * ((before - center) @ axes), abs=1e-5)
    assert found.shares == pytest.approx(variances[[-1, -2]] / variances.sum(), abs=1e-6)


def test_project_after_a_step_that_is_not_recorded_stores_nothing():
    training = trained(TrainingConfig(), 23)
    assert training.snapshots.project(training).steps[-2:] == [20, 23]
    assert training.snapshots.steps[-1] == 20
    training = trained(TrainingConfig(), 0)
    with pytest.raises(ValueError, match="1 vectors make no map"):
        SnapshotRecorder([0], training).project(training)


def test_project_leaves_out_snapshots_that_are_not_finite():
    training = RecordedTraining(random_text(), TrainingConfig(learning_rate=1e6))
    training.advance(1_000, seconds=60.0)
    assert training.diverged
    found = training.snapshots.project(training)
    assert np.isfinite(found.after).all()
    assert np.isfinite(found.before).all()
    assert found.steps == [*range(len(found.steps))]
    assert 2 < len(found.steps) <= len(training.losses)


@given(st.integers(2, 12), st.integers(3, 6), st.integers(0, 99))
def test_neighbour_mismatches_counts_rows_with_another_nearest_neighbour(rows, D, seed):
    vectors = torch.randn(rows, D, generator=torch.Generator().manual_seed(seed)).double().numpy()
    points = vectors[:, :2]

    def nearest(vectors: np.ndarray, row: int) -> int:
        return min({*range(rows)} - {row}, key=lambda other: np.linalg.norm(vectors[row] - vectors[other]))

    different = [nearest(points, row) != nearest(vectors, row) for row in range(rows)]
    assert neighbour_mismatches(points, vectors) == sum(different)
    assert neighbour_mismatches(points, points) == 0
