from sys import getsizeof

import numpy as np
import pytest
import torch

from components.base.limits import MAX_TRAINING_STEPS
from components.training.config import TrainingConfig
from components.training.recorded import RECORDED_STEPS, RecordedTraining
from tests.training.trainings import random_text, trained, usual_config


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
    assert np.isfinite(training.losses).tolist() == [True] * (len(training.losses) - 1) + [False]
    assert training.snapshots[-1].step < len(training.losses)
    losses, table = [*training.losses], training.table.clone()
    training.step()
    training.advance(2_000, seconds=600.0)
    assert np.array_equal(training.losses, losses, equal_nan=True)
    assert torch.equal(training.table, table)
    found = training.project()
    assert np.isfinite([found.before, found.after]).all()
    assert [each.step for each in found.snapshots] == [*range(len(found.snapshots))]
    assert 2 < len(found.snapshots) <= len(losses)


@pytest.mark.parametrize(("dim", "n_tokens", "n_ids"), [(64, 2_000, 500), (1, 10_000, 3_000)])
def test_recorded_training_nbytes_covers_tables_records_and_text(dim, n_tokens, n_ids):
    training = trained(usual_config("adam", dim=dim, batch_size=64), 5, random_text(n_tokens, n_ids=n_ids))
    n_copies = 11  # two models of two tables, two gradients, the table before the step, and two states for each table
    recorded = sum(each.before.nbytes + each.after.nbytes + getsizeof(each.looked_up) for each in training.snapshots)
    least = n_copies * training.table.nbytes + recorded + sum(map(getsizeof, training.losses))
    least += 2 * training.text.rows.nbytes + training.text.pairs.nbytes  # as rows, as windows and as pairs
    least += sum(map(getsizeof, (*training.text.token_ids, training.text.token_ids, training.text.counts)))
    assert least < training.nbytes < 2 * least


def test_recorded_steps_are_20_of_200_the_first_12_among_them():
    recorded = sorted(step for step in RECORDED_STEPS if step <= MAX_TRAINING_STEPS)
    assert (recorded[:13], recorded[20]) == ([*range(13)], 200)
    assert np.diff(np.log(recorded[12:])) == pytest.approx(np.log(1.42), abs=0.03)
    assert recorded[-1] * 1.43 > MAX_TRAINING_STEPS
