"""The model, its optimizers and its training, bit by bit against torch's own modules and optimizers."""

from itertools import islice, product

import pytest
import torch
from torch.nn import functional as F

from components.base.settings import POSITIONS
from components.training.config import USUAL_RATES, TrainingConfig
from components.training.model import Training
from tests.training.trainings import random_text, torch_steps, trained, usual_config

IN_PAIRS = [  # any two values of different choices occur together
    (optimizer, *ways, POSITIONS[(n + m) % 3])
    for n, optimizer in enumerate(USUAL_RATES)
    for m, ways in enumerate(product([True, False], repeat=2))
]


@pytest.mark.parametrize(("optimizer", "tied", "padding_idx", "position"), IN_PAIRS)
def test_training_steps_equal_those_of_torch(optimizer, tied, padding_idx, position):
    config = usual_config(
        optimizer,
        tied=tied,
        padding_idx=padding_idx,
        position=position,
        layout="halves",
        batch_size=3,
        token_std=1.0 if tied else 0.02,
    )
    text, random_state = random_text(), torch.get_rng_state()
    training = Training(text, config)
    for batch, loss, gradient, table in islice(torch_steps(text, config), 30):
        before, windows = training.table.clone(), training.upcoming_windows
        training.step()
        assert training.losses[-1] == loss
        assert torch.equal(training.batch, batch)
        assert torch.equal(training.text.inputs[windows], batch)
        assert torch.equal(training.gradient, gradient)
        assert torch.equal(training.table, table)
        assert torch.equal(training.previous_table, before)
    assert len(training.losses) == 30
    assert torch.equal(torch.get_rng_state(), random_state)
    fresh = Training(random_text(), config)
    assert all(map(torch.equal, training.initial_model.parameters(), fresh.model.parameters()))
    assert torch.equal(text.inputs, fresh.text.inputs)
    assert torch.equal(text.targets, fresh.text.targets)


@pytest.mark.parametrize(("optimizer", "rate"), [("sgd", 0.3), ("momentum", 0.1), ("adam", 0.03), ("adamw", 0.03)])
def test_usual_rate_learns_more_than_a_tenth_and_than_30_times(optimizer, rate):
    assert USUAL_RATES[optimizer] == rate
    configs = [usual_config(optimizer, learning_rate=factor * rate) for factor in (0.1, 1, 30)]
    slow, usual, fast = (trained(config, 60).text_loss() for config in configs)
    assert usual < slow
    assert not fast <= usual  # or NaN


def test_training_text_loss_in_parts_is_mean_over_all_positions(monkeypatch):
    training = Training(random_text(), TrainingConfig())
    logits = training.model(training.text.inputs).detach()
    expected = F.cross_entropy(logits.flatten(0, 1), training.text.targets.flatten()).item()
    sizes = []
    training.model.register_forward_hook(lambda model, inputs, logits: sizes.append(logits.numel()))
    for limit, windows_at_once in [(2**21, 16), (4 * logits[:5].numel(), 5), (1, 1)]:
        monkeypatch.setattr("components.training.model.MAX_LOGITS", limit)
        sizes.clear()
        assert training.text_loss() == pytest.approx(expected)
        assert max(sizes) == logits[:windows_at_once].numel()
