"""The page of the lesson on the embedding lookup: the IDs, the token table, and the rows copied from it."""

import streamlit as st
from torch import Tensor

from components.base.export import NamedArray
from components.base.link import State
from components.base.settings import Settings
from components.base.text_format import pluralize
from components.charts.heatmap import heatmap
from components.lessons.lookup.choices import DTYPES, Choices
from components.text.token_ids import repeated_ids
from components.ui.batch import journey_batch, row_label
from components.ui.blocks import index_field, show_chart, show_shape
from components.ui.download_registry import register
from components.ui.quiz import predict_first
from components.ui.state import bind_choice
from components.ui.tables import shared_token_table

ROWS, COLUMNS = 12, 16
BOUND = 3.0  # three standard deviations of N(0, 1)


def render(state: State) -> None:
    """Render the lesson from top to bottom."""
    settings, choices = state.settings, state.choices
    ids = journey_batch(state)
    token_table = shared_token_table(settings.vocab_size, settings.dim, settings.seed)
    table = token_table.weight.detach()
    if ids is None:
        show_token_table(table, set(), choices)
    else:
        ids = choose_input_shape(ids, choices)
        predict_first()
        short = ids.numel() <= 32
        value = f"torch.tensor({ids.tolist()}, dtype=torch.{choices.dtype})" if short else f"...  # {list(ids.shape)}"
        st.code(f"ids = {value}\ntoken_table(ids)")
        column = show_token_table(table, set(ids.reshape(-1).tolist()), choices)
        show_vectors(state, ids, token_table(ids).detach(), column)
        register(lambda: lookup_export(ids, settings))
    st.markdown(
        f"**What to notice.** V = {settings.vocab_size:,} is the number of rows, not of tokens processed. An ID always "
        "gives the same row: *bank* in “the river bank” and in “the bank in town” starts with the same embedding."
    )


def choose_input_shape(ids: Tensor, choices: Choices) -> Tensor:
    """Render the controls for shape and dtype of the input; return the IDs [B, T] in that shape."""
    shapes = {"batch": "Batch [B, T]", "sequence": "Sequence [T]", "single": "Single ID [ ]"}
    left, right = st.columns([3, 2])
    left.segmented_control(
        "Input", list(shapes), format_func=shapes.get, required=True, **bind_choice("input", default="default")
    )
    right.segmented_control("dtype of the IDs", DTYPES, required=True, **bind_choice("dtype", default="default"))
    ids = ids.int() if choices.dtype == "int32" else ids.long()
    return {"batch": ids, "sequence": ids[0], "single": ids[0, 0]}[choices.input]


def lookup_export(ids: Tensor, settings: Settings) -> dict[str, NamedArray]:
    """Return the IDs in the chosen shape and dtype, and the vectors that the lookup gives, for files."""
    vectors = shared_token_table(settings.vocab_size, settings.dim, settings.seed)(ids).detach()
    axes = ("b", "t")[2 - ids.dim() :]
    return {"input_ids": NamedArray(ids.numpy(), axes), "vectors": NamedArray(vectors.numpy(), (*axes, "d"))}


def show_token_table(table: Tensor, used: set[int], choices: Choices) -> int:
    """Show a part of the token table [V, D] with the rows in use framed; return the first column shown."""
    V, D = table.shape
    show_shape("token_table.weight", table.shape, "token", "[V, D]", "The token table")
    left, right = st.columns([5, 2], vertical_alignment="bottom")
    with left:
        rows = choose_rows(V, used, choices)
    with right:
        column = index_field("First column", "column", max(1, D - COLUMNS + 1), step=COLUMNS, disabled=D <= COLUMNS)
    framed = [i for i, row in enumerate(rows) if row in used]
    show_chart(
        heatmap(
            table[rows, column : column + COLUMNS].numpy(),
            [f"▶ {row:,}" if row in used else f"{row:,}" for row in rows],
            [str(row) for row in rows],
            BOUND,
            "W[{row}, {column}]",
            column,
            framed,
        ),
        f"{len(rows)} of {V:,} rows, from {rows[0]:,} to {rows[-1]:,}; columns {column:,} to "
        f"{min(column + COLUMNS, D) - 1:,} of {D:,}. The batch uses {pluralize(len(used), 'row')}, {len(framed)} "
        f"of them framed here. W[{rows[0]}, {column}] = {table[rows[0], column]:.4f}.",
    )
    return column


def choose_rows(V: int, used: set[int], choices: Choices) -> list[int]:
    """Render the controls for the rows of the table; return the rows, from the first chosen or those in use."""
    small = V <= ROWS
    left, middle = st.columns([2, 3], vertical_alignment="bottom")
    with left:
        st.toggle("Only rows in use", disabled=small or not used, **bind_choice("rows_in_use"))
    with middle:
        only_used = bool(choices.rows_in_use and used and not small)
        first = index_field("First row", "row", max(1, V - ROWS + 1), step=ROWS, disabled=only_used or small)
    if only_used:
        return sorted(used)[:ROWS]
    return list(range(first, min(first + ROWS, V)))


def show_vectors(state: State, ids: Tensor, vectors: Tensor, column: int) -> None:
    """Show the token embeddings [..., D] that were looked up, one row for each ID."""
    D = state.settings.dim
    letters = f"the shape of the IDs, {list(ids.shape)}, and D = {D} after it"
    show_shape("token_table(ids)", vectors.shape, "token", letters, "Result of the lookup")
    flat, rows = ids.reshape(-1).tolist()[:ROWS], vectors.reshape(-1, D)[:ROWS]
    show_chart(
        heatmap(
            rows[:, column : column + COLUMNS].numpy(),
            [row_label(state, i) for i in flat],
            [str(i) for i in flat],
            BOUND,
            "W[{row}, {column}]",
            column,
        ),
        f"{len(flat):,} of {pluralize(ids.numel(), 'vector')}. The first is row {flat[0]:,} of the table "
        f"and begins with {', '.join(f'{v:.4f}' for v in rows[0, :5].tolist())}.",
    )
    if repeated := repeated_ids(flat):
        token_id, first, second = repeated[0]
        same = rows[first].equal(rows[second])
        st.success(
            f"ID **{token_id:,}** occurs at positions {first} and {second}; both vectors are equal: **{same}**. "
            "A token embedding does not depend on context.",
            icon=":material/equal:",
        )
