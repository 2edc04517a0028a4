from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from sys import getsizeof
from threading import Barrier

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from components.base.limits import MAX_TRAINING_STEPS
from components.training.config import TrainingConfig
from components.training.recorded import RECORDED_STEPS, RecordedTraining, neighbor_mismatches
from tests.training.trainings import random_text, trained, usual_config


@pytest.mark.parametrize("config", [TrainingConfig(), usual_config("adamw", tied=True, dim=64, batch_size=8)])
def test_recorded_training_in_threads_and_slices_gives_the_same_numbers(config):
    text, steps = random_text(400, n_ids=60), 60
    expected = trained(config, steps, text)
    in_threads, together = [RecordedTraining(text, config) for _ in range(2)], Barrier(2)

    def run(training: RecordedTraining) -> None:
        together.wait()
        training.advance(steps, seconds=600.0)

    with ThreadPoolExecutor(2) as pool:
        assert [*pool.map(run, in_threads)] == [None, None]
    in_slices, in_moments = RecordedTraining(text, config), RecordedTraining(text, config)
    for upto in (1, 1, 8, steps):
        in_slices.advance(upto, seconds=600.0)
        assert len(in_slices.losses) == upto
    in_moments.advance(steps, seconds=0.0)
    assert in_moments.losses == []
    while len(in_moments.losses) < steps:
        in_moments.advance(steps, seconds=0.001)
    for training in (*in_threads, in_slices, in_moments):
        assert training.losses == expected.losses
        assert torch.equal(training.table, expected.table)


@pytest.mark.parametrize(("optimizer", "tied"), [("sgd", False), ("momentum", True)])
def test_recorded_training_that_diverges_stops_and_keeps_its_last_finite_state(optimizer, tied):
    training = RecordedTraining(random_text(), TrainingConfig(optimizer=optimizer, tied=tied, learning_rate=1e6))
    training.advance(1_000, seconds=600.0)
    assert training.diverged
    assert not training.finite
    assert not np.isfinite(training.losses[-1])
    assert np.isfinite(training.losses[:-1]).all()
    assert training.snapshots[-1].step < len(training.losses)
    losses, table = [*training.losses], training.table.clone()
    training.step()
    training.advance(2_000, seconds=600.0)
    assert np.array_equal(training.losses, losses, equal_nan=True)
    assert torch.equal(training.table, table)


def test_recorded_training_records_rows_and_snapshots():
    training = trained(TrainingConfig(), 0)
    assert training.shown_rows == training.text.rows_to_show(24)
    counts = Counter()
    for step in range(1, 6):
        training.step()
        counts.update({*training.batch.flatten().tolist()})
        assert training.n_batches.tolist() == [counts[row] for row in range(training.text.vocab_size)]
        assert [each.step for each in training.snapshots] == [*range(step + 1)]


def test_recorded_training_computes_the_text_loss_once_for_each_step():
    training = trained(TrainingConfig(), 3)
    calls = []
    training.model.register_forward_hook(lambda *_: calls.append(len(training.losses)))
    losses = [training.text_loss(), training.text_loss()]
    training.step()
    losses += [training.text_loss(), training.text_loss()]
    assert calls == [3, 3, 4]  # the text, the step, the text
    assert losses[0] == losses[1] != losses[2] == losses[3]


def test_recorded_training_nbytes_covers_tables_snapshots_and_losses():
    training = trained(usual_config("adam", dim=64, batch_size=64), 5, random_text(2_000, n_ids=500))
    n_copies = 11  # two models of two tables, two gradients, the table before the step, and two states for each table
    recorded = sum(each.before.nbytes + each.after.nbytes + getsizeof(each.looked_up) for each in training.snapshots)
    least = n_copies * training.table.nbytes + recorded + sum(map(getsizeof, training.losses))
    assert least < training.nbytes < 2 * least


def steps_of(snapshots):
    return [each.step for each in snapshots]


def test_recorded_steps_are_the_first_ones_and_then_further_and_further_apart():
    recorded = sorted(step for step in RECORDED_STEPS if step <= MAX_TRAINING_STEPS)
    assert recorded[:23] == [*range(21), 26, 34]
    distances = np.diff(recorded[20:])
    assert (np.diff(distances) >= 0).all()
    assert recorded[-1] * 1.31 > MAX_TRAINING_STEPS
    assert len(recorded) <= 40


@pytest.mark.parametrize("steps", [0, 7, 20, 40])
def test_snapshots_have_the_rows_before_and_after_each_step(steps):
    config = usual_config("momentum", batch_size=2)
    training, other = trained(config, steps), trained(config, 0)
    stored = {each.step: each for each in training.snapshots}
    assert [*stored] == [step for step in range(steps + 1) if step in RECORDED_STEPS]
    for step in range(1, steps + 1):
        before = other.table.clone()
        other.step()
        if step in stored:
            found, moved = stored[step], (other.table - before).norm(dim=1)
            assert np.array_equal(found.before, before[training.shown_rows])
            assert np.array_equal(found.after, other.table[training.shown_rows])
            assert found.loss == other.losses[-1]
            assert [*found.looked_up] == [*dict.fromkeys(other.batch.flatten().tolist())]
            assert (found.n_changed, found.farthest) == ((other.table != before).any(dim=1).sum(), moved.argmax())
            assert found.distance == pytest.approx(moved.max().item())


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


def test_project_after_a_step_that_is_not_recorded_stores_nothing():
    training = trained(TrainingConfig(), 23)
    assert steps_of(training.project().snapshots)[-2:] == [20, 23]
    assert training.snapshots[-1].step == 20


def test_project_leaves_out_snapshots_that_are_not_finite():
    training = RecordedTraining(random_text(), TrainingConfig(learning_rate=1e6))
    training.advance(1_000, seconds=60.0)
    assert training.diverged
    found = training.project()
    steps = steps_of(found.snapshots)
    assert np.isfinite(found.after).all()
    assert np.isfinite(found.before).all()
    assert steps == [*range(len(steps))]
    assert 2 < len(steps) <= len(training.losses)


@given(st.integers(2, 12), st.integers(3, 6), st.integers(0, 99))
def test_neighbor_mismatches_counts_rows_with_another_nearest_neighbor(rows, D, seed):
    vectors = torch.randn(rows, D, generator=torch.Generator().manual_seed(seed)).double().numpy()
    points = vectors[:, :2]

    def nearest(vectors: np.ndarray, row: int) -> int:
        return min({*range(rows)} - {row}, key=lambda other: np.linalg.norm(vectors[row] - vectors[other]))

    different = [nearest(points, row) != nearest(vectors, row) for row in range(rows)]
    assert neighbor_mismatches(points, vectors) == sum(different)
    assert neighbor_mismatches(points, points) == 0
