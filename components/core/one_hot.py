"""Why a lookup: a one-hot row times the table picks the same row, at V times the cost.

Follows torch.nn.functional.one_hot and torch.nn.Linear: https://docs.pytorch.org/docs/stable/nn.functional.html
"""

from dataclasses import dataclass

from jaxtyping import Float, Int
from torch import Tensor
from torch.nn import functional as F

from components.core.limits import BYTES_PER_FLOAT, MAX_ONE_HOT_CELLS


@dataclass(frozen=True)
class BothWays:
    """The same IDs looked up and multiplied; all results are [N, D], the one-hot rows [N, V]."""

    hot: Float[Tensor, "N V"]
    product: Float[Tensor, "N D"]
    looked_up: Float[Tensor, "N D"]
    linear: Float[Tensor, "N D"]

    @property
    def linear_is_equal(self) -> bool:
        """Whether the Linear layer gives the rows of the lookup to the bit."""
        return self.linear.equal(self.looked_up)

    @property
    def largest_difference(self) -> float:
        """The largest distance between two numbers of the product and of the lookup at the same place."""
        return float((self.product - self.looked_up).abs().max())


def both_ways(ids: Int[Tensor, " N"], table: Float[Tensor, "V D"]) -> BothWays:
    """Return the rows of `table` for `ids`: by one-hot rows times the table, by lookup, and as a Linear layer does it.

    A Linear layer multiplies by its weight transposed, so its weight [D, V] is the table transposed. Raises ValueError,
    in a plain sentence, where the one-hot rows would be too large.

    >>> import torch
    >>> ways = both_ways(torch.tensor([2, 0]), torch.tensor([[0.5, 1.0], [0.0, 2.0], [3.0, 4.0]]))
    >>> ways.hot.tolist(), ways.product.tolist(), ways.largest_difference
    ([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0]], [[3.0, 4.0], [0.5, 1.0]], 0.0)
    """
    V = len(table)
    if len(ids) * V > MAX_ONE_HOT_CELLS:
        raise ValueError(
            f"{len(ids):,} one-hot rows of V = {V:,} have {len(ids) * V:,} cells; the limit is {MAX_ONE_HOT_CELLS:,}. "
            f"Take {MAX_ONE_HOT_CELLS // V:,} IDs or fewer."
        )
    hot = F.one_hot(ids.long(), num_classes=V).float()  # [N, V]
    return BothWays(hot, hot @ table, F.embedding(ids, table), F.linear(hot, table.T))


@dataclass(frozen=True)
class Costs:
    """What both ways take for N IDs, V rows and D columns: multiplications, additions, and bytes of float32 read."""

    multiplications: int
    additions: int
    product_bytes: int
    lookup_bytes: int


def costs(n_ids: int, vocab_size: int, dim: int) -> Costs:
    """Return what one-hot rows [N, V] times a table [V, D] take; a lookup multiplies and adds nothing.

    The product reads the one-hot rows and the whole table; the lookup reads N rows, and 8 bytes for each ID.

    >>> costs(n_ids=4, vocab_size=6, dim=3)
    Costs(multiplications=72, additions=60, product_bytes=168, lookup_bytes=80)
    """
    N, V, D = n_ids, vocab_size, dim
    return Costs(N * V * D, N * (V - 1) * D, (N * V + V * D) * BYTES_PER_FLOAT, N * D * BYTES_PER_FLOAT + 8 * N)


@dataclass(frozen=True)
class Gradients:
    """The gradient of both ways with respect to the table [V, D], for the same gradient of their result."""

    lookup: Float[Tensor, "V D"]
    product: Float[Tensor, "V D"]

    @property
    def largest_difference(self) -> float:
        """The largest distance between two numbers of both gradients at the same place."""
        return float((self.lookup - self.product).abs().max())


def gradients(ids: Int[Tensor, " N"], table: Float[Tensor, "V D"], upstream: Float[Tensor, "N D"]) -> Gradients:
    """Return the gradient that reaches the table through the lookup and through the product.

    Row i gets the sum of `upstream` over all places of ID i; other rows get exactly 0. `table` stays as it is.

    >>> import torch
    >>> both = gradients(torch.tensor([1, 1]), torch.zeros(3, 2), torch.tensor([[1.0, 2.0], [10.0, 20.0]]))
    >>> both.lookup.tolist(), both.largest_difference
    ([[0.0, 0.0], [11.0, 22.0], [0.0, 0.0]], 0.0)
    """
    found = []
    for way in (lambda W: F.embedding(ids, W), lambda W: F.one_hot(ids.long(), num_classes=len(W)).float() @ W):
        weight = table.detach().clone().requires_grad_()
        # Not backward(upstream), whose gradient is the same: PyTorch would load its algebra of shapes for it, 35 MB.
        (way(weight) * upstream).sum().backward()
        found.append(weight.grad)
    return Gradients(*found)
