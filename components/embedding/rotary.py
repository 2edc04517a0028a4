"""Rotary position embedding (RoPE): queries and keys are rotated, pair by pair, by angles that grow with the position.

Su et al. (2021), "RoFormer": https://arxiv.org/abs/2104.09864. Which two columns are a pair differs between programs:
neighbors in RoFormer, GPT-J and Meta's code for Llama ("interleaved"), column i and i + D/2 in GPT-NeoX and in Llama as
transformers has it ("halves"), whose query and key weights have their columns permuted to match.
"""

import math

import torch
from jaxtyping import Float, Int
from torch import Tensor

from components.embedding.positions import BASE, rates


def pairs(dim: int, layout: str = "interleaved") -> Int[Tensor, "2 pairs"]:
    """Return the first and the second column of each pair [2, D/2]. Raises ValueError for an odd D or another layout.

    >>> pairs(6), pairs(6, "halves")
    (tensor([[0, 2, 4], [1, 3, 5]]), tensor([[0, 1, 2], [3, 4, 5]]))
    """
    if dim % 2:
        raise ValueError(f"D = {dim:,} is odd: rotary positions rotate pairs of columns, so D must be even.")
    if layout not in ("interleaved", "halves"):
        raise ValueError(f"layout = {layout!r} is neither interleaved nor halves.")
    columns = torch.arange(dim)
    return columns.reshape(-1, 2).T if layout == "interleaved" else columns.reshape(2, -1)


def rotate(
    x: Float[Tensor, "*batch T D"], positions: Int[Tensor, " T"], layout: str = "interleaved", base: float = BASE
) -> Float[Tensor, "*batch T D"]:
    """Return queries or keys [.., T, D] with every pair of columns rotated by its rate times the position [T].

    The layouts are "interleaved" and "halves". Raises ValueError for an odd D or another layout.

    >>> rotate(torch.tensor([[1.0, 0.0], [1.0, 0.0]]), torch.tensor([0, 1]))
    tensor([[1.0000, 0.0000],
            [0.5403, 0.8415]])
    """
    first, second = pairs(x.shape[-1], layout)  # [D/2], [D/2]
    angles = positions[:, None] * rates(x.shape[-1], base)  # [T, D/2], in float64
    cosines, sines = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., first], x[..., second]  # [.., T, D/2]
    rotated = torch.empty_like(x)
    rotated[..., first] = a * cosines - b * sines
    rotated[..., second] = a * sines + b * cosines
    return rotated


def score_of_pairs(query: Float[Tensor, " D"], key: Float[Tensor, " D"]) -> Float[Tensor, " pairs"]:
    """Return what each pair of neighbors adds to the score of a query and a key [D]: together q · k / √D.

    >>> score_of_pairs(torch.tensor([1.0, 2.0, 0.0, 1.0]), torch.tensor([3.0, 4.0, 5.0, 6.0]))
    tensor([5.5000, 3.0000])
    """
    return (query * key).view(-1, 2).sum(dim=1) / math.sqrt(len(query))
