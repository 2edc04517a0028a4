"""What the one-hot lesson shows of its results and gradients, computed once for the same IDs, sizes and seed.

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
    unused_row,
)
from components.ui.tables import shared_token_table

ROWS = 8  # in use, of the gradient; one more shows a row that is not in use


@dataclass(frozen=True)
class Results:
    """The first rows of the gradient, and how far both ways agree."""

    largest_difference: float
    linear_is_equal: bool
    gradient_rows: np.ndarray  # [<= ROWS + 1]
    gradient: np.ndarray  # [<= ROWS + 1, <= 16], through the product
    gradient_difference: float
    used: int  # distinct IDs
    touched: int  # rows with a gradient
    key_bytes: int

    @property
    def nbytes(self) -> int:
        """The memory in bytes of the arrays and of the IDs in the key of the cache."""
        return self.key_bytes + self.gradient_rows.nbytes + self.gradient.nbytes


def _key(ids: Tensor, vocab_size: int, dim: int, seed: int) -> tuple:
    return hashkey(ids.numpy().tobytes(), vocab_size, dim, seed)


@cached(LRUCache(MAX_ONE_HOT_BYTES_CACHED, getsizeof=lambda found: found.nbytes), key=_key, condition=Condition())
def results(ids: Tensor, vocab_size: int, dim: int, seed: int) -> Results:
    """Return what is shown for `ids` [N] and the token table of these settings."""
    table = shared_token_table(vocab_size, dim, seed).weight.detach()  # [V, D]
    ways = both_ways(ids, table)
    columns = gradient_columns(vocab_size, dim)
    found = gradients(ids, ways.one_hot, table[:, :columns], random_upstream(len(ids), columns, seed))
    unused = unused_row(ids, vocab_size)
    rows = found.rows[:ROWS].tolist() + ([] if unused is None else [unused])
    return Results(
        largest_difference(ways.product, ways.lookup),
        ways.linear.equal(ways.lookup),
        np.array(rows),
        found.product[rows].numpy(),  # a copy: a view would keep the whole gradient in memory
        largest_difference(found.lookup, found.product[found.rows]),
        len(found.rows),
        rows_with_gradient(found.product),
        ids.nbytes,
    )
