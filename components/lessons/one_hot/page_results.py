"""What the one-hot lesson shows of its tensors, computed once for the same IDs, sizes and seed.

One-hot matrices and gradients of the table take as long as V is large, while what is shown is a few rows of them.
"""

from dataclasses import dataclass
from threading import Condition

import numpy as np
from cachetools import LRUCache, cached
from cachetools.keys import hashkey
from torch import Tensor

from components.base.limits import MAX_ONE_HOT_BYTES_CACHED
from components.embedding.one_hot import (
    both_ways,
    gradient_columns,
    gradients,
    largest_difference,
    random_upstream,
    rows_with_gradient,
)
from components.ui.tables import shared_token_table

ROWS, COLUMNS = 8, 16  # shown of each tensor


@dataclass(frozen=True)
class Results:
    """The first rows and columns of both results and of the gradient, and how far both ways agree."""

    product: np.ndarray  # [<= ROWS, <= COLUMNS]
    lookup: np.ndarray  # [<= ROWS, <= COLUMNS]
    largest_difference: float
    linear_is_equal: bool
    used_rows: np.ndarray  # [<= ROWS], those of the gradient
    gradient: np.ndarray  # [<= ROWS, <= COLUMNS], of the lookup
    gradient_difference: float
    used: int  # distinct IDs
    touched: int  # rows with a gradient
    key_bytes: int

    @property
    def nbytes(self) -> int:
        """The memory in bytes of the arrays and of the IDs in the key of the cache."""
        return self.key_bytes + sum(
            array.nbytes for array in (self.product, self.lookup, self.used_rows, self.gradient)
        )


def _key(ids: Tensor, vocab_size: int, dim: int, seed: int) -> tuple:
    return hashkey(ids.numpy().tobytes(), vocab_size, dim, seed)


def _part(rows: Tensor) -> np.ndarray:
    """Return a copy of what is shown of `rows`: a view would keep all of them in memory."""
    part = rows[:ROWS, :COLUMNS].numpy().copy()
    part.setflags(write=False)
    return part


@cached(LRUCache(MAX_ONE_HOT_BYTES_CACHED, getsizeof=lambda found: found.nbytes), key=_key, condition=Condition())
def results(ids: Tensor, vocab_size: int, dim: int, seed: int) -> Results:
    """Return what is shown for `ids` [N] and the token table of these settings."""
    table = shared_token_table(vocab_size, dim, seed).weight.detach()  # [V, D]
    ways = both_ways(ids, table)
    columns = gradient_columns(vocab_size, dim)
    gradient = gradients(ids, ways.one_hot, table[:, :columns], random_upstream(len(ids), columns, seed))
    return Results(
        _part(ways.product),
        _part(ways.lookup),
        largest_difference(ways.product, ways.lookup),
        ways.linear.equal(ways.lookup),
        gradient.rows[:ROWS].numpy().copy(),
        _part(gradient.lookup),
        largest_difference(gradient.lookup, gradient.product[gradient.rows]),
        len(gradient.rows),
        rows_with_gradient(gradient.lookup),
        ids.nbytes,
    )
