"""The token embedding table: the weights that torch.nn.Embedding samples, without its process-wide random state.

Follows torch.nn.Embedding: https://docs.pytorch.org/docs/stable/generated/torch.nn.Embedding.html
"""

import math

import torch
from jaxtyping import Float
from torch import Generator, Tensor, nn

NORMAL_BLOCK = 16  # torch turns uniform numbers into normal ones 16 at a time
ADVANCE_BLOCK = 2**18  # numbers sampled at a time only to advance a generator


def seeded_generator(seed: int) -> Generator:
    """Return a random generator with the state that torch.manual_seed(seed) gives the process-wide one.

    >>> torch.rand(1, generator=seeded_generator(123))
    tensor([0.2961])
    """
    return torch.Generator().manual_seed(seed)


def init_embedding(rows: int, dim: int, generator: Generator) -> nn.Embedding:
    """Return an Embedding [rows, D] with weights sampled from N(0, 1) by `generator`.

    >>> init_embedding(6, 3, seeded_generator(123)).weight.shape
    torch.Size([6, 3])
    """
    return nn.Embedding(rows, dim, _weight=torch.empty(rows, dim).normal_(generator=generator))


def token_table(vocab_size: int, dim: int, seed: int) -> nn.Embedding:
    """Return the token embedding table [V, D]; it equals torch.manual_seed(seed); nn.Embedding(V, D).

    >>> token_table(vocab_size=6, dim=3, seed=123).weight[3]
    tensor([-0.4015,  0.9666, -1.1481], grad_fn=<SelectBackward0>)
    """
    return init_embedding(vocab_size, dim, seeded_generator(seed))


def scaled(vectors: Float[Tensor, "*shape"], dim: int) -> Float[Tensor, "*shape"]:
    """Return the vectors times sqrt(D), as in Vaswani et al. (2017), "Attention Is All You Need", section 3.4.

    >>> scaled(torch.ones(2), dim=16)
    tensor([4., 4.])
    """
    return vectors * math.sqrt(dim)


def advance_generator(generator: Generator, numbers: int) -> None:
    """Advance `generator` as sampling a table of so many numbers does, without the memory of the table.

    >>> advanced, used = seeded_generator(1), seeded_generator(1)
    >>> advance_generator(advanced, 5), init_embedding(5, 1, used).num_embeddings
    (None, 5)
    >>> torch.equal(advanced.get_state(), used.get_state())
    True
    """
    while numbers:
        # The last block includes the rest, because torch samples the end of a tensor differently unless its size is a
        # multiple of 16.
        block = numbers if numbers < 2 * ADVANCE_BLOCK else ADVANCE_BLOCK
        torch.empty(block).normal_(generator=generator)
        numbers -= block
