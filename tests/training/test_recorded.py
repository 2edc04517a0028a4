from collections import Counter
from sys import getsizeof

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from components.base.limits import MAX_TRAINING_STEPS
from components.training.config import TrainingConfig
from components.training.model import Training
from components.training.recorded import RECORDED_STEPS, RecordedTraining, neighbor_mismatches
from tests.training.trainings import random_text, trained, usual_config


def steps_of(snapshots):
    return [each.step for each in snapshots]


def test_recorded_training_in_slices_gives_the_same_numbers():
    expected, training = trained(TrainingConfig(), 60), RecordedTraining(random_text(), TrainingConfig())
    for steps in (1, 1, 8):
        training.advance(steps, seconds=600.0)
        assert len(training.losses) == steps
    training.advance(60, seconds=0.0)
    assert len(training.losses) == 8
    while len(training.losses) < 60:
        training.advance(60, seconds=0.001)
    assert training.losses == expected.losses
    assert torch.equal(training.table, expected.table)


@pytest.mark.parametrize(("optimizer", "tied"), [("sgd", False), ("momentum", True)])
def test_recorded_training_that_diverges_stops_at_its_last_state(optimizer, tied):
    training = RecordedTraining(random_text(), TrainingConfig(optimizer=optimizer, tied=tied, learning_rate=1e6))
    training.advance(1_000, seconds=600.0)
    assert training.diverged
    assert not training.finite
    assert np.isfinite(training.losses).tolist() == [True] * (len(training.losses) - 1) + [False]
    assert training.snapshots[-1].step < len(training.losses)
    losses, table = [*training.losses], training.table.clone()
    training.step()
    training.advance(2_000, seconds=600.0)
    assert np.array_equal(training.losses, losses, equal_nan=True)
    assert torch.equal(training.table, table)
    found = training.project()
    assert np.isfinite([found.before, found.after]).all()
    assert steps_of(found.snapshots) == [*range(len(found.snapshots))]
    assert 2 < len(found.snapshots) <= len(losses)


def test_recorded_training_nbytes_covers_tables_snapshots_and_losses():
    training = trained(usual_config("adam", dim=64, batch_size=64), 5, random_text(2_000, n_ids=500))
    n_copies = 11  # two models of two tables, two gradients, the table before the step, and two states for each table
    recorded = sum(each.before.nbytes + each.after.nbytes + getsizeof(each.looked_up) for each in training.snapshots)
    least = n_copies * training.table.nbytes + recorded + sum(map(getsizeof, training.losses))
    assert least < training.nbytes < 2 * least


def test_recorded_steps_are_20_of_200_the_first_12_among_them():
    recorded = sorted(step for step in RECORDED_STEPS if step <= MAX_TRAINING_STEPS)
    assert (recorded[:13], recorded[20]) == ([*range(13)], 200)
    assert np.diff(np.log(recorded[12:])) == pytest.approx(np.log(1.42), abs=0.03)
    assert recorded[-1] * 1.43 > MAX_TRAINING_STEPS


@pytest.mark.parametrize("steps", [0, 7, 40])
def test_snapshots_have_the_rows_before_and_after_each_step(steps):
    config = usual_config("momentum", batch_size=2)
    training, other = trained(config, steps), Training(random_text(), config)
    assert training.shown_rows == [*range(12)]
    stored, counts = {each.step: each for each in training.snapshots}, Counter()
    assert [*stored] == [step for step in range(steps + 1) if step in RECORDED_STEPS]
    for step in range(1, steps + 1):
        before = other.table.clone()
        other.step()
        counts.update({*other.batch.flatten().tolist()})
        if step in stored:
            found, moved = stored[step], (other.table - before).norm(dim=1)
            assert np.array_equal(found.before, before)
            assert np.array_equal(found.after, other.table)
            assert found.loss == other.losses[-1]
            assert [*found.looked_up] == [*dict.fromkeys(other.batch.flatten().tolist())]
            assert (found.n_changed, found.farthest) == ((other.table != before).any(dim=1).sum(), moved.argmax())
            assert found.distance == pytest.approx(moved.max().item())
    assert training.n_batches.tolist() == [counts[row] for row in range(12)]
    for _ in range(2):
        assert training.text_loss() == other.text_loss()
        training.step()
        other.step()


@pytest.mark.parametrize("steps", [0, 5, 30])
def test_project_uses_the_first_two_principal_components_of_all_snapshots(steps):
    training = trained(TrainingConfig(dim=5), steps)
    found, rows = training.project(), training.shown_rows
    assert steps_of(found.snapshots) == [*steps_of(training.snapshots), *([] if steps in RECORDED_STEPS else [steps])]
    shown = [trained(TrainingConfig(dim=5), step) for step in steps_of(found.snapshots)]
    after = np.stack([each.table[rows].double().numpy() for each in shown])
    before = np.stack([each.previous_table[rows].double().numpy() for each in shown])
    center = after.mean(axis=(0, 1))
    flat = (after - center).reshape(-1, 5)
    variances, directions = np.linalg.eigh(flat.T @ flat)
    axes = directions[:, [-1, -2]]
    signs = np.sign((found.after * ((after - center) @ axes)).sum(axis=(0, 1)))
    assert found.after == pytest.approx(signs * ((after - center) @ axes), abs=1e-5)
    assert found.before == pytest.approx(signs * ((before - center) @ axes), abs=1e-5)
    assert found.shares == pytest.approx(variances[[-1, -2]] / variances.sum(), abs=1e-6)


@given(st.integers(2, 12), st.integers(3, 6), st.integers(0, 99))
def test_neighbor_mismatches_counts_rows_with_another_nearest_neighbor(rows, D, seed):
    vectors = torch.randn(rows, D, generator=torch.Generator().manual_seed(seed)).double().numpy()
    points = vectors[:, :2]

    def nearest(vectors: np.ndarray, row: int) -> int:
        return min({*range(rows)} - {row}, key=lambda other: np.linalg.norm(vectors[row] - vectors[other]))

    different = [nearest(points, row) != nearest(vectors, row) for row in range(rows)]
    assert neighbor_mismatches(points, vectors) == sum(different)
    assert neighbor_mismatches(points, points) == 0
