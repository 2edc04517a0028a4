"""Which of the two wins in the sum, token or position: lengths, their ratio, and the cosine to the token alone."""

import math
from typing import NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor

from components.core.embeddings import scaled, seeded

SPREADS = {"1": lambda dim: 1.0, "D^-0.5": lambda dim: dim**-0.5, "0.02": lambda dim: 0.02}


class Balance(NamedTuple):
    """Mean length of token and position vectors, token over position, and the mean cosine of sum and token."""

    token: float
    position: float
    ratio: float
    cosine: float


def lengths(vectors: Float[Tensor, "*rows D"]) -> Float[Tensor, "*rows"]:
    """Return the length (Euclidean norm) of every row.

    >>> lengths(torch.tensor([[3.0, 4.0]]))
    tensor([5.])
    """
    return vectors.norm(dim=-1)


def expected_length(dim: int, position: str) -> float:
    """Return the length of a row: exactly sqrt(D / 2) if sinusoidal with even D, about sqrt(D) if from N(0, 1).

    >>> expected_length(8, "sinusoidal"), expected_length(16, "learned")
    (2.0, 4.0)
    """
    return math.sqrt(dim / 2) if position == "sinusoidal" else math.sqrt(dim)


def balance(
    token: Float[Tensor, "B T D"],
    position: Float[Tensor, "T D"],
    spread: str = "1",
    scale: bool = False,
    learned: bool = True,
) -> Balance:
    """Return how token and position weigh in the sum, were the tables drawn from N(0, spread^2) instead of N(0, 1).

    A learned position table has the same spread as the token table; a sinusoidal one has no weights to choose.
    `scale` multiplies the token vectors by sqrt(D). The ratio is infinite where all positions are zero: in one
    dimension place 0 is sin(0). Raises KeyError for a spread that is not in SPREADS.

    >>> round(balance(torch.ones(1, 1, 4), torch.ones(1, 4), scale=True).ratio, 4)
    2.0
    """
    dim = token.shape[-1]
    sigma = SPREADS[spread](dim)
    token = token * sigma
    position = position * sigma if learned else position
    token = scaled(token, dim) if scale else token
    of_token, of_position = lengths(token).mean(), lengths(position).mean()
    cosine = torch.cosine_similarity(token + position, token, dim=-1).mean().item()
    return Balance(of_token.item(), of_position.item(), (of_token / of_position).item(), cosine)


def order_effect(
    token: Float[Tensor, "T D"], position: Float[Tensor, "T D"] | None, order: list[int]
) -> Float[Tensor, "T D"]:
    """Return how each token's combined vector differs once the tokens stand in another order.

    Row k belongs to the token that stood at place k. Without positions every number is zero: only the rows moved.

    >>> order_effect(torch.eye(2), None, [1, 0])
    tensor([[0., 0.],
            [0., 0.]])
    """
    before = token if position is None else token + position
    after = token[order] if position is None else token[order] + position
    return after[torch.tensor(order).argsort()] - before


def shuffled_order(length: int, seed: int) -> list[int]:
    """Return the places 0 to length - 1 in an order that depends on `seed` alone.

    >>> sorted(shuffled_order(4, seed=1))
    [0, 1, 2, 3]
    """
    return torch.randperm(length, generator=seeded(seed)).tolist()
