"""Lookup: an embedding layer is a table, and looking up means copying rows."""

from collections import Counter

import streamlit as st

from components.ui.frame import frame

ROWS, COLUMNS = 12, 16
BOUND = 3.0  # three standard deviations of N(0, 1)


def take(ids, choices):
    """Let the learner choose the form of the input; return the IDs in that form."""
    forms = {"batch": "Batch [B, T]", "sequence": "Sequence [T]", "single": "Single ID [ ]"}
    left, right = st.columns([3, 2])
    left.segmented_control(
        "Input", list(forms), format_func=forms.get, required=True, **choice("input", default="default")
    )
    right.segmented_control("dtype of the IDs", ["int64", "int32"], required=True, **choice("dtype", default="default"))
    ids = ids.int() if choices.dtype == "int32" else ids.long()
    return {"batch": ids, "sequence": ids[0], "single": ids[0, 0]}[choices.input]


def rows_to_show(V, used, choices):
    """Let the learner move over the rows of the table, or keep to those in use; return the rows."""
    small = V <= ROWS
    left, middle = st.columns([2, 3], vertical_alignment="bottom")
    with left:
        st.toggle("Only rows in use", disabled=small or not used, **choice("rows_in_use"))
    with middle:
        only_used = choices.rows_in_use and used and not small
        first = place_entry("First row", "row", max(1, V - ROWS + 1), step=ROWS, disabled=bool(only_used) or small)
    if only_used:
        return sorted(used)[:ROWS]
    return list(range(first, min(first + ROWS, V)))


def draw_table(table, used, choices):
    """Draw a window of the token table [V, D] with the rows in use marked; return its first column."""
    V, D = table.shape
    shape_of("token_table.weight", table.shape, "token", "[V, D]", "The token table")
    left, right = st.columns([5, 2], vertical_alignment="bottom")
    with left:
        rows = rows_to_show(V, used, choices)
    with right:
        column = place_entry("First column", "column", max(1, D - COLUMNS + 1), step=COLUMNS, disabled=D <= COLUMNS)
    shown = sum(row in used for row in rows)
    show(
        heatmap(
            table[rows, column : column + COLUMNS].numpy(),
            [f"▶ {row:,}" if row in used else f"{row:,}" for row in rows],
            [str(row) for row in rows],
            BOUND,
            "W[{row}, {column}]",
            column,
            [i for i, row in enumerate(rows) if row in used],
        ),
        f"{len(rows)} of {V:,} rows, from {rows[0]:,} to {rows[-1]:,}; columns {column:,} to "
        f"{min(column + COLUMNS, D) - 1:,} of {D:,}. The batch uses {many(len(used), 'row')}, {shown} of them framed "
        f"here. W[{rows[0]}, {column}] = {table[rows[0], column]:.4f}.",
    )
    return column


def draw_vectors(state, ids, vectors, column):
    """Draw the looked-up vectors, one row for each ID."""
    D = state.settings.dim
    given = f"the shape of the IDs, {list(ids.shape)}, and D = {D} behind it"
    shape_of("token_table(ids)", vectors.shape, "token", given, "What the lookup gives")
    flat, rows = ids.reshape(-1).tolist()[:ROWS], vectors.reshape(-1, D)[:ROWS]
    show(
        heatmap(
            rows[:, column : column + COLUMNS].numpy(),
            [label(state, i) for i in flat],
            [str(i) for i in flat],
            BOUND,
            "W[{row}, {column}]",
            column,
        ),
        f"{len(flat):,} of {many(ids.numel(), 'vector')}. The first is row {flat[0]:,} of the table and begins with "
        f"{', '.join(f'{v:.4f}' for v in rows[0, :5].tolist())}.",
    )
    repeated = [i for i, times in Counter(flat).items() if times > 1]
    if repeated:
        places = [place for place, i in enumerate(flat) if i == repeated[0]]
        same = rows[places[0]].equal(rows[places[1]])
        st.success(
            f"ID **{repeated[0]:,}** stands at places {places[0]} and {places[1]}; its vectors are equal: **{same}**. "
            "A row knows nothing of the words around it.",
            icon=":material/equal:",
        )


def lesson(state):
    """Tell the lesson from top to bottom."""
    settings, choices = state.settings, state.choices
    left, right = st.columns(2)
    with left:
        input_panel(state)
    ids = journey_batch(state)
    token_table = shared_token_table(settings.vocab_size, settings.dim, settings.seed)
    table = token_table.weight.detach()
    if ids is None:
        draw_table(table, set(), choices)
    else:
        ids = take(ids, choices)
        with right:
            predict_first()
        few = ids.numel() <= 32
        given = f"torch.tensor({ids.tolist()}, dtype=torch.{choices.dtype})" if few else f"...  # {list(ids.shape)}"
        st.code(f"ids = {given}\ntoken_table(ids)")
        column = draw_table(table, set(ids.reshape(-1).tolist()), choices)
        draw_vectors(state, ids, token_table(ids).detach(), column)
    st.markdown(
        f"**What to notice.** V = {settings.vocab_size:,} counts rows of the table, not tokens processed. The same ID "
        "gives the same row wherever it stands: *bank* in “the river bank” and in “the bank in town” starts out as one "
        "vector."
    )


with frame("lookup") as state:
    from components.charts.heatmap import heatmap
    from components.core.checks import many
    from components.ui.batch import input_panel, journey_batch, label
    from components.ui.blocks import place_entry, shape_of, show
    from components.ui.checks import predict_first
    from components.ui.state import choice
    from components.ui.tables import shared_token_table

    lesson(state)
