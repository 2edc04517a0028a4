"""The loss by step, also of the same training without positions, with learned and with sinusoidal ones."""

import math
from dataclasses import replace

import streamlit as st

from components.base.link import State
from components.base.settings import POSITIONS
from components.base.text_format import pluralize
from components.lessons.training.charts import loss_chart
from components.lessons.training.page_controls import MUCH_WORSE
from components.lessons.training.page_session import train_in_slices, windows_only
from components.training.recorded import RecordedTraining
from components.ui.blocks import show_chart
from components.ui.state import add_message, change_settings, set_text

TOKEN_ONLY_BOUND = "lowest loss from the current token alone"
POSITION_COLORS = {"none": "neutral", "learned": "position", "sinusoidal": "combined"}
POSITION_EXAMPLE = " ".join([*["red cat red dog"] * 12, "red"])  # windows of T = 4 leave no token over


def show_loss(training: RecordedTraining, steps: int) -> None:
    """Show the loss by step, with the losses of a uniform prediction and of the best one from the current token."""
    V, bound = training.text.vocab_size, training.text.conditional_entropy
    levels = {f"ln V = {math.log(V):.2f}: uniform prediction": math.log(V)}
    levels[f"{bound:.2f}: {TOKEN_ONLY_BOUND}"] = bound
    if not training.losses:
        reading = f"No step yet. A uniform prediction over V = {V:,} tokens has a loss of ln V = {math.log(V):.2f}."
    else:
        done = len(training.losses)
        reading = f"The loss was {training.losses[0]:,.4f} in the first step"
        reading += f" and {training.losses[-1]:,.4f} in step {done:,}." if done > 1 else "."
        if training.finite and math.isfinite(training.text_loss()):
            sees = "" if training.config.position == "none" else ", but this one sees its position too"
            reading += (
                f" Over all windows, <pad> included, it is now {training.text_loss():,.4f}; a model that sees the "
                f"current token alone cannot get below {bound:.4f} there{sees}."
            )
        reading += f" ln V = {math.log(V):.2f} is the loss of a uniform prediction."
    if training.losses and max(training.losses[-MUCH_WORSE:]) > MUCH_WORSE * math.log(V):
        levels = {}  # far below the curve
    finite = [loss for loss in training.losses if math.isfinite(loss)]
    show_chart(loss_chart({"loss": ("token", finite)}, max(steps, 1), levels), reading)


def compare_positions_view(state: State, training: RecordedTraining, steps: int) -> None:
    """Render the button that trains all three, and show their losses on the same axes."""
    key = (state.text, windows_only(state.settings), training.config, steps)
    with st.container(horizontal=True):
        pressed = st.button(f"Train all three for {pluralize(steps, 'step')}", icon=":material/stacked_line_chart:")
        about = "Replaces your text, takes the words of the new one as tokens, and sets T and stride to 4."
        st.button("Load a text where only position helps", help=about, on_click=load_position_example)
    with st.container():  # always rendered, so that the progress bar does not move what is below
        if pressed:
            st.session_state.compared = (key, compare_positions(training, steps))
    stored_key, losses = st.session_state.get("compared", (None, None))
    if stored_key != key:
        st.caption(
            "The same text, batches, token table and output layer; only the positions differ. Try the text as well in "
            "which red is followed by cat at position 0 and by dog at position 2."
        )
        return
    curves = {name: (POSITION_COLORS[name], values) for name, (values, _) in losses.items()}
    ends = ", ".join(f"{name} {end}" for name, (_, end) in losses.items())
    bound = training.text.conditional_entropy
    show_chart(
        loss_chart(curves, steps, {f"{bound:.2f}: {TOKEN_ONLY_BOUND}": bound}),
        f"Loss over all windows at the end: {ends}. Below {bound:.4f} a model must know more than the current "
        "token, here its position. It helps if the same token is followed by different tokens at different "
        "positions of the window; in a real model, attention uses positions to find out which token precedes which.",
    )


def compare_positions(training: RecordedTraining, steps: int) -> dict[str, tuple[list[float], str]]:
    """Train with each position type; return the losses and the final loss in words."""
    bar, trainings = st.progress(0.0), {}
    for name in POSITIONS:
        trainings[name] = RecordedTraining(training.text, replace(training.config, position=name))

    def show_progress(_: RecordedTraining) -> None:
        done = sum(len(each.losses) for each in trainings.values())
        bar.progress(min(1.0, done / (steps * len(POSITIONS))), text=f"Step {done:,} of {steps * len(POSITIONS):,}")

    train_in_slices([*trainings.values()], steps, show_progress)
    bar.empty()
    return {
        name: ([loss for loss in each.losses if math.isfinite(loss)], final_loss(each))
        for name, each in trainings.items()
    }


def final_loss(training: RecordedTraining) -> str:
    """Return the loss over all windows at the end of a training, or why there is none."""
    if not training.finite:
        return f"out of range at step {len(training.losses)}, the learning rate is too high"
    return f"{training.text_loss():.4f}"


def load_position_example() -> None:
    """Load a text whose next word depends on the position in the window, with windows that show it."""
    change_settings(tokenizer="words", context_length=4, stride=4)
    set_text(POSITION_EXAMPLE)
    add_message("Your text was replaced on every page; Back in the browser brings it back.")
