"""Position embeddings [T, D]: learned, sampled after the token embedding table, or sinusoidal positional encoding."""

import torch
from jaxtyping import Float
from torch import Tensor, nn

from components.embedding.tables import advance_generator

BASE = 10_000.0  # wavelengths from 2π to BASE · 2π positions


def learned_positions(length: int, dim: int, vocab_size: int, seed: int) -> Float[Tensor, "length dim"]:
    """Return a learned position embedding table [T, D] before training, as in GPT-2: Radford et al. (2019).

    It equals the weight of the second layer of torch.manual_seed(seed); nn.Embedding(V, D); nn.Embedding(T, D): its
    numbers follow those of the token embedding table.
    """
    generator = torch.Generator().manual_seed(seed)
    advance_generator(generator, vocab_size * dim)
    return torch.empty(length, dim).normal_(generator=generator)


def rates(dim: int, base: float = BASE) -> Float[Tensor, " pairs"]:
    """Return the rate of each pair of columns in radians per position: base^(-2i / D) for pair i.

    For an odd D the last pair has one column only.

    >>> rates(6)
    tensor([1.0000, 0.0464, 0.0022], dtype=torch.float64)
    """
    return base ** (-torch.arange(0, dim, 2, dtype=torch.float64) / dim)  # [ceil(D / 2)]


def tensor2tensor_rates(dim: int) -> Float[Tensor, " pairs"]:
    """Return the rates in tensor2tensor, the code published with the paper: 10000^(-i / (D // 2 - 1)) for D // 2 pairs.

    >>> tensor2tensor_rates(6)
    tensor([1.0000e+00, 1.0000e-02, 1.0000e-04], dtype=torch.float64)
    """
    return BASE ** (-torch.arange(dim // 2, dtype=torch.float64) / max(1, dim // 2 - 1))  # [D // 2]


def sinusoidal_positions(length: int, dim: int, layout: str = "interleaved") -> Float[Tensor, "length dim"]:
    """Return the sinusoidal positional encoding [T, D] of Vaswani et al. (2017), section 3.5.

    The layouts order the same columns differently: "interleaved" is sin, cos, sin, cos (the paper); "halves" is all
    sines, then all cosines. With an odd D the last sine has no cosine. Raises ValueError for another layout.
    """
    if layout not in ("interleaved", "halves"):
        raise ValueError(f"layout = {layout!r} is neither interleaved nor halves.")
    angles = torch.arange(length, dtype=torch.float64)[:, None] * rates(dim)  # [T, ceil(D / 2)]
    axis = 2 if layout == "interleaved" else 1
    return torch.stack([angles.sin(), angles.cos()], axis).flatten(1)[:, :dim].float()  # [T, D]


def similarity(P: Float[Tensor, "T D"]) -> Float[Tensor, "T T"]:
    """Return the cosine similarity of every two rows: P P^T divided by the norms, 0 for a row of zeros.

    >>> similarity(torch.tensor([[1.0, 0.0], [0.0, 2.0]]))
    tensor([[1., 0.],
            [0., 1.]])
    >>> similarity(torch.tensor([[0.0], [-2.0]]))  # 0 · −1 is −0 in floating point
    tensor([[0., 0.],
            [0., 1.]])
    """
    rows = nn.functional.normalize(P, dim=1)
    return rows @ rows.T + 0.0


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
