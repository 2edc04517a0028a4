"""One step of skip-gram with negative sampling, with all of its numbers, and the steps of a sentence.

Follows Mikolov et al. (2013), "Distributed Representations of Words and Phrases and their Compositionality", section
2.2: a true neighbor and some words sampled at random, each with a row of a second table.
"""

import random
from collections.abc import Sequence
from typing import NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor

POWER = 0.75  # of the frequency, by which words are sampled


class Step(NamedTuple):
    """The numbers of one step: of each other word its dot product, sigmoid, wanted value and error; the changes."""

    dots: Float[Tensor, " n"]
    sigmoids: Float[Tensor, " n"]
    wanted: Float[Tensor, " n"]
    errors: Float[Tensor, " n"]
    change: Float[Tensor, " D"]  # of the row of the center word
    other_changes: Float[Tensor, "n D"]


class SentenceStep(NamedTuple):
    """One step within a sentence: the indices of center and neighbor, the words, and their rows before the step."""

    center: int
    neighbor: int
    others: tuple[int, ...]  # words: the true neighbor, then those sampled
    row: Float[Tensor, " D"]
    other_rows: Float[Tensor, "n D"]
    step: Step


def negative_sampling_step(row: Float[Tensor, " D"], others: Float[Tensor, "n D"], rate: float) -> Step:
    """Return a step of gradient descent on equation 4: -log σ(u0·v) - Σ log σ(-uk·v) for a row v and other rows u.

    `row` is of the first table, of the center word. `others` are of the second table: first the true neighbor, whose
    sigmoid should be 1, then the words sampled, whose sigmoids should be 0.

    >>> step = negative_sampling_step(torch.tensor([1.0, 0.0]), torch.tensor([[0.0, 1.0], [0.0, -1.0]]), rate=1.0)
    >>> step.sigmoids.tolist(), step.errors.tolist(), step.change.tolist()
    ([0.5, 0.5], [0.5, -0.5], [0.0, 1.0])
    """
    wanted = torch.zeros(len(others))
    wanted[0] = 1.0
    dots = others @ row  # [n]
    sigmoids = dots.sigmoid()
    errors = wanted - sigmoids
    return Step(dots, sigmoids, wanted, errors, rate * errors @ others, rate * errors.outer(row))


def window_pairs(n_words: int, window: int) -> list[tuple[int, int]]:
    """Return the indices of each center word and of each of its neighbors, up to `window` to each side.

    >>> window_pairs(3, window=1)
    [(0, 1), (1, 0), (1, 2), (2, 1)]
    """
    around = [range(max(0, n - window), min(n_words, n + window + 1)) for n in range(n_words)]
    return [(center, other) for center in range(n_words) for other in around[center] if other != center]


def pairs_with_itself(sentences: Sequence[Sequence[str]], window: int) -> tuple[int, int]:
    """Return in how many pairs of center word and neighbor both are the same word, and how many pairs there are.

    >>> pairs_with_itself([["no", "no", "yes"]], window=1)
    (2, 4)
    """
    same = total = 0
    for words in sentences:
        for distance in range(1, window + 1):
            same += 2 * sum(a == b for a, b in zip(words, words[distance:], strict=False))
            total += 2 * max(0, len(words) - distance)
    return same, total


def sample_words(counts: Sequence[int], neighbor: int, how_many: int, rng: random.Random) -> list[int]:
    """Return words sampled by their frequency to the power 0.75, never the true neighbor itself."""
    weights = [0.0 if word == neighbor else count**POWER for word, count in enumerate(counts)]
    return rng.choices(range(len(counts)), weights, k=how_many)


def sentence_steps(
    centers: Float[Tensor, "V D"],
    neighbors: Float[Tensor, "V D"],
    counts: Sequence[int],
    sentence: Sequence[int],
    pairs: Sequence[tuple[int, int]],
    how_many: int,
    rate: float,
    seed: int,
) -> list[SentenceStep]:
    """Return a step for each of the `pairs` of a sentence of words, one after the other; the tables stay as they are.

    `centers` and `neighbors` are the two tables; each step changes rows of both, and the next one begins there.

    >>> centers, neighbors = torch.ones(3, 2), torch.ones(3, 2)
    >>> steps = sentence_steps(centers, neighbors, [1, 1, 1], [0, 1], [(0, 1), (1, 0)], how_many=2, rate=0.5, seed=0)
    >>> [each.others for each in steps]
    [(1, 2, 2), (0, 1, 1)]
    """
    rng, found = random.Random(seed), []
    centers, neighbors = centers.clone(), neighbors.clone()
    for center, neighbor in pairs:
        word, true = sentence[center], sentence[neighbor]
        others = torch.tensor([true, *sample_words(counts, true, how_many, rng)])
        row, other_rows = centers[word].clone(), neighbors[others]  # [D], [n, D]
        step = negative_sampling_step(row, other_rows, rate)
        found.append(SentenceStep(center, neighbor, tuple(others.tolist()), row, other_rows, step))
        centers[word] += step.change
        neighbors.index_add_(0, others, step.other_changes)  # a word sampled twice changes twice
    return found
