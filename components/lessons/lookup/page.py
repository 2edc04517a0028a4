"""The page of the lesson on the embedding lookup: the IDs, the token table, and the rows copied from it."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import streamlit as st
from torch import Tensor

from components.base.export import NamedArray
from components.base.link import State
from components.base.settings import Settings
from components.base.text_format import pluralize
from components.caches.tables import tokens
from components.caches.trained import batch_rows
from components.charts.heatmap import NORMAL_BOUND, heatmap
from components.figures.cells import FULL_COLOR, full_color, number
from components.figures.pager import shown_rows
from components.lessons.lookup.choices import DTYPES, Choices
from components.lessons.lookup.figure import MAX_TOKENS, lookup_figure
from components.lessons.lookup.page_trained import add_trained_section
from components.programs.lesson_values import batch_values
from components.text.token_ids import repeated_ids
from components.ui.batch import batch_or_show_error, token_names
from components.ui.blocks import index_field, notice, option_buttons, show_chart, show_shape
from components.ui.download_registry import register
from components.ui.figure import show_figure
from components.ui.quiz import answer_first, first_question, is_masked, predict
from components.ui.sections import section
from components.ui.state import bind_choice

ROWS, COLUMNS = 12, 16


def program_values(state: State, token_ids: Sequence[int]) -> dict[str, Any]:
    """Return the values of the program that are not in the state; `input` is a function of Python."""
    return batch_values(state, token_ids) | {"input_shape": state.choices.input}


def rows_shown(state: State, token_ids: np.ndarray) -> list[int]:
    """Return the rows of the table that this page reads: those of the batch, and those listed from a chosen one on."""
    used, choices, V = batch_rows(state.settings, token_ids), state.choices, state.settings.vocab_size
    first = min(choices.row, max(0, V - ROWS))
    return used if choices.rows_in_use and used else [*used, *range(first, first + ROWS)]


def render(state: State) -> None:
    settings, choices = state.settings, state.choices
    batch = batch_or_show_error(state)
    table = tokens(settings).weight.detach()
    used: set[int] = set()
    if batch is not None:
        ids = shaped(batch, choices)
        used = set(ids.flatten().tolist())
        question = first_question()
        masked, shown = is_masked(question), shown_rows(ids.numel(), choices.lookup_token, MAX_TOKENS)
        full = full_color(settings.trained, table[ids])
        show_figure(lookup_figure(ids, token_names(state, ids, shown), shown, table, choices.column, masked, full))
        predict(question)
        notice(observations(ids, settings))
        register(lambda: lookup_export(ids, settings))

    def show_rows() -> None:
        bound = NORMAL_BOUND * full_color(settings.trained, table[sorted(used)]) / FULL_COLOR
        show_token_table(table, used, choices, bound)

    section("**The table**, row by row", show_rows)
    add_trained_section(settings, batch, choices)
    if batch is not None:
        other_inputs = partial(choose_input, ids, settings.dim, masked)
        section("**Other inputs**: a sequence, a single ID, int32", other_inputs)


def shaped(ids: Tensor, choices: Choices) -> Tensor:
    """Return the IDs of a batch [B, T] in the chosen shape and dtype."""
    ids = ids.int() if choices.dtype == "int32" else ids.long()
    return {"batch": ids, "sequence": ids[0], "single": ids[0, 0]}[choices.input]


def observations(ids: Tensor, settings: Settings) -> list[str]:
    flat = ids.flatten().tolist()
    rows = len(set(flat))
    select = "select" if len(flat) > 1 else "selects"
    sentences = [f"{pluralize(len(flat), 'ID')} {select} {pluralize(rows, 'row')} of V = {settings.vocab_size:,}."]
    if repeated := repeated_ids(flat):
        sentences.append(f"ID {repeated[0][0]:,} occurs more than once: every copy is the same row.")
    alone = "A token embedding does not depend on the tokens around it"
    where = "; which rows are nearest to it is in the section “The whole table” below" * settings.trained
    sentences.append(f"{alone}{where}.")
    return sentences


def choose_input(ids: Tensor, D: int, masked: bool) -> None:
    shapes = {"batch": "Batch [B, T]", "sequence": "Sequence [T]", "single": "Single ID [ ]"}
    left, right = st.columns([3, 2])
    with left:
        option_buttons("Input", "input", shapes)
    right.segmented_control("dtype of the IDs", DTYPES, required=True, **bind_choice("dtype", default="default"))
    value = f"torch.tensor({ids.tolist()}, dtype={ids.dtype})" if ids.numel() <= 32 else f"...  # {list(ids.shape)}"
    st.code(f"ids = {value}\ntoken_table(ids)")
    if masked:
        answer_first()
    else:
        letters = f"the shape of the IDs, {list(ids.shape)}, and D = {D:,} after it"
        show_shape("token_table(ids)", (*ids.shape, D), "token", letters)


def lookup_export(ids: Tensor, settings: Settings) -> dict[str, NamedArray]:
    vectors = tokens(settings)(ids).detach()
    axes = ("b", "t")[2 - ids.dim() :]
    return {"input_ids": NamedArray(ids.numpy(), axes), "vectors": NamedArray(vectors.numpy(), (*axes, "d"))}


def show_token_table(table: Tensor, used: set[int], choices: Choices, bound: float) -> None:
    V, D = table.shape
    show_shape("token_table.weight", table.shape, "token", "[V, D]")
    left, right = st.columns([5, 2], vertical_alignment="bottom")
    with left:
        rows = choose_rows(V, used, choices)
    with right:
        column = index_field("First column", "column", max(1, D - COLUMNS + 1), step=COLUMNS, disabled=D <= COLUMNS)
    framed = [i for i, row in enumerate(rows) if row in used]
    n = len(rows)
    drawn = f"{n} of {V:,} rows, from {rows[0]:,} to {rows[-1]:,}" if n > 1 else f"Row {rows[0]:,} of {V:,}"
    show_chart(
        heatmap(
            table[rows, column : column + COLUMNS].numpy(),
            [f"▶ {row:,}" if row in used else f"{row:,}" for row in rows],
            rows,
            bound,
            "W[{row}, {column}]",
            column,
            framed,
        ),
        f"{drawn}; columns {column:,} to {min(column + COLUMNS, D) - 1:,} of {D:,}. The batch uses "
        f"{pluralize(len(used), 'row')}; framed here: {len(framed)}. "
        f"W[{rows[0]}, {column}] = {number(table[rows[0], column], 4)}.",
    )


def choose_rows(V: int, used: set[int], choices: Choices) -> list[int]:
    """Render the controls for the rows of the table; return the rows, from the first chosen or those in use."""
    small = V <= ROWS
    left, middle = st.columns([2, 3], vertical_alignment="bottom")
    left.toggle("Only rows in use", disabled=small or not used, **bind_choice("rows_in_use"))
    with middle:
        only_used = bool(choices.rows_in_use and used and not small)
        first = index_field("First row", "row", max(1, V - ROWS + 1), step=ROWS, disabled=only_used or small)
    if only_used:
        return sorted(used)[:ROWS]
    return list(range(first, min(first + ROWS, V)))
