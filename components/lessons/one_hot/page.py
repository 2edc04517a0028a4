"""The page of the lesson on one-hot vectors: a product that selects rows, its cost, and its gradient."""

import time
from threading import Lock

import streamlit as st
import torch
from torch import Tensor

from components.base.export import NamedArray
from components.base.limits import MAX_LAB_CELLS, MAX_TIMED_COLUMNS, MAX_TIMED_IDS
from components.base.link import State
from components.base.settings import Settings
from components.base.text_format import pluralize
from components.caches.tables import shared_token_table
from components.charts.heatmap import NORMAL_BOUND, heatmap
from components.embedding.one_hot import (
    beside_infinity,
    both_ways,
    costs,
    first_ids,
    gradients,
    largest_difference,
    unused_row,
)
from components.embedding.timing import REPETITIONS, SIZES, Quartiles, Timing, measure
from components.figures.cells import number
from components.figures.columns import shown_rows
from components.lessons.one_hot.charts import timing_chart
from components.lessons.one_hot.figure import one_hot_figure
from components.programs.lesson_values import batch_values
from components.text.token_ids import repeated_ids
from components.ui.batch import batch_or_show_error, token_names
from components.ui.blocks import notice, show_chart, show_table
from components.ui.download_registry import register
from components.ui.error_lab_links import offer_experiment
from components.ui.figure import show_widened
from components.ui.quiz import answer_first, first_question, is_masked, predict
from components.ui.sections import section

SMALL_SIZES = {"V": 6, "D": 3, "T": 4}  # of the experiments
ROWS, COLUMNS = 8, 16  # of the gradient, at most; one row more shows one that is not in use
INFINITY_COLUMNS = 3
AGREE = "Product and lookup agree only if every row that is multiplied by 0 is finite."
program_values = batch_values
SECONDS_TO_SEND = 0.05  # sending the progress bar to the browser takes time that must not be measured
SECONDS_BETWEEN_CHECKS = 0.2
WAITING = "Waiting for another measurement …"
_one_at_a_time = Lock()  # two measurements at once would measure each other


def render(state: State) -> None:
    settings, choices = state.settings, state.choices
    V, D = settings.vocab_size, settings.dim
    batch = batch_or_show_error(state)
    if batch is not None:
        ids, table = batch.flatten(), shared_token_table(V, D, settings.seed).weight.detach()
        question = first_question()
        masked = is_masked(question)
        shown = shown_rows(len(ids), choices.one_hot_token)
        names = token_names(state, batch, shown)
        show_widened(one_hot_figure, ids, names, shown, table, choices.way, masked, choices.one_hot_column)
        predict(question)
        notice(observations(ids, shown, settings, masked))
        register(lambda: result_export(first_ids(ids, V), settings))

        def costs() -> None:
            answer_first() if masked else show_costs(len(ids), V, D)
            timing_view(len(ids), D)

        section("**What it costs**: multiplications, memory, and a stopwatch", costs)
        section("**Gradients**, and the same as a Linear layer", show_gradients, ids, table, settings.seed)

    def zeros() -> None:
        if batch is not None:
            show_zeros(first_ids(batch, V), batch.numel(), table)
        with st.container(horizontal=True):
            offer_experiment(state, "one_hot_without_num_classes", "A batch without the largest ID", **SMALL_SIZES)
            offer_experiment(state, "one_hot_integers", "Integer one-hot times float table", **SMALL_SIZES)

    section("**Multiplying by zero**, and two errors", zeros)


def observations(ids: Tensor, shown: range, settings: Settings, masked: bool) -> list[str]:
    n, V, D = len(ids), settings.vocab_size, settings.dim
    sentences = [
        f"Each one-hot vector has a single 1 among V = {pluralize(V, 'number')}, at the index of its ID: every other "
        f"row of the table is multiplied by 0, so the sum for each column (D = {D:,}) is one number of the row."
    ]
    if V == 1:
        sentences = ["With V = 1 each one-hot vector is a single 1, and the product is the only row of the table."]
    if repeated := repeated_ids(ids[shown.start : shown.stop].tolist()):
        token_id, first, second = repeated[0]
        rows = f"One-hot vectors {shown[first]:,} and {shown[second]:,}"
        sentences.append(f"{rows} both have their 1 at index {token_id}, and so the same result.")
    if not masked:
        product = pluralize(costs(n, V, D).multiplications, "multiplication")
        by_zero = f" and {(V - 1) * D:,} by 0" * (V > 1)
        sentences.append(
            f"A lookup copies {pluralize(n * D, 'number')}; the product takes {product}, for each ID {D:,} by 1"
            f"{by_zero}."
        )
    return sentences


def show_costs(n: int, V: int, D: int) -> None:
    cost = costs(n, V, D)
    rows = {
        "multiplications": (f"n × V × D = {n:,} × {V:,} × {D:,} = {cost.multiplications:,}", "0"),
        "additions": (f"n × (V − 1) × D = {cost.additions:,}", "0"),
        "one-hot matrix": (f"n × V × 4 = {cost.one_hot_bytes:,} bytes", "none"),
        "bytes read": (
            f"(n × V + V × D) × 4 = {cost.product_bytes:,} bytes",
            f"n × D × 4 + n × 8 = {cost.lookup_bytes:,} bytes",
        ),
    }
    show_table([{"": name, "one-hot product": product, "lookup": lookup} for name, (product, lookup) in rows.items()])
    st.caption(
        f"n = {n:,} is the number of IDs. Multiplications by 1: {n * D:,} of {cost.multiplications:,}. A float32 "
        "number has 4 bytes, an int64 ID 8."
    )


def show_gradients(ids: Tensor, table: Tensor, seed: int) -> None:
    """Show that both ways and a Linear layer are the same function, so that the table [V, D] gets the same gradient."""
    V, D = table.shape
    used, columns = first_ids(ids, V), min(COLUMNS, D, MAX_LAB_CELLS // V)
    ways = both_ways(used, table)
    upstream = torch.empty(len(used), D).normal_(generator=torch.Generator().manual_seed(seed + 1))  # [n, D]
    found = gradients(used, ways.one_hot, table[:, :columns], upstream[:, :columns])
    if len(used) < len(ids):
        st.caption(f"The first {len(used):,} of {len(ids):,} IDs: one-hot vectors are V long, and more would not fit.")
    difference = largest_difference(ways.product, ways.lookup)
    same = f"at most {difference:.2e} apart, the error of float32" if difference else "exactly equal"
    linear = "exactly the same" if ways.linear.equal(ways.lookup) else "the same within that error"
    st.markdown(
        f"Both results are **{same}**: each dot product multiplies one element by 1 and all others by 0. "
        f"`nn.Linear({V}, {D}, bias=False)` gives {linear}; its weight is stored transposed, [D, V] = [{D}, {V}]."
    )
    rows, unused = found.rows[:ROWS].tolist(), unused_row(used, V)
    rows += [] if unused is None else [unused]
    difference = largest_difference(found.lookup, found.product[found.rows])
    same = f"at most {difference:.2e} apart" if difference else "exactly equal"
    n, names = len(found.rows), [f"row {row:,}" for row in rows]
    get = "gets one, that of the ID" if n == 1 else f"get one, those of the {n:,} IDs"
    show_chart(
        heatmap(found.product[rows].numpy(), names, rows, NORMAL_BOUND, "gradient[{row}, {column}]"),
        f"Gradient of W for a random upstream gradient: {found.product.any(dim=1).sum():,} of {pluralize(V, 'row')} "
        f"{get} in use{'; all others get exactly 0' * (n < V)}. The gradients of product and lookup are {same}.",
    )
    st.caption("If an ID occurs several times, its row gets the sum of the gradients from all its positions.")


def show_zeros(ids: Tensor, n_ids: int, table: Tensor) -> None:
    st.markdown(
        "BERT's published code does multiply by zeros: for its tokens with `use_one_hot_embeddings`, which its scripts "
        "set on TPUs, and always for its token types, because “it is always faster for a small vocabulary” "
        "([modeling.py](https://github.com/google-research/bert/blob/master/modeling.py))."
    )
    found = beside_infinity(ids, table[:, :INFINITY_COLUMNS])
    if found is None:
        st.markdown(f"{AGREE} Here all rows are in use.")
        return
    row, ways = found
    unused = "no ID uses" if len(ids) == n_ids else f"none of the first {len(ids):,} IDs uses"
    st.markdown(
        f"{AGREE} Here W[{row}, 0] is set to infinity in a copy of the table; {unused} row {row}, but 0 · ∞ is NaN:"
    )
    show_table(
        {"first row of": name} | {f"column {d}": number(value, 4) for d, value in enumerate(vector.tolist())}
        for name, vector in (("one_hot(ids) @ W", ways.product[0]), ("W[ids]", ways.lookup[0]))
    )


def result_export(ids: Tensor, settings: Settings) -> dict[str, NamedArray]:
    token_table = shared_token_table(settings.vocab_size, settings.dim, settings.seed)
    ways = both_ways(ids, token_table.weight.detach())
    named = {"one_hot": (ways.one_hot, "nv"), "product": (ways.product, "nd"), "lookup": (ways.lookup, "nd")}
    return {name: NamedArray(tensor.numpy(), tuple(letters)) for name, (tensor, letters) in named.items()}


def timing_view(n_ids: int, dim: int) -> None:
    n_ids, dim = min(n_ids, MAX_TIMED_IDS), min(dim, MAX_TIMED_COLUMNS)
    measured = st.session_state.setdefault("timings", {})
    pressed = st.button("Time both as V grows", type="primary", icon=":material/timer:")
    with st.container():  # always rendered, so that the progress bar does not move what is below
        if pressed:
            measured.clear()
            measured[n_ids, dim] = run(n_ids, dim)
    if (n_ids, dim) in measured:
        show_timings(measured[n_ids, dim], n_ids, dim)
    else:
        st.caption(
            f"For n = {n_ids} (at most {MAX_TIMED_IDS}) and D = {dim} (at most {MAX_TIMED_COLUMNS}), at V from "
            f"{SIZES[0]} to {SIZES[-1]:,}: {REPETITIONS} repetitions each, with "
            f"{pluralize(torch.get_num_threads(), 'thread')}."
        )


def run(n_ids: int, dim: int) -> list[Timing]:
    """Measure at each V with a progress bar, one session at a time."""
    bar, timings = st.progress(0.0, text=WAITING), []
    while not _one_at_a_time.acquire(timeout=SECONDS_BETWEEN_CHECKS):
        bar.progress(0.0, text=WAITING)  # ends this run here if the learner has changed something meanwhile
    try:
        for timing in measure(n_ids, dim):
            timings.append(timing)
            bar.progress(len(timings) / len(SIZES), text=f"V = {timing.vocab_size:,}")
            time.sleep(SECONDS_TO_SEND)
    finally:
        _one_at_a_time.release()
    bar.empty()
    return timings


def show_timings(timings: list[Timing], n_ids: int, dim: int) -> None:
    last = timings[-1]
    ratio = last.product.median / last.lookup.median
    show_chart(
        timing_chart(timings),
        f"n = {n_ids}, D = {dim}. At GPT-2's V = {last.vocab_size:,} the product took {in_words(last.product)}, the "
        f"lookup {in_words(last.lookup)}: about {float(f'{ratio:.2g}'):,.0f} times as long. Lines: "
        f"medians of {REPETITIONS} repetitions; bands, and numbers in parentheses: first to third quartile. The time "
        "of the product includes making the one-hot matrix.",
    )


def in_words(times: Quartiles) -> str:
    """Return the median with the quartiles.

    >>> in_words(Quartiles(1e-6, 2e-6, 3.5e-3))
    '2.0 µs (1.0 to 3,500.0)'
    """
    first, median, third = (f"{seconds * 1e6:,.1f}" for seconds in times)
    return f"{median} µs ({first} to {third})"
