"""The tokens of a sequence in another order, and what changes by it."""

from collections.abc import Callable

import torch
from jaxtyping import Float
from torch import Tensor


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
