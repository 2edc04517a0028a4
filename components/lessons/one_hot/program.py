"""The program of the lesson on one-hot vectors: product and lookup, their costs, and their gradients."""

from collections.abc import Sequence
from typing import Any

import torch

from components.base.link import State
from components.embedding.one_hot import (
    both_ways,
    costs,
    first_ids,
    gradient_columns,
    gradients,
    largest_difference,
    random_upstream,
    rows_with_gradient,
)
from components.embedding.tables import token_table
from components.programs.batch_story import batch_values, choose_batch, tokenize


def multiply_and_look_up(ids, vocab_size, dim, seed, columns_with_gradient):
    """Get the rows of IDs by a one-hot matrix product and by a lookup."""
    # %% One-hot vectors [N, V]
    # Each of the N IDs becomes a vector of V numbers: 1 at the index of the ID, 0 everywhere else.
    W = token_table(vocab_size, dim, seed).weight.detach()  # [V, D]
    flat_ids = first_ids(ids, vocab_size)  # [N]
    one_hot, product, lookup, linear = both_ways(flat_ids, W)  # [N, V], then three times [N, D]
    print(one_hot.shape, one_hot.argmax(dim=1), sep="\n")
    # %% The product and the lookup [N, D]
    # Each dot product multiplies one element of the table by 1 and all others by 0, so the product is the row of the
    # ID. That is true of finite numbers only: 0 times infinity is NaN.
    print(product.shape, product[:8, :16], lookup[:8, :16], sep="\n")
    print(f"largest difference {largest_difference(product, lookup):.2e}")
    # %% The same as a Linear layer
    # `nn.Linear(V, D, bias=False)` computes the product. It stores its weight transposed, as [D, V].
    print("exactly equal:", torch.equal(linear, lookup))
    # %% What it costs
    # A lookup copies N rows. It multiplies and adds nothing.
    cost = costs(len(flat_ids), vocab_size, dim)
    print(f"multiplications: {cost.multiplications:,} in the product, 0 in the lookup")
    print(f"additions: {cost.additions:,} in the product, 0 in the lookup")
    print(f"bytes read: {cost.product_bytes:,} by the product, {cost.lookup_bytes:,} by the lookup")
    # %% The gradients are equal
    # Both ways are the same function of the table, so it gets the same gradient from both: the row of an ID gets the
    # sum of the upstream gradients from all positions of that ID, every other row gets exactly 0.
    upstream = random_upstream(len(flat_ids), columns_with_gradient, seed)  # [N, columns]
    gradient = gradients(flat_ids, one_hot, W[:, :columns_with_gradient], upstream)
    difference = largest_difference(gradient.lookup, gradient.product[gradient.rows])
    print(f"rows in use: {len(gradient.rows)} of {vocab_size}, largest difference {difference:.0e}")
    print(f"rows with a gradient: {rows_with_gradient(gradient.lookup)} through the lookup,", end=" ")
    print(f"{rows_with_gradient(gradient.product)} through the product")
    print(gradient.rows[:8], gradient.lookup[:8], sep="\n")


STORIES = (tokenize, choose_batch, multiply_and_look_up)


def values(state: State, token_ids: Sequence[int]) -> dict[str, Any] | None:
    """Return the values of the stories; None if the settings give no batch."""
    found = batch_values(state, token_ids)
    columns = gradient_columns(state.settings.vocab_size, state.settings.dim)
    return None if found is None else found | {"columns_with_gradient": columns}
