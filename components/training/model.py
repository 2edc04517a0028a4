"""A toy next-token model, trained step by step: token and position embeddings, and a linear layer to V logits.

It has no attention and no hidden layer: its prediction depends on one token and its position. Follows torch's
Embedding, Linear, cross_entropy and optim; tied weights follow Press and Wolf (2017), "Using the Output Embedding to
Improve Language Models".
"""

import math
from collections.abc import Iterator

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.nn import functional as F

from components.base.limits import MAX_LOGITS
from components.embedding.positions import sinusoidal_positions
from components.training.config import TrainingConfig
from components.training.optimizers import optimizer_step
from components.training.training_text import PAD, TrainingText

WINDOWS_AT_ONCE = 64  # of those whose loss is added up


class NextToken(nn.Module):
    """Logits [B, T, V] for the next token: a linear layer, without bias, on token embedding plus position embedding.

    The initial weights are those of torch.manual_seed(seed); nn.Embedding(V, D); nn.Embedding(T, D); nn.Linear(D, V,
    bias=False), whichever position embeddings are used; the token embeddings are multiplied by their standard
    deviation. If tied, the token embedding table is the weight of the linear layer.
    """

    def __init__(self, vocab_size: int, context_length: int, config: TrainingConfig) -> None:
        super().__init__()
        generator, D = torch.Generator().manual_seed(config.seed), config.dim
        tokens = torch.empty(vocab_size, D).normal_(generator=generator) * config.token_std
        self.token = nn.Embedding(vocab_size, D, _weight=tokens)
        learned = torch.empty(context_length, D).normal_(generator=generator)
        fixed = sinusoidal_positions(context_length, D, config.layout)
        positions = {"learned": nn.Parameter(learned), "sinusoidal": fixed, "none": None}
        self.positions = positions[config.position]  # [T, D]
        bound = 1 / math.sqrt(D)  # of torch's own Linear
        output = torch.empty(vocab_size, D).uniform_(-bound, bound, generator=generator)
        self.output = self.token.weight if config.tied else nn.Parameter(output)
        if config.padding_idx:
            self.token.padding_idx = PAD
            self.token.weight.data[PAD] = 0.0

    def forward(self, ids: Int[Tensor, "B T"]) -> Float[Tensor, "B T V"]:
        vectors = self.token(ids)  # [B, T, D]
        if self.positions is not None:
            vectors = vectors + self.positions  # [B, T, D] + [T, D]
        return F.linear(vectors, self.output)  # [B, T, V]


def shuffled_batches(n_windows: int, config: TrainingConfig) -> Iterator[Int[Tensor, " B"]]:
    """Yield the window indices of each batch, epoch after epoch, each in another order."""
    generator = torch.Generator().manual_seed(config.seed)
    while True:
        order = torch.randperm(n_windows, generator=generator)
        # Not `split`: a tensor for every batch of the epoch takes 500 bytes, 5 MB for 10,000 windows.
        yield from (order[first : first + config.batch_size] for first in range(0, n_windows, config.batch_size))


class Training:
    """A model and its optimizer: `step` updates the weights, `losses` has the loss of each step before its update."""

    def __init__(self, text: TrainingText, config: TrainingConfig) -> None:
        V, T = text.vocab_size, text.inputs.shape[1]
        self.text, self.config = text, config
        self.initial_model, self.model = NextToken(V, T, config), NextToken(V, T, config)
        self.losses: list[float] = []
        self.diverged = False
        token = self.model.token.weight
        self.parameters = [token, *(weight for weight in self.model.parameters() if weight is not token)]
        self._update = optimizer_step(config.optimizer, self.parameters, config.learning_rate, config.weight_decay)
        self._batches = shuffled_batches(len(text.inputs), config)
        self.upcoming_windows = next(self._batches)  # indices of the windows that the next step takes
        self.batch = torch.empty(0, T, dtype=torch.int64)  # of the last step
        self.gradient = torch.zeros_like(token)  # of the token embedding table, in the last step
        self.previous_table = self.table.clone()  # the token embedding table before the last step

    @property
    def table(self) -> Float[Tensor, "V D"]:
        """The current token embedding table."""
        return self.model.token.weight.detach()

    @property
    def initial_table(self) -> Float[Tensor, "V D"]:
        """The token embedding table before the first step."""
        return self.initial_model.token.weight.detach()

    @property
    def distances(self) -> Float[Tensor, " V"]:
        """How far each row of the token embedding table is from its start, in float64: a square can leave float32."""
        return (self.table.double() - self.initial_table).norm(dim=1)

    def step(self) -> None:
        """Compute the loss of the next batch and update the weights; if the loss is not finite, stop for good.

        Weights leave the range of float32 later than their products, the logits, do.
        """
        if self.diverged:
            return
        windows, self.upcoming_windows = self.upcoming_windows, next(self._batches)
        self.batch = self.text.inputs[windows]  # [B, T]
        targets = self.text.targets[windows]  # [B, T]
        loss = F.cross_entropy(self.model(self.batch).flatten(0, 1), targets.flatten())
        self.losses.append(loss.item())
        if not math.isfinite(self.losses[-1]):
            self.diverged = True
            return
        gradients = torch.autograd.grad(loss, self.parameters)
        self.gradient = gradients[0]
        self.previous_table.copy_(self.table)
        self._update(gradients)

    @torch.no_grad()
    def text_loss(self) -> float:
        """Return the mean loss over every position of every window, with the current weights."""
        inputs, targets = self.text.inputs, self.text.targets  # [N, T], [N, T]
        windows_at_once = max(1, min(WINDOWS_AT_ONCE, MAX_LOGITS // (4 * inputs.shape[1] * self.text.vocab_size)))
        total = 0.0
        for part, next_tokens in zip(inputs.split(windows_at_once), targets.split(windows_at_once), strict=True):
            logits = self.model(part)  # [n, T, V]
            total += F.cross_entropy(logits.flatten(0, 1), next_tokens.flatten(), reduction="sum").item()
        return total / inputs.numel()
