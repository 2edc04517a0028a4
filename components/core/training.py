"""A toy next-token model, trained step by step: token table plus position table, and a linear layer to V.

It has no attention and no hidden layer: what it says depends on one token and its place. Follows torch's Embedding,
Linear, cross_entropy and optim; tied weights follow Press and Wolf (2017), "Using the Output Embedding to Improve
Language Models".
"""

import math
import time

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.nn import functional as F

from components.core.embeddings import draw_table, seeded
from components.core.limits import MAX_LOGITS
from components.core.optimizers import optimizer_step
from components.core.positions import sinusoidal_table
from components.core.training_film import Film
from components.core.training_recipe import Recipe
from components.core.training_text import PAD, TrainingText

MAX_FILMED_ROWS = 24


class NextToken(nn.Module):
    """Logits [B, T, V] for the next token: a linear layer, without bias, on token vector plus position vector.

    The weights are those of torch.manual_seed(seed); nn.Embedding(V, D); nn.Embedding(T, D); nn.Linear(D, V,
    bias=False), whichever positions are used. Tied, the linear layer has the token table as its weight.

    >>> NextToken(vocab_size=5, context_length=4, recipe=Recipe(dim=3))(torch.tensor([[1, 2]])).shape
    torch.Size([1, 2, 5])
    """

    def __init__(self, vocab_size: int, context_length: int, recipe: Recipe) -> None:
        super().__init__()
        draw, D = seeded(recipe.seed), recipe.dim
        self.token = draw_table(vocab_size, D, draw)
        learned = draw_table(context_length, D, draw)
        self.position = learned.weight if recipe.position == "learned" else None
        fixed = sinusoidal_table(context_length, D, recipe.layout) if recipe.position == "sinusoidal" else None
        self.register_buffer("fixed", fixed)
        bound = 1 / math.sqrt(D)  # of torch's own Linear
        output = torch.empty(vocab_size, D).uniform_(-bound, bound, generator=draw)
        self.output = self.token.weight if recipe.tied else nn.Parameter(output)
        if recipe.padding_idx:
            self.token.padding_idx = PAD
            self.token.weight.data[PAD] = 0.0

    def forward(self, ids: Int[Tensor, "B T"]) -> Float[Tensor, "B T V"]:
        vectors = self.token(ids)  # [B, T, D]
        positions = self.position if self.position is not None else self.fixed
        if positions is not None:
            vectors = vectors + positions[: ids.shape[1]]  # [B, T, D] + [T, D]
        return F.linear(vectors, self.output)  # [B, T, V]


class Training:
    """A model on its way: `step` moves it, `losses` has the loss of every step, before that step moved anything.

    >>> from components.core.settings import Settings
    >>> from components.core.training_text import training_text
    >>> training = Training(training_text([7, 5, 7, 5, 7, 9], Settings(), n_vocab=50), Recipe())
    >>> for _ in range(20):
    ...     training.step()
    >>> training.losses[-1] < training.losses[0]
    True
    """

    def __init__(self, text: TrainingText, recipe: Recipe) -> None:
        V, T = text.vocab_size, text.inputs.shape[1]
        self.text, self.recipe = text, recipe
        self.start, self.model = NextToken(V, T, recipe), NextToken(V, T, recipe)
        self.losses: list[float] = []
        self.exploded = False
        token = self.model.token.weight
        self.parameters = [token, *(weight for weight in self.model.parameters() if weight is not token)]
        self._move = optimizer_step(recipe.optimizer, self.parameters, recipe.learning_rate, recipe.weight_decay)
        self.film = Film(text.frequent_rows(MAX_FILMED_ROWS), self.table)
        self._order = seeded(recipe.seed)
        self._waiting: list[Tensor] = []  # batches of this epoch still to come, as numbers of windows
        self.batch = torch.empty(0, T, dtype=torch.int64)  # of the last step
        self.seen = torch.zeros(V, dtype=torch.bool)  # rows that were in any batch so far
        self.gradient = torch.zeros_like(self.start.token.weight)  # of the token table, in the last step
        self.before = self.table.clone()  # the token table before the last step
        self._text_loss = (-1, 0.0)  # after which step it was taken, and what it was

    @property
    def table(self) -> Float[Tensor, "V D"]:
        """The token table as it stands."""
        return self.model.token.weight.detach()

    def step(self) -> None:
        """Take the next batch, and move every table once; where the loss is no longer finite, move nothing."""
        if self.exploded:
            return
        windows = self._next_windows()
        self.batch = self.text.inputs[windows]  # [B, T]
        targets = self.text.targets[windows]  # [B, T]
        loss = F.cross_entropy(self.model(self.batch).flatten(0, 1), targets.flatten())
        self.losses.append(loss.item())
        if not math.isfinite(self.losses[-1]):
            self.exploded = True
            return
        gradients = torch.autograd.grad(loss, self.parameters)
        self.seen[self.batch.flatten()] = True
        self.gradient = gradients[0]
        self.before.copy_(self.table)
        self._move(gradients)
        self.film.shoot(len(self.losses), self.table)

    def advance(self, steps: int, seconds: float) -> None:
        """Take steps until there are `steps` in all, or so many `seconds` have gone by, or the loss has exploded."""
        end = time.perf_counter() + seconds
        while len(self.losses) < steps and not self.exploded and time.perf_counter() < end:
            self.step()

    @property
    def nbytes(self) -> int:
        """About how much memory it holds: its tables, their copies, and what the optimizer remembers."""
        return 14 * self.table.nbytes + self.film.nbytes + 100 * len(self.text.pairs)

    @property
    def finite(self) -> bool:
        """Whether every weight is still a number that float32 can hold."""
        return all(bool(weight.isfinite().all()) for weight in self.parameters)

    @torch.no_grad()
    def text_loss(self) -> float:
        """Return the mean loss over every place of every window, with the weights as they stand."""
        if self._text_loss[0] != len(self.losses):
            rows = max(1, MAX_LOGITS // (4 * self.text.inputs.shape[1] * self.text.vocab_size))
            parts = zip(self.text.inputs.split(rows), self.text.targets.split(rows), strict=True)
            total = sum(
                F.cross_entropy(self.model(ids).flatten(0, 1), targets.flatten(), reduction="sum").item()
                for ids, targets in parts
            )
            self._text_loss = (len(self.losses), total / self.text.inputs.numel())
        return self._text_loss[1]

    def _next_windows(self) -> Int[Tensor, " B"]:
        if not self._waiting:
            shuffled = torch.randperm(len(self.text.inputs), generator=self._order)
            self._waiting = [*shuffled.split(self.recipe.batch_size)]
        return self._waiting.pop(0)
