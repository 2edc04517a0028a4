"""Token and position in the combined embedding: norms, their ratio, and the cosine similarity to the token."""

import math
from typing import NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor

from components.embedding.tables import scaled

# Standard deviations of the initial weights, of tokens and of learned positions: nn.Embedding's, the first
# Transformer's, GPT-2's
INIT_STDS = {
    "1": lambda dim: (1.0, 1.0),
    "D^-0.5": lambda dim: (dim**-0.5, dim**-0.5),
    "0.02": lambda dim: (0.02, 0.01),
}


class NormRatio(NamedTuple):
    """Mean norms of token and position embeddings, token over position, mean cosine similarity of sum and token."""

    token: float
    position: float
    ratio: float
    cosine: float


def row_norms(vectors: Float[Tensor, "*rows D"]) -> Float[Tensor, "*rows"]:
    """Return the norm (L2) of every row.

    >>> row_norms(torch.tensor([[3.0, 4.0]]))
    tensor([5.])
    """
    return vectors.norm(dim=-1)


def expected_norm(dim: int, position: str) -> float:
    """Return the norm of a row: exactly sqrt(D / 2) if sinusoidal with even D, about sqrt(D) if sampled from N(0, 1).

    >>> expected_norm(8, "sinusoidal"), expected_norm(16, "learned")
    (2.0, 4.0)
    """
    return math.sqrt(dim / 2) if position == "sinusoidal" else math.sqrt(dim)


def norm_ratio(
    token: Float[Tensor, "B T D"],
    position: Float[Tensor, "T D"],
    init_std: str = "1",
    scale: bool = False,
    learned: bool = True,
) -> NormRatio:
    """Return the norms of token and position embeddings if their tables had the standard deviations `init_std`.

    Both are given as sampled from N(0, 1) and are multiplied by their standard deviation; a sinusoidal encoding is not,
    because it has no weights. `scale` multiplies the token embeddings by sqrt(D). The ratio is infinite if all position
    embeddings are zero: for D = 1, position 0 is sin(0). Raises KeyError unless `init_std` is in INIT_STDS.

    >>> round(norm_ratio(torch.ones(1, 1, 4), torch.ones(1, 4), scale=True).ratio, 4)
    2.0
    """
    dim = token.shape[-1]
    token_std, position_std = INIT_STDS[init_std](dim)
    token = scaled(token * token_std, dim) if scale else token * token_std  # [B, T, D]
    position = position * position_std if learned else position  # [T, D]
    token_norm, position_norm = row_norms(token).mean(), row_norms(position).mean()
    cosine = torch.cosine_similarity(token + position, token, dim=-1).mean()
    return NormRatio(token_norm.item(), position_norm.item(), (token_norm / position_norm).item(), cosine.item())


class MovedToken(NamedTuple):
    """The combined embedding [D] of a token at two positions, its largest change and the cosine similarity of both."""

    before: Float[Tensor, "D"]
    after: Float[Tensor, "D"]
    largest: float
    cosine: float


def move_token(token: Float[Tensor, "D"], position: Float[Tensor, "T D"], start: int, to: int) -> MovedToken:
    """Return the combined embedding of a token at position `start` and at position `to`.

    >>> move_token(torch.tensor([3.0, 4.0]), torch.tensor([[0.0, 0.0], [1.0, -1.0]]), 0, 1).after
    tensor([4., 3.])
    """
    before, after = token + position[start], token + position[to]  # [D]
    cosine = torch.cosine_similarity(before, after, dim=0).item()
    return MovedToken(before, after, (after - before).abs().max().item(), cosine)


def shuffle_difference(
    token: Float[Tensor, "T D"], position: Float[Tensor, "T D"] | None, order: list[int]
) -> Float[Tensor, "T D"]:
    """Return how much each token's combined embedding changes if the tokens are in another order.

    Row t belongs to the token that is at position t before shuffling. Without position embeddings all elements are 0:
    the same rows are only in another order.

    >>> shuffle_difference(torch.eye(2), None, [1, 0])
    tensor([[0., 0.],
            [0., 0.]])
    """
    before = token if position is None else token + position
    after = token[order] if position is None else token[order] + position
    return after[torch.tensor(order).argsort()] - before


def shuffled_order(length: int, seed: int) -> list[int]:
    """Return the positions 0 to length - 1 in an order that depends on `seed` alone.

    >>> sorted(shuffled_order(4, seed=1))
    [0, 1, 2, 3]
    """
    return torch.randperm(length, generator=torch.Generator().manual_seed(seed)).tolist()
