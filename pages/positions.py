"""Positions: a token's row does not know where the token stands; a second table says it."""

import streamlit as st

from components.ui.frame import frame

ROWS, COLUMNS = 24, 48
PLACES_OF_WAVE = 64


def choose(settings):
    """Draw the shared position type once more, where this lesson needs it."""
    left, right = st.columns(2)
    tied = bound("positions_here", settings.position, change_settings, "position", "default")
    left.segmented_control("Position type", POSITIONS, required=True, **tied)
    if settings.position == "sinusoidal":
        tied = bound("layout_here", settings.layout, change_settings, "layout", "default")
        right.segmented_control("Layout", LAYOUTS, required=True, **tied)


def draw_table(position, settings):
    """Draw the position table [T, D]."""
    T, D = position.shape
    shape_of("position", position.shape, "position", "[T, D]: one row for each place, the same for every sequence")
    column = place_entry("First column", "column", D - COLUMNS + 1, step=COLUMNS) if D > COLUMNS else 0
    part = position[:ROWS, column : column + COLUMNS].numpy()
    bound_ = 1.0 if settings.position == "sinusoidal" else 3.0
    keys = [str(t) for t in range(len(part))]
    show(
        heatmap(part, [f"t = {t}" for t in keys], keys, bound_, "P[{row}, {column}]", column),
        f"Places 0 to {len(part) - 1} of {T}, columns {column} to {column + part.shape[1] - 1} of {D}. "
        f"P[0, {column}] = {part[0, 0]:.4f}.",
    )


def draw_wave(position, state):
    """Draw one column of the table down the places, and the length of every row."""
    settings = state.settings
    T, D = position.shape
    left, right = st.columns(2, gap="medium")
    with left:
        st.header("One column", anchor=False)
        wave = place_entry("Column", "wave", D)
        values, past = position, ""
        if settings.position == "sinusoidal" and T < PLACES_OF_WAVE:
            values = sinusoidal_table(PLACES_OF_WAVE, D, settings.layout)
            past = f" The formula goes on past T = {T}; {PLACES_OF_WAVE} places are drawn."
        drawn = values[:256, wave].numpy()
        show(wave_chart(drawn, wave), f"Column {wave} goes from {drawn.min():.4f} to {drawn.max():.4f}.{past}")
    with right:
        st.header("Length of each row", anchor=False)
        rows, expected = lengths(position), expected_length(D, settings.position)
        name = "√(D/2)" if settings.position == "sinusoidal" else "√D"
        st.markdown(f"Dashed: {name} = **{expected:.4f}**")
        exact = "of every row, exactly"
        if settings.position == "learned":
            exact = "to expect (the root of the mean square) of rows drawn from N(0, 1)"
        elif D % 2:
            exact = "for even D only: here the last sine has no cosine"
        show(
            length_chart(rows[:256].numpy(), expected),
            f"Lengths from {rows.min():.4f} to {rows.max():.4f}; {name} = {expected:.4f} is the length {exact}.",
        )
    if settings.position == "learned":
        st.markdown(
            f"**Past T.** A learned table ends at row {T - 1}. Asked for row {T}, torch raises "
            f"`{row_past_the_end(position)}`: the words a bad token ID gets, but here the position table is too short."
        )
        offer_experiment(state, "past_position_table", "See a sequence longer than the table")


def draw_shuffle(state, ids, token, position):
    """Shuffle the tokens of one sequence, and show what each of them has gained or lost."""
    st.header("Shuffle the tokens", anchor=False)
    predict_first()
    st.slider("Shuffle number", 0, 99, **choice("shuffle_seed"))
    order = shuffled_order(len(token), state.choices.shuffle_seed)
    names = [label(state, i) for i in ids]
    st.markdown("Order now: " + " → ".join(f":blue-background[{plain(names[i])}]" for i in order[:16]))
    effect = order_effect(token, position, order)
    part = effect[:ROWS, :COLUMNS].numpy()
    moved = sum(place != i for place, i in enumerate(order))
    show(
        heatmap(
            part, names[: len(part)], [str(i) for i in range(len(part))], shared_bound(part), "change[{row}, {column}]"
        ),
        f"The change of each token's combined vector after the shuffle: {moved} of {len(order)} tokens moved, the "
        f"largest change is {effect.abs().max():.4f}. "
        + ("Without positions only the order of the rows differs." if position is None else ""),
    )


def lesson(state):
    """Tell the lesson from top to bottom."""
    settings = state.settings
    input_panel(state)
    choose(settings)
    position = tables(settings).position
    if position is None:
        st.info(
            "Positions are off: every place gets nothing added, and order leaves no trace.", icon=":material/block:"
        )
    else:
        draw_table(position, settings)
        draw_wave(position, state)
    ids = journey_batch(state)
    if ids is not None:
        token = tables(settings).token(ids[0]).detach()
        at = None if position is None else position[: len(token)]
        draw_shuffle(state, ids[0].tolist(), token, at)
    st.markdown(
        "**What to notice.** Learned rows are random numbers until training shapes them, and they end at T. Sinusoidal "
        "rows come from a formula, never end, and exist in two layouts: the same columns in another order, so weights "
        "trained with one do not fit the other."
    )


with frame("positions") as state:
    from components.charts.heatmap import heatmap, shared_bound
    from components.charts.lines import length_chart, wave_chart
    from components.core.balance import expected_length, lengths, order_effect, shuffled_order
    from components.core.positions import row_past_the_end, sinusoidal_table
    from components.core.settings import LAYOUTS, POSITIONS
    from components.ui.batch import input_panel, journey_batch, label
    from components.ui.blocks import place_entry, shape_of, show
    from components.ui.checks import predict_first
    from components.ui.lab import offer_experiment
    from components.ui.markdown import plain
    from components.ui.state import bound, change_settings, choice
    from components.ui.tables import tables

    lesson(state)
