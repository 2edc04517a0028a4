"""The page of the lesson on one-hot vectors: a product that picks rows, its cost, and its gradient."""

import streamlit as st
from torch import Tensor

from components.base.export import NamedArray
from components.base.link import State
from components.base.settings import Settings
from components.base.text_format import readable_bytes
from components.charts.heatmap import heatmap
from components.embedding.one_hot import both_ways, costs, first_ids
from components.lessons.one_hot.page_results import Results, results
from components.lessons.one_hot.page_timing import timing_view
from components.ui.batch import journey_batch, row_label
from components.ui.blocks import show_chart, show_shape, show_table
from components.ui.download_registry import register
from components.ui.error_lab_links import offer_experiment
from components.ui.quiz import predict_first
from components.ui.tables import shared_token_table

BOUND = 3.0  # of the colours: nearly all numbers from N(0, 1) are nearer to 0
SMALL_SIZES = {"V": 6, "D": 3, "T": 4}  # of the experiments


def render(state: State) -> None:
    """Render the lesson from top to bottom."""
    V, D = state.settings.vocab_size, state.settings.dim
    batch = journey_batch(state)
    if batch is not None:
        ids = first_ids(batch, V)  # [N]
        if len(ids) < batch.numel():
            st.caption(
                f"The first {len(ids):,} of {batch.numel():,} IDs: one-hot rows are V long, and more would not fit."
            )
        predict_first()
        found = results(ids, V, D, state.settings.seed)
        compare_results(state, ids, found)
        register(lambda: result_export(ids, state.settings))
        show_costs(len(ids), V, D)
        timing_view(len(ids), D)
        show_gradients(found, V)
    offer_experiments(state)
    st.markdown(
        "**What to notice.** One-hot multiplication explains a lookup; in practice the row is simply copied. Both are "
        "the same function, so the table is trained like any other layer."
    )


def compare_results(state: State, ids: Tensor, found: Results) -> None:
    """Show the product and the lookup, and how far apart they are."""
    N, V, D = len(ids), state.settings.vocab_size, state.settings.dim
    n, columns = found.product.shape
    names, keys = [row_label(state, i) for i in ids[:n].tolist()], [str(i) for i in range(n)]
    left, right = st.columns(2, gap="medium")
    for column, name, part, heading in (
        (left, "one_hot(ids) @ W", found.product, f"The product: [{N}, {V:,}] @ [{V:,}, {D}]"),
        (right, "W[ids]", found.lookup, "The lookup"),
    ):
        with column:
            show_shape(name, (N, D), "token", "[N, D]", heading)
            show_chart(
                heatmap(part, names, keys, BOUND, "result[{row}, {column}]"),
                f"{n} of {N} rows, {columns} of {D} columns; the first begins with {part[0, 0]:.4f}.",
            )
    same = "exactly equal"
    if found.largest_difference:
        same = f"at most {found.largest_difference:.2e} apart, the error of float32"
    linear = "exactly the same" if found.linear_is_equal else "the same within that error"
    st.success(
        f"Both results are **{same}**: each dot product multiplies one element by 1 and all others by 0. "
        f"nn.Linear({V}, {D}, bias=False) gives {linear}; its weight is stored transposed, [D, V] = [{D}, {V:,}].",
        icon=":material/equal:",
    )


def result_export(ids: Tensor, settings: Settings) -> dict[str, NamedArray]:
    """Return the one-hot matrix and both results, for files."""
    table = shared_token_table(settings.vocab_size, settings.dim, settings.seed).weight.detach()
    ways = both_ways(ids, table)
    named = {"one_hot": (ways.one_hot, "nv"), "product": (ways.product, "nd"), "lookup": (ways.lookup, "nd")}
    return {name: NamedArray(tensor.numpy(), tuple(letters)) for name, (tensor, letters) in named.items()}


def show_costs(n_ids: int, V: int, D: int) -> None:
    """Show the cost of both ways: the formulas with their numbers."""
    st.header("What it costs", anchor=False)
    cost = costs(n_ids, V, D)
    show_table(
        [
            {
                "": "multiplications",
                "one-hot product": f"N × V × D = {n_ids} × {V:,} × {D} = {cost.multiplications:,}",
                "lookup": "0",
            },
            {
                "": "additions",
                "one-hot product": f"N × (V − 1) × D = {cost.additions:,}",
                "lookup": "0",
            },
            {
                "": "bytes read",
                "one-hot product": f"(N × V + V × D) × 4 = {readable_bytes(cost.product_bytes)}",
                "lookup": f"N × D × 4 + N × 8 = {readable_bytes(cost.lookup_bytes)}",
            },
        ]
    )


def show_gradients(found: Results, V: int) -> None:
    """Show that the table gets the same gradient from both ways."""
    st.header("The gradients are equal", anchor=False)
    same = "exactly equal" if found.gradient_difference == 0 else f"at most {found.gradient_difference:.0e} apart"
    rows = found.used_rows.tolist()
    names = [f"row {row:,}" for row in rows]
    show_chart(
        heatmap(found.gradient, names, [str(row) for row in rows], BOUND, "gradient[{row}, {column}]"),
        f"Gradient of W for a random upstream gradient: {found.touched:,} of {V:,} rows get one, those of the "
        f"{found.used:,} IDs in use; all others get exactly 0. Lookup and product are {same}.",
    )
    st.caption("If an ID occurs several times, its row gets the sum of the gradients from all its positions.")


def offer_experiments(state: State) -> None:
    """Offer the experiments on errors with one-hot vectors."""
    st.header("What goes wrong", anchor=False)
    with st.container(horizontal=True):
        offer_experiment(state, "one_hot_without_num_classes", "A batch without the largest ID", **SMALL_SIZES)
        offer_experiment(state, "one_hot_integers", "Integer one-hot times float table", **SMALL_SIZES)
