"""One attention head trained on a task: embeddings, the head, and one logit for each word that may follow.

The head is that of Vaswani et al. (2017), section 3.2; the model around it has neither layer norm nor hidden layer.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.nn import functional as F

from components.embedding.attention_head import attention_steps
from components.training.optimizers import optimizer_step
from components.training.reading_tasks import Meaning, Task

DIM, SENTENCES, BATCH, RATE, DECAY = 24, 1_000, 64, 0.01, 0.01
RECORDED = (0, 10, 15, 20, 25, 30, 35, 40, 50, 60, 80, 100)  # steps, the last one is the end


@dataclass(frozen=True)
class HeadConfig:
    """All that a training depends on: the same configuration gives exactly the same numbers."""

    task: Task
    seed: int
    positions: bool = True
    std: float = 0.1  # standard deviation of the initial embeddings


class Weights(NamedTuple):
    """The weights of the model; query, key and value are those of nn.Linear, so x @ W.T."""

    token: Float[Tensor, "V D"]
    position: Float[Tensor, "T D"]
    query: Float[Tensor, "D D"]
    key: Float[Tensor, "D D"]
    value: Float[Tensor, "D D"]
    output: Float[Tensor, "V D"]


class Read(NamedTuple):
    """What the model computes from a batch of prompts; logits are those of the word after the last one."""

    scores: Float[Tensor, "B T T"]
    weights: Float[Tensor, "B T T"]
    values: Float[Tensor, "B T D"]
    mixed: Float[Tensor, "B T D"]
    logits: Float[Tensor, "B V"]


def read(weights: Weights, ids: Int[Tensor, "B T"], positions: bool, causal: bool) -> Read:
    """Return what the model computes from prompts, with position embeddings if `positions`.

    A causal mask changes what the words before the last one read, and so no logits.
    """
    x = weights.token[ids]  # [B, T, D]
    if positions:
        x = x + weights.position[: ids.shape[1]]  # [B, T, D] + [T, D]
    q, k, v = (F.linear(x, each) for each in (weights.query, weights.key, weights.value))
    *_, scores, shares, mixed = attention_steps(q, k, v, causal)  # [B, T, T], [B, T, T], [B, T, D]
    return Read(scores, shares, v, mixed, F.linear((x + mixed)[:, -1], weights.output))


def initial_weights(V: int, T: int, seed: int, std: float) -> tuple[Weights, torch.Generator]:
    """Return the weights that torch.manual_seed(seed) gives nn.Embedding and nn.Linear, and the generator after that.

    Both embedding tables are multiplied by `std`.
    """
    generator = torch.Generator().manual_seed(seed)
    tables = [torch.empty(rows, DIM).normal_(generator=generator) * std for rows in (V, T)]
    linear = [torch.empty(rows, DIM) for rows in (DIM, DIM, DIM, V)]
    for weight in linear:
        nn.init.kaiming_uniform_(weight, a=math.sqrt(5), generator=generator)
    return Weights(*tables, *linear), generator


class Tests(NamedTuple):
    """How many prompts the model completes, and how it reads the word that each answer depends on."""

    right: int
    total: int
    looked_at: dict[str, float]  # the mean weight of each word, in the prompts whose answer depends on it
    fallback: str  # Meaning: the word that it gives most often to a prompt without a noun


@dataclass(frozen=True, eq=False)
class TrainedHead:
    """A model with its weights at the steps of RECORDED, of which the last are the trained ones."""

    config: HeadConfig
    vocabulary: tuple[str, ...]
    frames: tuple[Weights, ...]

    def read(self, prompts: Sequence[Sequence[str]], frame: int = -1, causal: bool = True) -> Read:
        """Return what the model computes from prompts of one length, at the end or at a recorded step."""
        ids = torch.tensor([[self.vocabulary.index(word) for word in words] for words in prompts])  # [B, T]
        return read(self.frames[frame], ids, self.config.positions, causal)

    def scores_by_position(self, words: Sequence[str], frame: int = -1) -> Float[Tensor, " T"]:
        """Return the part of the last word's scores that comes from the position of each key: q · W P / √D.

        A key is W (token + position), so its score is the sum of a part of the word and this one.
        """
        weights, n = self.frames[frame], len(words)
        if not self.config.positions:
            return torch.zeros(n)
        last = weights.token[self.vocabulary.index(words[-1])] + weights.position[n - 1]  # [D]
        keys = F.linear(weights.position[:n], weights.key)  # [T, D]
        return keys @ F.linear(last, weights.query) / math.sqrt(DIM)

    @cached_property
    def tests(self) -> Tests:
        """What the trained model does with every prompt of the task, in Order with those that have three fruits."""
        task, right, weights = self.config.task, 0, defaultdict(list)
        for sentences in _by_length(task.tests()):
            found = self.read([words[:-1] for words in sentences])
            for words, of_last in zip(sentences, found.weights[:, -1].tolist(), strict=True):
                source = task.source(words[:-1])
                weights[words[source]].append(of_last[source])
            right += sum(
                self.vocabulary[best] == words[-1]
                for best, words in zip(found.logits.argmax(dim=1).tolist(), sentences, strict=True)
            )
        looked_at = {word: sum(each) / len(each) for word, each in weights.items()}
        given: Counter[str] = Counter()
        for prompts in _by_length(task.tests_without_noun() if isinstance(task, Meaning) else []):
            given.update(self.vocabulary[best] for best in self.read(prompts).logits.argmax(dim=1).tolist())
        return Tests(right, len(task.tests()), looked_at, max(given, key=given.get, default=""))

    @property
    def nbytes(self) -> int:
        return sum(weight.nbytes for weights in self.frames for weight in weights)


def train_head(config: HeadConfig) -> TrainedHead:
    """Train a head on 1,000 sentences of its task: 100 steps of AdamW, each with 64 sentences of one length."""
    task, rng = config.task, Random(config.seed)
    sentences = [task.sentence(rng) for _ in range(SENTENCES)]
    vocabulary = task.vocabulary()
    word_id = {word: n for n, word in enumerate(vocabulary)}
    batches = [torch.tensor([[word_id[word] for word in words] for words in each]) for each in _by_length(sentences)]
    initial, generator = initial_weights(len(vocabulary), task.longest(), config.seed, config.std)
    # The weights to train are parts of one tensor, so that the optimizer has one to update.
    used = {name: each for name, each in initial._asdict().items() if config.positions or name != "position"}
    sizes = [each.numel() for each in used.values()]

    def weights_in(flat: Tensor) -> Weights:
        parts = (part.view_as(each) for part, each in zip(flat.split(sizes), used.values(), strict=True))
        return initial._replace(**dict(zip(used, parts, strict=True)))

    flat = torch.cat([each.flatten() for each in used.values()]).requires_grad_()
    update = optimizer_step("adamw", [flat], RATE, DECAY)
    frames = [weights_in(flat.detach().clone())]
    for step in range(1, RECORDED[-1] + 1):
        ids = rng.choices(batches, weights=[len(batch) for batch in batches])[0]
        ids = ids[torch.randint(len(ids), (BATCH,), generator=generator)]  # [B, T + 1]
        loss = F.cross_entropy(read(weights_in(flat), ids[:, :-1], config.positions, causal=False).logits, ids[:, -1])
        update(torch.autograd.grad(loss, flat))
        if step in RECORDED:
            frames.append(weights_in(flat.detach().clone()))
    return TrainedHead(config, vocabulary, tuple(frames))


def _by_length(sentences: list[list[str]]) -> list[list[list[str]]]:
    """Return sentences in groups of one length, which make a batch without padding."""
    found: dict[int, list[list[str]]] = {}
    for words in sentences:
        found.setdefault(len(words), []).append(words)
    return list(found.values())
