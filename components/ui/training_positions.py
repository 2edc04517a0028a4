"""The same training three times: without positions, with learned ones, with sinusoidal ones."""

import math
from dataclasses import replace

import streamlit as st

from components.charts.training import loss_chart
from components.core.checks import many
from components.core.link import State
from components.core.settings import POSITIONS
from components.core.training import Training
from components.ui.blocks import show
from components.ui.learner import session
from components.ui.state import change_settings, change_text, note
from components.ui.training_session import in_slices, windows_only

IDEA_OF = {"none": "neutral", "learned": "position", "sinusoidal": "combined"}
ONLY_THE_PLACE_TELLS = " ".join([*["red cat red dog"] * 12, "red"])  # windows of T = 4 leave no tail


def positions_matter(state: State, training: Training, steps: int) -> None:
    """Draw the button that trains all three, and their losses on the same axes."""
    st.header("Does position matter?", anchor=False)
    key = (state.text, windows_only(state.settings), training.recipe, steps)
    with st.container(horizontal=True):
        pressed = st.button(f"Train all three for {many(steps, 'step')}", icon=":material/stacked_line_chart:")
        about = "Replaces your text, takes the words of the new one as tokens, and sets T and stride to 4."
        st.button("Try a text where only the place tells", help=about, on_click=only_the_place_tells)
    with st.container():  # always there: the bar comes and goes
        if pressed:
            session.compared = (key, compare(training, steps))
    kept, losses = session.get("compared", (None, None))
    if kept != key:
        st.caption(
            "The same text, batches, token table and output layer; only the positions differ. Try the text as well in "
            "which red is followed by cat at place 0 and by dog at place 2."
        )
        return
    curves = {name: (IDEA_OF[name], values) for name, (values, _) in losses.items()}
    ends = ", ".join(f"{name} {end}" for name, (_, end) in losses.items())
    floor = training.text.pair_entropy
    show(
        loss_chart(curves, steps, {f"{floor:.2f}: the best there is without the place": floor}),
        f"Loss over the whole text at the end: {ends}. Below {floor:.4f} only a model gets that knows the place. It "
        "helps as far as the same token is followed by something else at another place of the window; in a real model, "
        "attention uses positions to tell which token stands before which.",
    )


def compare(training: Training, steps: int) -> dict[str, tuple[list[float], str]]:
    """Return the losses of all three trainings, and where they end, in words."""
    bar, trainings = st.progress(0.0), {}
    for name in POSITIONS:
        trainings[name] = Training(training.text, replace(training.recipe, position=name))

    def moved(_: Training) -> None:
        done = sum(len(each.losses) for each in trainings.values())
        bar.progress(min(1.0, done / (steps * len(POSITIONS))), text=f"Step {done:,} of {steps * len(POSITIONS):,}")

    in_slices([*trainings.values()], steps, moved)
    bar.empty()
    return {
        name: ([loss for loss in each.losses if math.isfinite(loss)], end_of(each)) for name, each in trainings.items()
    }


def end_of(training: Training) -> str:
    """Return the loss over the whole text at the end of a training, or how it went wrong."""
    if training.exploded or not training.finite:
        return f"out of range at step {len(training.losses)}, the learning rate is too high"
    return f"{training.text_loss():.4f}"


def only_the_place_tells() -> None:
    """Take a text whose next word depends on the place in the window, and the windows that show it."""
    change_settings(tokenizer="words", context_length=4, stride=4)
    change_text(ONLY_THE_PLACE_TELLS)
    note("Your text was replaced on every page; Back in the browser brings it back.")
