"""The page of the lesson on positions: the position table, its columns and norms, and a shuffle of the tokens."""

import streamlit as st
import torch
from torch import Tensor

from components.base.link import State
from components.base.settings import Settings
from components.charts.heatmap import heatmap, shared_bound
from components.embedding.norm_ratio import expected_norm, row_norms, shuffle_difference, shuffled_order
from components.embedding.positions import error_past_the_end, similarity, sinusoidal_positions
from components.lessons.positions.charts import norm_chart, wave_chart
from components.lessons.positions.figure import SHOWN, positions_figure
from components.ui.batch import journey_batch, row_label
from components.ui.blocks import index_field, section, show_chart, show_shape
from components.ui.error_lab_links import offer_experiment
from components.ui.figure import show_figure
from components.ui.markdown import escape_markdown
from components.ui.quiz import first_question, is_masked, predict
from components.ui.state import bind_choice
from components.ui.tables import shared_learned_positions, tables

ROWS, COLUMNS = 24, 48
WAVE_POSITIONS = 64  # of a formula, which has no end
MAX_POINTS = 256
NAMES_SHOWN = 16
LEARNED_BOUND = 3.0  # three standard deviations of N(0, 1)


def render(state: State) -> None:
    """Render the lesson from top to bottom."""
    settings, choices = state.settings, state.choices
    position = tables(settings).position
    if position is None:
        st.info("Position embeddings are off, so the vectors do not depend on token order.", icon=":material/block:")
    else:
        question = first_question()
        rows = shown_positions(position, settings)
        masked = is_masked(question)
        show_figure(positions_figure(rows, len(position), settings.position, settings.layout, choices.at, masked))
        predict(question)
        notice(rows, settings)
        if part := section("**The table**, number by number", "table"):
            with part:
                show_position_table(position, settings)
        if part := section("**One column**, and the norm of each row", "columns"):
            with part:
                show_wave(position, state)
                show_norms(position, settings)
        if settings.position == "learned" and (part := section("**Past the end** of a learned table", "past")):
            with part:
                show_row_past_the_end(position, state)
    ids = journey_batch(state)
    if ids is not None and (part := section("**Shuffle the tokens**", "shuffle")):
        with part:
            token = tables(settings).token(ids[0]).detach()  # [T, D]
            show_shuffle(state, ids[0].tolist(), token, None if position is None else position[: len(token)])


def shown_positions(position: Tensor, settings: Settings) -> Tensor:
    """Return the 128 rows of the figure [128, D]: those of the batch, and below them the ones of a longer table."""
    T, D = position.shape
    if settings.position == "sinusoidal":
        return sinusoidal_positions(SHOWN, D, settings.layout)
    longer = shared_learned_positions(max(T, SHOWN), D, settings.vocab_size, settings.seed)
    return torch.cat([position, longer[T:]])[:SHOWN]


def notice(rows: Tensor, settings: Settings) -> None:
    """Show what the figure has in numbers."""
    D, T = settings.dim, settings.context_length
    cosines = similarity(rows)
    near, far = cosines[5, 6], cosines[5, 8]
    if settings.position == "sinusoidal":
        text = (
            f"The formula gives a row for any position, not only for the first T = {T}. Position 5 has a cosine "
            f"similarity of {near:.3f} with 6 and of {far:.3f} with 8: "
            + ("it depends on the distance alone." if D % 2 == 0 else "for an odd D nearly by the distance alone.")
        )
    else:
        text = (
            f"A learned table has T = {T} rows, and before training they are random: position 5 has a cosine "
            f"similarity of {near:.3f} with 6 and of {far:.3f} with 8. That neighbors become alike is learned."
        )
    st.markdown(
        f"**What to notice.** {text} GPT-2 and the first Transformer add such rows; most recent models rotate "
        "queries and keys instead."
    )


def show_position_table(position: Tensor, settings: Settings) -> None:
    """Show a part of the position table [T, D]."""
    T, D = position.shape
    show_shape("position", position.shape, "position", "[T, D]: one row per position, shared by all sequences")
    column = index_field("First column", "position_column", D - COLUMNS + 1, step=COLUMNS) if D > COLUMNS else 0
    part = position[:ROWS, column : column + COLUMNS].numpy()
    bound = 1.0 if settings.position == "sinusoidal" else LEARNED_BOUND
    keys = [str(t) for t in range(len(part))]
    show_chart(
        heatmap(part, [f"t = {t}" for t in keys], keys, bound, "P[{row}, {column}]", column),
        f"Positions 0 to {len(part) - 1} of {T}, columns {column} to {column + part.shape[1] - 1} of {D}. "
        f"P[0, {column}] = {part[0, 0]:.4f}.",
    )


def show_wave(position: Tensor, state: State) -> None:
    """Show one column of the position table, from position to position."""
    settings = state.settings
    T, D = position.shape
    column = index_field("Column", "wave", D)
    beyond = ""
    if settings.position == "sinusoidal" and T < WAVE_POSITIONS:
        position = sinusoidal_positions(WAVE_POSITIONS, D, settings.layout)
        beyond = f" The formula also works beyond T = {T}; {WAVE_POSITIONS} positions are shown."
    values = position[:MAX_POINTS, column].numpy()
    show_chart(
        wave_chart(values, column), f"Column {column} goes from {values.min():.4f} to {values.max():.4f}.{beyond}"
    )


def show_norms(position: Tensor, settings: Settings) -> None:
    """Show the norm of every row of the position table beside the expected norm."""
    D = position.shape[1]
    st.header("Norm of each row", anchor=False)
    norms, expected = row_norms(position), expected_norm(D, settings.position)
    formula = "√(D/2)" if settings.position == "sinusoidal" else "√D"
    st.markdown(f"Dashed: {formula} = **{expected:.4f}**")
    meaning = "is the norm of every row, exactly"
    if settings.position == "learned":
        meaning = "is the root-mean-square norm of rows sampled from N(0, 1)"
    elif D % 2:
        meaning = "is the norm for even D only: here the last sine has no cosine"
    show_chart(
        norm_chart(norms[:MAX_POINTS].numpy(), expected),
        f"Norms from {norms.min():.4f} to {norms.max():.4f}; {formula} = {expected:.4f} {meaning}.",
    )


def show_row_past_the_end(position: Tensor, state: State) -> None:
    """Show the error that torch raises for position T, and offer its experiment."""
    T = len(position)
    st.markdown(
        f"**Past T.** The learned table ends at row {T - 1}. Row {T} raises `{error_past_the_end(position)}`: the "
        "message of an out-of-range token ID, but here the position table is too short."
    )
    offer_experiment(state, "past_position_table", "See a sequence longer than the table")


def show_shuffle(state: State, ids: list[int], token: Tensor, position: Tensor | None) -> None:
    """Shuffle the token embeddings [T, D] of one sequence, and show how the combined embeddings change."""
    st.slider("Shuffle seed", 0, 99, **bind_choice("shuffle_seed"))
    order = shuffled_order(len(token), state.choices.shuffle_seed)
    names = [row_label(state, i) for i in ids]
    st.markdown(
        "Order now: " + " → ".join(f":blue-background[{escape_markdown(names[i])}]" for i in order[:NAMES_SHOWN])
    )
    change = shuffle_difference(token, position, order)  # [T, D]
    part = change[:ROWS, :COLUMNS].numpy()
    keys = [str(t) for t in range(len(part))]
    moved = sum(t != i for t, i in enumerate(order))
    show_chart(
        heatmap(part, names[: len(part)], keys, shared_bound(part), "change[{row}, {column}]"),
        f"The change of each token's combined embedding after the shuffle: {moved} of {len(order)} tokens moved, the "
        f"largest change is {change.abs().max():.4f}. "
        + ("Without positions only the order of the rows differs." if position is None else ""),
    )
