"""The token embedding table: the weights that torch.nn.Embedding samples, without its process-wide random state.

Follows torch.nn.Embedding: https://docs.pytorch.org/docs/stable/generated/torch.nn.Embedding.html
"""

import math

import torch
from jaxtyping import Float
from torch import Generator, Tensor, nn

NORMAL_BLOCK = 16  # torch turns uniform numbers into normal ones 16 at a time
ADVANCE_BLOCK = 2**18  # random bytes at a time


def token_table(vocab_size: int, dim: int, seed: int) -> nn.Embedding:
    """Return the token embedding table [V, D], sampled from N(0, 1): torch.manual_seed(seed); nn.Embedding(V, D)."""
    generator = Generator().manual_seed(seed)
    return nn.Embedding(vocab_size, dim, _weight=torch.empty(vocab_size, dim).normal_(generator=generator))


def scaled(vectors: Float[Tensor, "*shape"], dim: int) -> Float[Tensor, "*shape"]:
    """Return the vectors times sqrt(D), as in Vaswani et al. (2017), "Attention Is All You Need", section 3.4.

    >>> scaled(torch.ones(2), dim=16)
    tensor([4., 4.])
    """
    return vectors * math.sqrt(dim)


def advance_generator(generator: Generator, numbers: int) -> None:
    """Advance `generator` as sampling a table of this many numbers does, without the memory of the table."""
    if numbers < NORMAL_BLOCK:
        torch.empty(numbers).normal_(generator=generator)
        return
    # One sample for each number, and 16 more for the last block if it is incomplete, which torch samples again.
    samples = numbers + (NORMAL_BLOCK if numbers % NORMAL_BLOCK else 0)
    sampled = torch.empty(min(samples, ADVANCE_BLOCK), dtype=torch.uint8)  # a byte takes one sample as well
    for start in range(0, samples, ADVANCE_BLOCK):
        sampled[: samples - start].random_(generator=generator)
