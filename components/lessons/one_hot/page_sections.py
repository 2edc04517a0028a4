"""What is below the figure on one-hot vectors: what they cost, the gradients of both ways, and 0 times infinity."""

import streamlit as st
from torch import Tensor

from components.base.text_format import pluralize
from components.charts.heatmap import heatmap
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
    unused_row,
)
from components.figures.cells import number
from components.ui.blocks import show_chart, show_table

BOUND = 3.0  # of the colours: nearly all numbers from N(0, 1) are nearer to 0
ROWS = 8  # of the gradient; one more shows a row that is not in use
INFINITY_COLUMNS = 3


def show_costs(N: int, V: int, D: int) -> None:
    """Show the cost of both ways: the formulas with their numbers."""
    cost = costs(N, V, D)
    rows = {
        "multiplications": (f"N × V × D = {N:,} × {V:,} × {D:,} = {cost.multiplications:,}", "0"),
        "additions": (f"N × (V − 1) × D = {cost.additions:,}", "0"),
        "one-hot matrix": (f"N × V × 4 = {cost.one_hot_bytes:,} bytes", "none"),
        "bytes read": (
            f"(N × V + V × D) × 4 = {cost.product_bytes:,} bytes",
            f"N × D × 4 + N × 8 = {cost.lookup_bytes:,} bytes",
        ),
    }
    show_table([{"": name, "one-hot product": product, "lookup": lookup} for name, (product, lookup) in rows.items()])
    st.caption(
        f"Of the {pluralize(cost.multiplications, 'multiplication')} {N * D:,} are by 1. A float32 number has 4 bytes, "
        "an int64 ID 8."
    )


def show_gradients(ids: Tensor, table: Tensor, seed: int) -> None:
    """Show that both ways and a Linear layer are the same function, so that the table [V, D] gets the same gradient."""
    V, D = table.shape
    used, columns = first_ids(ids, V), gradient_columns(V, D)
    ways = both_ways(used, table)
    upstream = random_upstream(len(used), D, seed)[:, :columns]  # [N, columns]
    found = gradients(used, ways.one_hot, table[:, :columns], upstream)
    if len(used) < len(ids):
        st.caption(f"The first {len(used):,} of {len(ids):,} IDs: one-hot vectors are V long, and more would not fit.")
    difference = largest_difference(ways.product, ways.lookup)
    same = f"at most {difference:.2e} apart, the error of float32" if difference else "exactly equal"
    linear = "exactly the same" if ways.linear.equal(ways.lookup) else "the same within that error"
    st.markdown(
        f"Both results are **{same}**: each dot product multiplies one element by 1 and all others by 0. "
        f"`nn.Linear({V}, {D}, bias=False)` gives {linear}; its weight is stored transposed, [D, V] = [{D:,}, {V:,}]."
    )
    rows, unused = found.rows[:ROWS].tolist(), unused_row(used, V)
    rows += [] if unused is None else [unused]
    difference = largest_difference(found.lookup, found.product[found.rows])
    same = f"at most {difference:.0e} apart" if difference else "exactly equal"
    show_chart(
        heatmap(
            found.product[rows].numpy(),
            [f"row {row:,}" for row in rows],
            [str(row) for row in rows],
            BOUND,
            "gradient[{row}, {column}]",
        ),
        f"Gradient of W for a random upstream gradient: {rows_with_gradient(found.product):,} of {V:,} rows get one, "
        f"those of the {len(found.rows):,} IDs in use; all others get exactly 0. The gradients of product and lookup "
        f"are {same}.",
    )
    st.caption("If an ID occurs several times, its row gets the sum of the gradients from all its positions.")


def show_zeros(ids: Tensor, table: Tensor) -> None:
    """Show who does multiply by zeros, and that 0 times infinity is not 0."""
    st.markdown(
        "BERT's published code does multiply by zeros: for its tokens with `use_one_hot_embeddings`, which its scripts "
        "set on TPUs, and always for its token types, because “it is always faster for a small vocabulary” "
        "([modeling.py](https://github.com/google-research/bert/blob/master/modeling.py))."
    )
    found = beside_infinity(ids, table[:, :INFINITY_COLUMNS])
    if found is None:
        st.markdown("Product and lookup agree only if the whole table is finite. Here no row is left out to show it.")
        return
    row, ways = found
    st.markdown(
        f"Product and lookup agree only if the whole table is finite. Here W[{row}, 0] is set to infinity in a copy of "
        f"the table; no ID uses row {row}, but 0 · ∞ is NaN:"
    )
    names = ("one_hot(ids) @ W", ways.product[0]), ("W[ids]", ways.lookup[0])
    show_table(
        [
            {"first row of": name} | {f"column {d}": number(value, 4) for d, value in enumerate(vector.tolist())}
            for name, vector in names
        ]
    )
