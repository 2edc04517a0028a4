from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import numpy as np
import pytest
import torch

from components.training.config import TrainingConfig
from components.training.recorded import MAX_RECORDED_ROWS, RecordedTraining
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
    assert training.snapshots.steps[-1] < len(training.losses)
    losses, table = [*training.losses], training.table.clone()
    training.step()
    training.advance(2_000, seconds=600.0)
    assert np.array_equal(training.losses, losses, equal_nan=True)
    assert torch.equal(training.table, table)


def test_recorded_training_records_rows_and_snapshots():
    training, in_batches = trained(TrainingConfig(), 0), set()
    assert training.snapshots.rows == training.text.rows_to_show(MAX_RECORDED_ROWS)
    counts = Counter()
    for step in range(1, 6):
        training.step()
        in_batches.update(training.batch.flatten().tolist())
        counts.update({*training.batch.flatten().tolist()})
        assert training.n_batches.tolist() == [counts[row] for row in range(training.text.vocab_size)]
        assert training.seen.nonzero().flatten().tolist() == sorted(in_batches)
        assert training.snapshots.steps == [*range(step + 1)]


def test_recorded_training_computes_the_text_loss_once_for_each_step():
    training = trained(TrainingConfig(), 3)
    calls = []
    training.model.register_forward_hook(lambda *_: calls.append(len(training.losses)))
    losses = [training.text_loss(), training.text_loss()]
    training.step()
    losses += [training.text_loss(), training.text_loss()]
    assert calls == [3, 3, 4]  # the text, the step, the text
    assert losses[0] == losses[1] != losses[2] == losses[3]


def test_recorded_training_nbytes_covers_tables_snapshots_and_pairs():
    training = trained(usual_config("adam", dim=64), 5, random_text(2_000, n_ids=500))
    n_copies = 11  # two models of two tables, two gradients, the table before the step, and two states for each table
    least = n_copies * training.table.nbytes + training.snapshots.nbytes
    assert least < training.nbytes < 2 * least
