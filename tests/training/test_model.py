"""The model, its optimizers and its training, bit by bit against torch's own modules and optimizers."""

from collections.abc import Iterator
from itertools import islice

import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from components.base.settings import POSITIONS
from components.embedding.positions import sinusoidal_positions
from components.lessons.training.choices import OPTIMIZERS
from components.training.config import TrainingConfig
from components.training.model import NextToken, Training
from components.training.training_text import TrainingText
from tests.training.trainings import random_text, usual_config


def torch_layers(V: int, T: int, config: TrainingConfig) -> tuple[nn.Embedding, nn.Embedding, nn.Linear]:
    with torch.random.fork_rng():
        torch.manual_seed(config.seed)
        token = nn.Embedding(V, config.dim, padding_idx=0 if config.padding_idx else None)
        return token, nn.Embedding(T, config.dim), nn.Linear(config.dim, V, bias=False)


def torch_steps(text: TrainingText, config: TrainingConfig) -> Iterator[tuple[Tensor, float, Tensor, Tensor]]:
    """Yield batch, loss, gradient of the token embedding table, and table after each step of a plain loop."""
    N, T = text.inputs.shape
    token, learned, output = torch_layers(text.vocab_size, T, config)
    if config.tied:
        output.weight = token.weight
    model = nn.ModuleList([token, output, *([learned] if config.position == "learned" else [])])
    rate = config.learning_rate
    optimizer = {
        "sgd": lambda weights: torch.optim.SGD(weights, lr=rate),
        "momentum": lambda weights: torch.optim.SGD(weights, lr=rate, momentum=0.9),
        "adam": lambda weights: torch.optim.Adam(weights, lr=rate),
        "adamw": lambda weights: torch.optim.AdamW(weights, lr=rate, weight_decay=config.weight_decay),
    }[config.optimizer](model.parameters())
    order = torch.Generator().manual_seed(config.seed)
    while True:
        for windows in torch.randperm(N, generator=order).split(config.batch_size):
            vectors = token(text.inputs[windows])
            if config.position == "learned":
                vectors = vectors + learned(torch.arange(T))
            elif config.position == "sinusoidal":
                vectors = vectors + sinusoidal_positions(T, config.dim, config.layout)
            loss = F.cross_entropy(output(vectors).flatten(0, 1), text.targets[windows].flatten())
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            yield text.inputs[windows], loss.item(), token.weight.grad, token.weight.detach()


@pytest.mark.parametrize("position", POSITIONS)
@pytest.mark.parametrize("padding_idx", [True, False])
@pytest.mark.parametrize("tied", [True, False])
@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_training_steps_equal_those_of_torch(optimizer, tied, padding_idx, position):
    config = usual_config(
        optimizer, tied=tied, padding_idx=padding_idx, position=position, layout="halves", batch_size=3
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


@pytest.mark.parametrize("padding_idx", [True, False])
@pytest.mark.parametrize(("V", "D", "T"), [(3, 2, 1), (40, 7, 5), (1_003, 64, 16)])
def test_next_token_initial_weights_equal_those_of_torch(V, D, T, padding_idx):
    config = TrainingConfig(D, seed=2**32 - 1, padding_idx=padding_idx)
    model, (token, learned, output) = NextToken(V, T, config), torch_layers(V, T, config)
    assert torch.equal(model.token.weight, token.weight)
    assert torch.equal(model.position, learned.weight)
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


@pytest.mark.parametrize("weight", ["token", "position", "output"])
def test_training_with_an_infinite_weight_is_not_finite(weight):
    training = Training(random_text(), TrainingConfig())
    assert training.finite
    parameter = getattr(training.model, weight)
    getattr(parameter, "weight", parameter).data[1, 0] = torch.inf
    assert not training.finite
