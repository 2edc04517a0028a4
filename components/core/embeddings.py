"""The token table: V rows of D numbers, the same ones torch.nn.Embedding would draw, without its global seed.

Follows torch.nn.Embedding: https://docs.pytorch.org/docs/stable/generated/torch.nn.Embedding.html
"""

import math

import torch
from jaxtyping import Float
from torch import Generator, Tensor, nn

DRAWN_IN_BLOCKS = 16  # torch turns uniform numbers into normal ones 16 at a time
SCRATCH = 2**18  # numbers drawn at a time where only their number matters


def seeded(seed: int) -> Generator:
    """Return a random stream of its own that starts where torch.manual_seed(seed) would start the global one.

    >>> torch.rand(1, generator=seeded(123))
    tensor([0.2961])
    """
    return torch.Generator().manual_seed(seed)


def draw_table(rows: int, dim: int, generator: Generator) -> nn.Embedding:
    """Return an Embedding [rows, D] with weights from N(0, 1), the next numbers of `generator`."""
    return nn.Embedding(rows, dim, _weight=torch.empty(rows, dim).normal_(generator=generator))


def token_table(vocab_size: int, dim: int, seed: int) -> nn.Embedding:
    """Return the token table [V, D]: equal to torch.manual_seed(seed); nn.Embedding(V, D), global state untouched.

    >>> token_table(vocab_size=6, dim=3, seed=123).weight[3]
    tensor([-0.4015,  0.9666, -1.1481], grad_fn=<SelectBackward0>)
    """
    return draw_table(vocab_size, dim, seeded(seed))


def scaled(vectors: Float[Tensor, "*shape"], dim: int) -> Float[Tensor, "*shape"]:
    """Return the vectors times sqrt(D), as in Vaswani et al. (2017), "Attention Is All You Need", section 3.4.

    >>> scaled(torch.ones(2), dim=16)
    tensor([4., 4.])
    """
    return vectors * math.sqrt(dim)


def skip(generator: Generator, numbers: int) -> None:
    """Advance `generator` as drawing a table of so many numbers would, without the memory of one.

    >>> ahead, drawn = seeded(1), seeded(1)
    >>> skip(ahead, 5), draw_table(5, 1, drawn).num_embeddings
    (None, 5)
    >>> torch.equal(ahead.get_state(), drawn.get_state())
    True
    """
    while numbers:
        # The last part takes what is left over, because a draw that is no multiple of 16 ends in a way of its own.
        part = numbers if numbers < 2 * SCRATCH else SCRATCH
        torch.empty(part).normal_(generator=generator)
        numbers -= part
