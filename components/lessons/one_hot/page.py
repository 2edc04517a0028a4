"""The page of the lesson on one-hot vectors: a product that selects rows, its cost, and its gradient."""

import streamlit as st
from torch import Tensor

from components.base.export import NamedArray
from components.base.link import State
from components.base.settings import Settings
from components.base.text_format import pluralize
from components.caches.tables import shared_token_table
from components.embedding.one_hot import both_ways, costs, first_ids
from components.figures.pager import shown_rows
from components.lessons.one_hot.figure import one_hot_figure
from components.lessons.one_hot.page_sections import show_costs, show_gradients, show_zeros
from components.lessons.one_hot.page_timing import timing_view
from components.programs.lesson_values import batch_values
from components.text.token_ids import repeated_ids
from components.ui.batch import journey_batch, token_names
from components.ui.blocks import notice, section
from components.ui.download_registry import register
from components.ui.error_lab_links import offer_experiment
from components.ui.figure import show_figure
from components.ui.quiz import answer_first, first_question, is_masked, predict

SMALL_SIZES = {"V": 6, "D": 3, "T": 4}  # of the experiments

program_values = batch_values


def render(state: State) -> None:
    """Render the lesson from top to bottom."""
    settings, choices = state.settings, state.choices
    V, D = settings.vocab_size, settings.dim
    batch = journey_batch(state)
    if batch is not None:
        token_table = shared_token_table(V, D, settings.seed)  # in use until the run ends
        ids, table = batch.flatten(), token_table.weight.detach()
        question = first_question()
        masked = is_masked(question)
        shown = shown_rows(len(ids), choices.one_hot_token)
        names = token_names(state, batch, shown)
        show_figure(one_hot_figure(ids, names, shown, table, choices.way, masked, choices.one_hot_column))
        predict(question)
        notice(observations(ids, shown, settings, masked))
        register(lambda: result_export(first_ids(ids, V), settings))
        if part := section("**What it costs**: multiplications, memory, and a stopwatch", "costs"):
            with part:
                answer_first() if masked else show_costs(len(ids), V, D)
                timing_view(len(ids), D)
        if part := section("**Gradients**, and the same as a Linear layer", "gradients"):
            with part:
                show_gradients(ids, table, settings.seed)
    if part := section("**Multiplying by zero**, and two errors", "zeros"):
        with part:
            if batch is not None:
                show_zeros(first_ids(batch, V), table)
            with st.container(horizontal=True):
                offer_experiment(state, "one_hot_without_num_classes", "A batch without the largest ID", **SMALL_SIZES)
                offer_experiment(state, "one_hot_integers", "Integer one-hot times float table", **SMALL_SIZES)


def observations(ids: Tensor, shown: range, settings: Settings, masked: bool) -> list[str]:
    """Return what the figure has in numbers, but not the number that is masked; of the IDs [N] some are `shown`."""
    N, V, D = len(ids), settings.vocab_size, settings.dim
    sentences = [
        f"Each one-hot vector has a single 1 among V = {V:,} numbers, at the index of its ID: every other row of the "
        f"table is multiplied by 0, so the sum for each of the D = {D:,} columns is one number of the row."
    ]
    if repeated := repeated_ids(ids[shown.start : shown.stop].tolist()):
        token_id, first, second = repeated[0]
        rows = f"Rows {shown[first]:,} and {shown[second]:,}"
        sentences.append(f"{rows} have the same 1, at {token_id:,}, and so the same result.")
    if not masked:
        sentences.append(
            f"A lookup needs no one-hot step: it copies {pluralize(N * D, 'number')} instead of multiplying "
            f"{costs(N, V, D).multiplications:,} times."
        )
    return sentences


def result_export(ids: Tensor, settings: Settings) -> dict[str, NamedArray]:
    """Return the one-hot matrix and both results, for files."""
    token_table = shared_token_table(settings.vocab_size, settings.dim, settings.seed)
    ways = both_ways(ids, token_table.weight.detach())
    named = {"one_hot": (ways.one_hot, "nv"), "product": (ways.product, "nd"), "lookup": (ways.lookup, "nd")}
    return {name: NamedArray(tensor.numpy(), tuple(letters)) for name, (tensor, letters) in named.items()}
