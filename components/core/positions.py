"""Position tables [T, D]: learned, drawn after the token table, or sinusoidal in both published layouts."""

import torch
from jaxtyping import Float
from torch import Generator, Tensor, nn

from components.core.embeddings import draw_table

BASE = 10_000.0


def learned_table(context_length: int, dim: int, generator: Generator) -> nn.Embedding:
    """Return a learned position table [T, D], as in GPT-2: the next draw of `generator` after the token table.

    >>> from components.core.embeddings import seeded
    >>> learned_table(context_length=2, dim=3, generator=seeded(1)).weight.shape
    torch.Size([2, 3])
    """
    return draw_table(context_length, dim, generator)


def sinusoidal_table(length: int, dim: int, layout: str = "interleaved") -> Float[Tensor, "length dim"]:
    """Return the sinusoidal table [T, D] of Vaswani et al. (2017), section 3.5.

    The same columns in two orders: "interleaved" is sin, cos, sin, cos (the paper); "halves" is all sines, then all
    cosines (the order of tensor2tensor, whose rates differ slightly). An odd D leaves the last sine without its
    cosine. Raises ValueError for another layout.

    >>> sinusoidal_table(2, 4)
    tensor([[0.0000, 1.0000, 0.0000, 1.0000],
            [0.8415, 0.5403, 0.0100, 0.9999]])
    """
    if layout not in ("interleaved", "halves"):
        raise ValueError(f"layout = {layout!r} is neither interleaved nor halves.")
    places = torch.arange(length, dtype=torch.float64)[:, None]  # [T, 1]
    rates = BASE ** (-torch.arange(0, dim, 2, dtype=torch.float64) / dim)  # [ceil(D / 2)]
    angles = places * rates  # [T, ceil(D / 2)]
    sines, cosines = angles.sin(), angles.cos()[:, : dim // 2]
    if layout == "halves":
        return torch.cat([sines, cosines], dim=1).float()  # [T, D]
    table = torch.empty(length, dim, dtype=torch.float64)
    table[:, 0::2], table[:, 1::2] = sines, cosines
    return table.float()  # [T, D]


def row_past_the_end(table: Float[Tensor, "T D"]) -> str:
    """Return what torch says when row T is asked of a table whose rows end at T - 1: the error it raises, as raised.

    >>> row_past_the_end(torch.zeros(4, 2))
    'IndexError: index out of range in self'
    """
    try:
        nn.functional.embedding(torch.tensor([len(table)]), table)
    except IndexError as error:
        return f"{type(error).__name__}: {error}"
    return "no error"
