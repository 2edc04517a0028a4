"""The page of the lesson on one-hot vectors: a product that selects rows, its cost, and its gradient."""

import streamlit as st
from torch import Tensor

from components.base.export import NamedArray
from components.base.link import State
from components.base.settings import Settings
from components.base.text_format import pluralize, readable_bytes
from components.charts.heatmap import heatmap
from components.embedding.one_hot import beside_infinity, both_ways, costs, first_ids
from components.figures.cells import number
from components.figures.pager import ROWS, shown_rows
from components.lessons.one_hot.figure import one_hot_figure
from components.lessons.one_hot.page_results import results
from components.lessons.one_hot.page_timing import timing_view
from components.text.token_ids import repeated_ids
from components.ui.batch import journey_batch, token_names
from components.ui.blocks import notice, section, show_chart, show_table
from components.ui.download_registry import register
from components.ui.error_lab_links import offer_experiment
from components.ui.figure import show_figure
from components.ui.quiz import answer_first, first_question, is_masked, predict
from components.ui.tables import shared_token_table

BOUND = 3.0  # of the colours: nearly all numbers from N(0, 1) are nearer to 0
INFINITY_COLUMNS = 3
SMALL_SIZES = {"V": 6, "D": 3, "T": 4}  # of the experiments


def render(state: State) -> None:
    """Render the lesson from top to bottom."""
    settings, choices = state.settings, state.choices
    V, D = settings.vocab_size, settings.dim
    batch = journey_batch(state)
    if batch is not None:
        ids, table = batch.flatten(), shared_token_table(V, D, settings.seed).weight.detach()
        question = first_question()
        masked = is_masked(question)
        shown = shown_rows(len(ids), choices.one_hot_token)
        names = token_names(state, batch, shown)
        show_figure(one_hot_figure(ids, names, shown, table, choices.way, masked, choices.one_hot_column))
        predict(question)
        notice(observations(ids, settings, masked))
        register(lambda: result_export(first_ids(ids, V), settings))
        if part := section("**What it costs**: multiplications, memory, and a stopwatch", "costs"):
            with part:
                answer_first() if masked else show_costs(len(ids), V, D)
                timing_view(len(ids), D)
        if part := section("**Gradients**, and the same as a Linear layer", "gradients"):
            with part:
                show_gradients(ids, settings)
    if part := section("**Multiplying by zero**, and two errors", "zeros"):
        with part:
            if batch is not None:
                show_zeros(first_ids(batch, V), table)
            with st.container(horizontal=True):
                offer_experiment(state, "one_hot_without_num_classes", "A batch without the largest ID", **SMALL_SIZES)
                offer_experiment(state, "one_hot_integers", "Integer one-hot times float table", **SMALL_SIZES)


def observations(ids: Tensor, settings: Settings, masked: bool) -> list[str]:
    """Return what the figure has in numbers, but not the number that is masked."""
    N, V, D = len(ids), settings.vocab_size, settings.dim
    sentences = [
        f"Each one-hot vector has a single 1 among V = {V:,} numbers, at the index of its ID: every other row of the "
        f"table is multiplied by 0, so the sum for each of the D = {D:,} columns is one number of the row."
    ]
    if repeated := repeated_ids(ids.tolist()[:ROWS]):
        token_id, first, second = repeated[0]
        sentences.append(f"Rows {first:,} and {second:,} have the same 1, at {token_id:,}, and so the same result.")
    if not masked:
        sentences.append(
            f"A lookup needs no one-hot step: it copies {pluralize(N * D, 'number')} instead of multiplying "
            f"{costs(N, V, D).multiplications:,} times."
        )
    return sentences


def result_export(ids: Tensor, settings: Settings) -> dict[str, NamedArray]:
    """Return the one-hot matrix and both results, for files."""
    table = shared_token_table(settings.vocab_size, settings.dim, settings.seed).weight.detach()
    ways = both_ways(ids, table)
    named = {"one_hot": (ways.one_hot, "nv"), "product": (ways.product, "nd"), "lookup": (ways.lookup, "nd")}
    return {name: NamedArray(tensor.numpy(), tuple(letters)) for name, (tensor, letters) in named.items()}


def show_costs(N: int, V: int, D: int) -> None:
    """Show the cost of both ways: the formulas with their numbers."""
    cost = costs(N, V, D)
    rows = {
        "multiplications": (f"N × V × D = {N:,} × {V:,} × {D:,} = {cost.multiplications:,}", "0"),
        "additions": (f"N × (V − 1) × D = {cost.additions:,}", "0"),
        "one-hot matrix": (f"N × V × 4 = {readable_bytes(cost.one_hot_bytes)}", "none"),
        "bytes read": (
            f"(N × V + V × D) × 4 = {readable_bytes(cost.product_bytes)}",
            f"N × D × 4 + N × 8 = {readable_bytes(cost.lookup_bytes)}",
        ),
    }
    show_table([{"": name, "one-hot product": product, "lookup": lookup} for name, (product, lookup) in rows.items()])
    st.caption(
        f"Of the {pluralize(cost.multiplications, 'multiplication')} {N * D:,} are by 1. A float32 number has 4 bytes, "
        "an int64 ID 8."
    )


def show_gradients(ids: Tensor, settings: Settings) -> None:
    """Show that both ways and a Linear layer are the same function, so that the table gets the same gradient."""
    V, D = settings.vocab_size, settings.dim
    used = first_ids(ids, V)
    found = results(used, V, D, settings.seed)
    if len(used) < len(ids):
        st.caption(f"The first {len(used):,} of {len(ids):,} IDs: one-hot vectors are V long, and more would not fit.")
    same = "exactly equal"
    if found.largest_difference:
        same = f"at most {found.largest_difference:.2e} apart, the error of float32"
    linear = "exactly the same" if found.linear_is_equal else "the same within that error"
    st.markdown(
        f"Both results are **{same}**: each dot product multiplies one element by 1 and all others by 0. "
        f"`nn.Linear({V}, {D}, bias=False)` gives {linear}; its weight is stored transposed, [D, V] = [{D:,}, {V:,}]."
    )
    rows = found.gradient_rows.tolist()
    same = "exactly equal" if found.gradient_difference == 0 else f"at most {found.gradient_difference:.0e} apart"
    show_chart(
        heatmap(
            found.gradient,
            [f"row {row:,}" for row in rows],
            [str(row) for row in rows],
            BOUND,
            "gradient[{row}, {column}]",
        ),
        f"Gradient of W for a random upstream gradient: {found.touched:,} of {V:,} rows get one, those of the "
        f"{found.used:,} IDs in use; all others get exactly 0. The gradients of product and lookup are {same}.",
    )
    st.caption("If an ID occurs several times, its row gets the sum of the gradients from all its positions.")


def show_zeros(ids: Tensor, table: Tensor) -> None:
    """Say who does multiply by zeros, and show that 0 times infinity is not 0."""
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
