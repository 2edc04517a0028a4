"""Token and position in the combined embedding: norms, their ratio, and the cosine similarity to the token."""

import math
from typing import NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor

from components.embedding.tables import scaled


class NormRatio(NamedTuple):
    """Mean norms of token and position embeddings, token over position, mean cosine similarity of sum and token."""

    token: float
    position: float
    ratio: float
    cosine: float


def expected_norm(dim: int, position: str) -> float:
    """Return the norm of a row: exactly sqrt(D / 2) if sinusoidal with even D, about sqrt(D) if sampled from N(0, 1).

    >>> expected_norm(8, "sinusoidal"), expected_norm(16, "learned")
    (2.0, 4.0)
    """
    return math.sqrt(dim / 2) if position == "sinusoidal" else math.sqrt(dim)


def norm_ratio(
    token: Float[Tensor, "B T D"],
    position: Float[Tensor, "T D"],
    token_std: float = 1.0,
    position_std: float = 1.0,
    scale: bool = False,
) -> NormRatio:
    """Return the norms of token and position embeddings if their tables had these standard deviations.

    Both are given as sampled from N(0, 1); a sinusoidal encoding has no weights, so its `position_std` is 1. `scale`
    multiplies the token embeddings by sqrt(D). The ratio is infinite if all position embeddings are zero: for D = 1,
    position 0 is sin(0).

    >>> round(norm_ratio(torch.ones(1, 1, 4), torch.ones(1, 4), scale=True).ratio, 4)
    2.0
    """
    token, position = token * token_std, position * position_std
    if scale:
        token = scaled(token, token.shape[-1])  # [B, T, D]
    token_norm, position_norm = token.norm(dim=-1).mean(), position.norm(dim=-1).mean()
    cosine = torch.cosine_similarity(token + position, token, dim=-1).mean()
    return NormRatio(token_norm.item(), position_norm.item(), (token_norm / position_norm).item(), cosine.item())
