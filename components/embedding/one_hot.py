"""One-hot matrix products: the same rows and gradients as an embedding lookup, at a higher cost.

Product and lookup agree if all numbers of the table are finite: 0 times infinity is NaN. Follows
torch.nn.functional.one_hot and torch.nn.Linear: https://docs.pytorch.org/docs/stable/nn.functional.html
"""

from typing import NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Tensor
from torch.nn import functional as F

from components.base.limits import BYTES_PER_FLOAT, MAX_ONE_HOT_CELLS


class BothWays(NamedTuple):
    """The rows of a table for some IDs: by one-hot product, by lookup, and as a Linear layer does it."""

    one_hot: Float[Tensor, "n V"]
    product: Float[Tensor, "n D"]
    lookup: Float[Tensor, "n D"]
    linear: Float[Tensor, "n D"]


class Costs(NamedTuple):
    """The cost of the one-hot product and the lookup: multiplications, additions, and bytes."""

    multiplications: int
    additions: int
    one_hot_bytes: int
    product_bytes: int
    lookup_bytes: int


class Gradients(NamedTuple):
    """The gradients of a table: of its rows in use through the lookup, of all its rows through the product."""

    rows: Int[Tensor, " U"]  # the distinct IDs, in ascending order
    lookup: Float[Tensor, "U D"]
    product: Float[Tensor, "V D"]


def first_ids(ids: Int[Tensor, "*shape"], vocab_size: int) -> Int[Tensor, " n"]:
    """Return IDs of any shape as one sequence, at most so many that their one-hot matrix is not too large.

    >>> first_ids(torch.tensor([[2, 3], [5, 1]]), vocab_size=6)
    tensor([2, 3, 5, 1])
    """
    return ids.flatten()[: max(1, MAX_ONE_HOT_CELLS // vocab_size)]


def one_hot_matrix(ids: Int[Tensor, " n"], table: Float[Tensor, "V D"]) -> Float[Tensor, "n V"]:
    """Return the one-hot vectors of `ids`, as F.one_hot gives them, but in the dtype of `table` from the start.

    F.one_hot makes int64, twice as large as float32, which would then have to be copied.

    >>> one_hot_matrix(torch.tensor([2, 0]), torch.zeros(3, 2)).tolist()
    [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]
    """
    return table.new_zeros(len(ids), len(table)).scatter_(1, ids[:, None], 1.0)  # [n, V]


def both_ways(ids: Int[Tensor, " n"], table: Float[Tensor, "V D"]) -> BothWays:
    """Return the one-hot matrix of `ids`, and the rows of `table` for them: by product, lookup and Linear layer.

    A Linear layer multiplies by its weight transposed, so its weight [D, V] is the table transposed.

    >>> ways = both_ways(torch.tensor([2, 0]), torch.tensor([[0.5, 1.0], [0.0, 2.0], [3.0, 4.0]]))
    >>> ways.product.tolist(), ways.lookup.tolist()
    ([[3.0, 4.0], [0.5, 1.0]], [[3.0, 4.0], [0.5, 1.0]])
    """
    one_hot = one_hot_matrix(ids, table)  # [n, V]
    return BothWays(one_hot, one_hot @ table, F.embedding(ids, table), F.linear(one_hot, table.T))


def largest_difference(one: Float[Tensor, "*shape"], other: Float[Tensor, "*shape"]) -> float:
    """Return the largest absolute difference between an element of one tensor and the same element of the other.

    >>> largest_difference(torch.tensor([1.0, 2.0]), torch.tensor([1.0, 4.0]))
    2.0
    """
    return (one - other).abs().max().item()


def costs(n_ids: int, vocab_size: int, dim: int) -> Costs:
    """Return the cost of a one-hot matrix [n, V] times a table [V, D]; a lookup multiplies and adds nothing.

    The product reads the one-hot matrix and the whole table; the lookup reads n rows, and 8 bytes for each ID.

    >>> costs(n_ids=4, vocab_size=6, dim=3)
    Costs(multiplications=72, additions=60, one_hot_bytes=96, product_bytes=168, lookup_bytes=80)
    """
    n, V, D = n_ids, vocab_size, dim
    one_hot_bytes = n * V * BYTES_PER_FLOAT
    return Costs(
        n * V * D,
        n * (V - 1) * D,
        one_hot_bytes,
        one_hot_bytes + V * D * BYTES_PER_FLOAT,
        n * D * BYTES_PER_FLOAT + 8 * n,
    )


def unused_row(ids: Int[Tensor, " n"], vocab_size: int) -> int | None:
    """Return the first row of a table that no ID uses; None if all are in use.

    >>> unused_row(torch.tensor([0, 2]), vocab_size=3), unused_row(torch.tensor([0, 1]), vocab_size=2)
    (1, None)
    """
    used = set(ids.tolist())
    return next((row for row in range(vocab_size) if row not in used), None)


def beside_infinity(ids: Int[Tensor, " n"], table: Float[Tensor, "V D"]) -> tuple[int, BothWays] | None:
    """Return an unused row and both ways for a copy of `table` that has infinity there; None if all are in use.

    >>> row, ways = beside_infinity(torch.tensor([0]), torch.tensor([[0.5, 1.0], [3.0, 4.0]]))
    >>> row, ways.product.tolist(), ways.lookup.tolist()
    (1, [[nan, 1.0]], [[0.5, 1.0]])
    """
    row = unused_row(ids, len(table))
    if row is None:
        return None
    infinite = table.clone()
    infinite[row, 0] = torch.inf
    return row, both_ways(ids, infinite)


def gradients(
    ids: Int[Tensor, " n"], one_hot: Float[Tensor, "n V"], table: Float[Tensor, "V D"], upstream: Float[Tensor, "n D"]
) -> Gradients:
    """Return the gradients of `table` through the lookup of `ids` and through the product with their one-hot matrix.

    `upstream` is the gradient of a loss with respect to the rows of the IDs; row i gets its sum over all positions of
    ID i. The lookup reads no other row: their gradient is 0, and takes no memory here. `table` is not changed.

    >>> ids, table = torch.tensor([1, 1]), torch.zeros(3, 2)
    >>> found = gradients(ids, one_hot_matrix(ids, table), table, torch.tensor([[1.0, 2.0], [10.0, 20.0]]))
    >>> found.rows.tolist(), found.lookup.tolist(), found.product.tolist()
    ([1], [[11.0, 22.0]], [[0.0, 0.0], [11.0, 22.0], [0.0, 0.0]])
    """
    rows, index_in_rows = ids.unique(return_inverse=True)  # [U], [n]
    used = table.detach()[rows].requires_grad_()  # [U, D]
    # Not backward(upstream), whose gradient is the same: PyTorch would load its algebra of shapes for it, 35 MB.
    (F.embedding(index_in_rows, used) * upstream).sum().backward()
    # Over all columns of the one-hot matrix: without the unused ones, sums of repeated IDs differ in the last bit.
    weight = table.detach().requires_grad_()  # [V, D]
    ((one_hot @ weight) * upstream).sum().backward()
    return Gradients(rows, used.grad, weight.grad)
