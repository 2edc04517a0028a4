"""The program of the lesson on one-hot vectors: product and lookup, their costs, and their gradients."""

from collections.abc import Sequence
from typing import Any

import torch

from components.base.link import State
from components.embedding.one_hot import (
    beside_infinity,
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
from components.figures.columns import shown_columns
from components.lessons.one_hot.figure import COLUMNS
from components.programs.batch_story import batch_values, choose_batch, tokenize


def multiply_and_look_up(ids, vocab_size, dim, seed, columns_of_result, columns_with_gradient):
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
    print(product.shape, product[:8, columns_of_result], lookup[:8, columns_of_result], sep="\n")
    print(f"largest difference {largest_difference(product, lookup):.2e}")
    # %% The same as a Linear layer
    # `nn.Linear(V, D, bias=False)` computes the product. It stores its weight transposed, as [D, V].
    print("exactly equal:", torch.equal(linear, lookup))
    # %% What it costs
    # Of the whole batch. A lookup copies N rows. It multiplies and adds nothing.
    cost = costs(ids.numel(), vocab_size, dim)
    print(f"multiplications: {cost.multiplications:,} in the product, 0 in the lookup")
    print(f"additions: {cost.additions:,} in the product, 0 in the lookup")
    print(f"one-hot matrix: {cost.one_hot_bytes:,} bytes")
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
    # %% Multiplying by zero
    # Product and lookup agree only if the whole table is finite. Here a row that no ID uses gets infinity in column 0.
    found = beside_infinity(flat_ids, W[:, :3])
    if found:
        row, ways = found
        print(f"W[{row}, 0] = inf", ways.product[0], ways.lookup[0], sep="\n")


STORIES = (tokenize, choose_batch, multiply_and_look_up)


def values(state: State, token_ids: Sequence[int]) -> dict[str, Any] | None:
    """Return the values of the stories; None if the settings give no batch."""
    found, settings = batch_values(state, token_ids), state.settings
    if found is None:
        return None
    return found | {
        "columns_of_result": shown_columns(settings.dim, state.choices.one_hot_column, COLUMNS),
        "columns_with_gradient": gradient_columns(settings.vocab_size, settings.dim),
    }
