"""The model, its optimizers and its training, bit by bit against torch's own modules and optimizers."""

from itertools import islice

import pytest
import torch
from torch.nn import functional as F

from components.base.settings import POSITIONS
from components.training.config import USUAL_RATES, TrainingConfig
from components.training.model import NextToken, Training
from tests.training.trainings import random_text, torch_layers, torch_steps, usual_config


@pytest.mark.parametrize("position", POSITIONS)
@pytest.mark.parametrize("padding_idx", [True, False])
@pytest.mark.parametrize("tied", [True, False])
@pytest.mark.parametrize("optimizer", USUAL_RATES)
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
        before = training.table.clone()
        training.step()
        assert training.losses[-1] == loss
        assert torch.equal(training.batch, batch)
        assert torch.equal(training.gradient, gradient)
        assert torch.equal(training.table, table)
        assert torch.equal(training.previous_table, before)
    assert len(training.losses) == 30
    assert torch.equal(torch.get_rng_state(), random_state)
    fresh = Training(random_text(), config)
    assert all(map(torch.equal, training.initial_model.parameters(), fresh.model.parameters()))
    assert torch.equal(text.inputs, fresh.text.inputs)
    assert torch.equal(text.targets, fresh.text.targets)


def test_upcoming_windows_are_those_of_the_next_step_and_change_nothing():
    training, other = (Training(random_text(), TrainingConfig(batch_size=3)) for _ in range(2))
    for _ in range(12):
        windows = [training.upcoming_windows.tolist() for _ in range(2)]
        training.step()
        other.step()
        assert windows[0] == windows[1]
        assert torch.equal(training.batch, training.text.inputs[windows[0]])
        assert training.losses == other.losses


@pytest.mark.parametrize("padding_idx", [True, False])
@pytest.mark.parametrize(("V", "D", "T"), [(3, 2, 1), (40, 7, 5), (1_003, 64, 16)])
def test_next_token_initial_weights_equal_those_of_torch(V, D, T, padding_idx):
    config = TrainingConfig(D, seed=2**32 - 1, padding_idx=padding_idx)
    model, (token, learned, output) = NextToken(V, T, config), torch_layers(V, T, config)
    assert torch.equal(model.token.weight, token.weight)
    assert torch.equal(model.positions, learned.weight)
    assert torch.equal(model.output, output.weight)


def test_training_text_loss_in_parts_is_the_mean_over_all_positions(monkeypatch):
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


@pytest.mark.parametrize("weight", ["token", "positions", "output"])
def test_training_with_an_infinite_weight_is_not_finite(weight):
    training = Training(random_text(), TrainingConfig())
    assert training.finite
    parameter = getattr(training.model, weight)
    getattr(parameter, "weight", parameter).data[1, 0] = torch.inf
    assert not training.finite
