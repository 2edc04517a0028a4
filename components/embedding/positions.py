"""Position embeddings [T, D]: learned, sampled after the token embedding table, or sinusoidal positional encoding."""

import torch
from jaxtyping import Float
from torch import Tensor, nn

from components.embedding.tables import advance_generator, seeded_generator

BASE = 10_000.0  # wavelengths from 2π to BASE · 2π positions


def learned_positions(length: int, dim: int, vocab_size: int, seed: int) -> Float[Tensor, "length dim"]:
    """Return a learned position embedding table [T, D] before training, as in GPT-2: Radford et al. (2019).

    It equals the weight of the second layer of torch.manual_seed(seed); nn.Embedding(V, D); nn.Embedding(T, D): its
    numbers follow those of the token embedding table.

    >>> learned_positions(length=1, dim=3, vocab_size=6, seed=123)
    tensor([[-0.6307,  1.2340,  0.3127]])
    """
    generator = seeded_generator(seed)
    advance_generator(generator, vocab_size * dim)
    return torch.empty(length, dim).normal_(generator=generator)


def sinusoidal_positions(length: int, dim: int, layout: str = "interleaved") -> Float[Tensor, "length dim"]:
    """Return the sinusoidal positional encoding [T, D] of Vaswani et al. (2017), section 3.5.

    The layouts order the same columns differently: "interleaved" is sin, cos, sin, cos (the paper); "halves" is all
    sines, then all cosines. (tensor2tensor has the order "halves", but other rates: 10000^(-i / (D/2 - 1)).) With an
    odd D the last sine has no cosine. Raises ValueError for another layout.

    >>> sinusoidal_positions(2, 4)
    tensor([[0.0000, 1.0000, 0.0000, 1.0000],
            [0.8415, 0.5403, 0.0100, 0.9999]])
    """
    if layout not in ("interleaved", "halves"):
        raise ValueError(f"layout = {layout!r} is neither interleaved nor halves.")
    positions = torch.arange(length, dtype=torch.float64)[:, None]  # [T, 1]
    rates = BASE ** (-torch.arange(0, dim, 2, dtype=torch.float64) / dim)  # [ceil(D / 2)]
    angles = positions * rates  # [T, ceil(D / 2)]
    sines, cosines = angles.sin(), angles.cos()[:, : dim // 2]
    if layout == "halves":
        return torch.cat([sines, cosines], dim=1).float()  # [T, D]
    table = torch.empty(length, dim, dtype=torch.float64)
    table[:, 0::2], table[:, 1::2] = sines, cosines
    return table.float()  # [T, D]


def similarity(P: Float[Tensor, "T D"]) -> Float[Tensor, "T T"]:
    """Return the cosine similarity of every two rows: P P^T divided by the norms, 0 for a row of zeros.

    >>> similarity(torch.tensor([[1.0, 0.0], [0.0, 2.0]]))
    tensor([[1., 0.],
            [0., 1.]])
    """
    rows = nn.functional.normalize(P, dim=1)
    return rows @ rows.T


def error_past_the_end(table: Float[Tensor, "T D"]) -> str:
    """Return the error that torch raises when row T of a table with rows 0 to T - 1 is looked up.

    >>> error_past_the_end(torch.zeros(4, 2))
    'IndexError: index out of range in self'
    """
    try:
        nn.functional.embedding(torch.tensor([len(table)]), table)
    except IndexError as error:
        return f"{type(error).__name__}: {error}"
    return "no error"
