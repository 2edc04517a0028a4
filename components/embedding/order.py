"""Tokens at other positions: one that is moved, and all of them in another order."""

from collections.abc import Callable
from typing import NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor


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


def change_by_order(
    outputs: Callable[[Float[Tensor, "T D"]], Float[Tensor, "T K"]], tokens: Float[Tensor, "T D"], order: list[int]
) -> Float[Tensor, "T K"]:
    """Return how much the output for each token changes if the tokens are in another order.

    Row t belongs to the token that is at position t before. If nothing depends on positions all elements are 0: the
    same rows are only in another order.

    >>> change_by_order(lambda tokens: tokens + torch.arange(2.0), torch.eye(2), [1, 0])
    tensor([[0., 0.],
            [0., 0.]])
    """
    return outputs(tokens[order])[torch.tensor(order).argsort()] - outputs(tokens)


def shuffled_order(length: int, seed: int) -> list[int]:
    """Return the positions 0 to length - 1 in an order that depends on `seed` alone.

    >>> sorted(shuffled_order(4, seed=1))
    [0, 1, 2, 3]
    """
    return torch.randperm(length, generator=torch.Generator().manual_seed(seed)).tolist()
