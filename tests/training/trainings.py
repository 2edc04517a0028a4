"""Small trainings for tests, and the same steps by torch alone."""

from collections.abc import Iterator

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from components.embedding.positions import sinusoidal_positions
from components.training.config import USUAL_RATES, TrainingConfig
from components.training.recorded import RecordedTraining
from components.training.training_text import TrainingText, training_text


def random_text(n_tokens: int = 62, n_ids: int = 8) -> TrainingText:
    """Return a text of random tokens in windows of 4; by default the last of its 16 windows has 2 pads."""
    return training_text(
        10 + torch.randint(n_ids, (n_tokens,), generator=torch.Generator().manual_seed(n_tokens)).numpy(), 4, 4
    )


def usual_config(optimizer: str, **others: object) -> TrainingConfig:
    """Return a configuration with the usual learning rate; only AdamW uses its weight decay."""
    return TrainingConfig(
        **{"dim": 6, "learning_rate": USUAL_RATES[optimizer], "weight_decay": 0.1, **others}, optimizer=optimizer
    )


def trained(config: TrainingConfig, steps: int, text: TrainingText | None = None) -> RecordedTraining:
    training = RecordedTraining(text or random_text(), config)
    for _ in range(steps):
        training.step()
    return training


def torch_layers(V: int, T: int, config: TrainingConfig) -> tuple[nn.Embedding, nn.Embedding, nn.Linear]:
    with torch.random.fork_rng():
        torch.manual_seed(config.seed)
        token = nn.Embedding(V, config.dim, padding_idx=0 if config.padding_idx else None)
        token.weight.data *= config.token_std
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
