"""The toy model's controls: what it is trained with, how far, and the loss on the way."""

import math
from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from components.charts.training import loss_chart
from components.core.checks import many
from components.core.choices import OPTIMIZERS, Choices
from components.core.kinds import kinds_of
from components.core.limits import MAX_TRAINING_STEPS
from components.core.optimizers import USUAL_RATES
from components.core.training import Training
from components.ui.blocks import refuse, show
from components.ui.learner import current, session
from components.ui.state import among, bound, change_choices, choice
from components.ui.training_session import in_slices, kept_training, one_slice

OPTIMIZER_NAMES = {
    "sgd": "SGD",
    "momentum": "SGD with momentum 0.9",
    "adam": "Adam",
    "adamw": "AdamW, with weight decay",
}
MUCH_WORSE = 10  # times the first loss: the steps overshoot


def recipe_controls(choices: Choices) -> None:
    """Draw what the model is trained with; a change trains it anew, up to the same step."""
    kinds = kinds_of(Choices)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        tied = bound("optimizer", choices.optimizer, change_optimizer)
        st.selectbox("Optimizer", OPTIMIZERS, format_func=OPTIMIZER_NAMES.get, width=232, **among(OPTIMIZERS, tied))
        look = {"step": 0.01, "format": "%g", "width": 148}
        kind = kinds["learning_rate"]
        about = f"How far a step goes, from {kind.low:g} to {kind.high:,.0f}. A million shows what too far means."
        st.number_input("Learning rate", kind.low, kind.high, help=about, **look, **choice("learning_rate"))
        kind = kinds["weight_decay"]
        about = "AdamW shrinks every weight by learning rate × weight decay in each step, seen or not."
        look["disabled"] = choices.optimizer != "adamw"
        st.number_input("Weight decay", kind.low, kind.high, help=about, **look, **choice("weight_decay"))
        with st.container(width="content", gap=None):
            st.toggle("Tied: the output layer is the token table", **choice("tied"))
            st.toggle("padding_idx = 0, the row of <pad>", **choice("padding_idx"))


def change_optimizer(name: str) -> None:
    """Take over an optimizer with a learning rate that suits it."""
    change_choices(optimizer=name, learning_rate=USUAL_RATES[name])


@dataclass(frozen=True)
class Going:
    """A training that is on its way to `steps`, and the places on the page where it shows."""

    training: Training
    steps: int
    bar: DeltaGenerator
    curve: DeltaGenerator
    paused: bool

    def go_on(self) -> None:
        """Train to the end while the page stands there; what the learner does meanwhile stops it."""
        if self.paused:
            change_choices(train_steps=len(self.training.losses))
            st.rerun()
        if len(self.training.losses) < self.steps and not self.training.exploded:
            in_slices([self.training], self.steps, lambda _: self.draw())
            st.rerun()

    def draw(self) -> None:
        """Draw the bar and the loss as they stand."""
        done = len(self.training.losses)
        text = f"Step {done:,} of {self.steps:,}" if self.steps else "Not trained yet"
        self.bar.progress(min(1.0, done / max(1, self.steps)), text=text)
        with self.curve.container():
            draw_loss(self.training, self.steps, at_rest=done >= self.steps)


def train(training: Training, choices: Choices) -> Going:
    """Draw the buttons, the bar and the loss; small trainings are done at once, longer ones go on after the page."""
    done = len(training.losses)
    left = session.learner.drawn_anew and 0 < done < choices.train_steps  # the page was left: that paused it
    steps = done if left else choices.train_steps
    if done < steps:
        one_slice(training, steps)
    done = len(training.losses)
    going = done < steps and not training.exploded
    more = min(choices.train_more, MAX_TRAINING_STEPS - done)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        label = "Pause" if going else f"Train {many(more, 'step')}" if more else "Trained to the limit"
        icon = ":material/pause:" if going else ":material/play_arrow:"
        over = training.exploded or not (going or more)
        st.button(label, key="train", type="primary", icon=icon, disabled=over, on_click=pause_or_train, args=(going,))
        held = over or going
        st.button("One step", icon=":material/skip_next:", disabled=held, on_click=one_step)
        st.button("Back to the start", icon=":material/replay:", disabled=not done, on_click=train_to, args=(0,))
        st.number_input("Steps at a time", 1, MAX_TRAINING_STEPS, step=50, width=148, **choice("train_more"))
    bar = st.progress(0.0)
    result = Going(training, steps, bar, st.empty(), left)
    result.draw()
    with st.container():  # always there, so that a refusal does not move what stands below
        say_where_it_overshoots(training)
    return result


def pause_or_train(going: bool) -> None:
    """Stop where the training stands by now, or go on by so many steps as are set."""
    training = kept_training()
    done = len(training.losses) if training else 0
    more = 0 if going else current().state.choices.train_more
    train_to(min(done + more, MAX_TRAINING_STEPS))


def one_step() -> None:
    """Go on by one step from where it is to stand, so that quick presses all count."""
    train_to(min(current().state.choices.train_steps + 1, MAX_TRAINING_STEPS))


def train_to(steps: int) -> None:
    """Have the model trained to so many steps in all; fewer than it has begins anew."""
    change_choices(train_steps=steps)


def draw_loss(training: Training, steps: int, at_rest: bool) -> None:
    """Draw the loss step by step, and the two levels that mean something."""
    V, pairs = training.text.vocab_size, training.text.pair_entropy
    levels = {f"ln V = {math.log(V):.2f}: every token equally likely": math.log(V)}
    levels[f"{pairs:.2f}: the best there is without the place"] = pairs
    if not training.losses:
        reading = f"No step yet. A model that thinks every one of V = {V:,} tokens equally likely has ln V = "
        reading += f"{math.log(V):.2f}."
    else:
        done = len(training.losses)
        reading = f"The loss was {training.losses[0]:,.4f} in the first step"
        reading += f" and {training.losses[-1]:,.4f} in step {done:,}." if done > 1 else "."
        if at_rest and training.finite and math.isfinite(training.text_loss()):
            reading += (
                f" Over the whole text it is now {training.text_loss():,.4f}; without knowing the place, no model can "
                f"get below {pairs:.4f} there."
            )
    if training.losses and max(training.losses[-MUCH_WORSE:]) > MUCH_WORSE * math.log(V):
        levels = {}  # far below all that is drawn
    finite = [loss for loss in training.losses if math.isfinite(loss)]
    show(loss_chart({"loss": ("token", finite)}, max(steps, 1), levels), reading)


def say_where_it_overshoots(training: Training) -> None:
    """Say in words that the loss explodes, and offer a learning rate with which it does not."""
    losses, recipe = training.losses, training.recipe
    usual = USUAL_RATES[recipe.optimizer]
    if training.exploded:
        refuse(
            f"At step {len(losses)} the loss became infinite or no number at all ({losses[-1]}), and the training "
            f"stopped: with a learning rate of {recipe.learning_rate:g} each step lands further away than it began. "
            f"The step before still had a loss of {losses[-2]:.4g}. Lower the learning rate, to {usual:g} for example."
            if len(losses) > 1
            else f"The loss is {losses[-1]} before the first step: its start is out of the range of float32."
        )
    elif not training.finite:
        refuse(
            f"Step {len(losses)} has moved the weights out of the range of float32; the loss of the next step will be "
            f"no number. A learning rate of {recipe.learning_rate:g} overshoots. Lower it, to {usual:g} for example."
        )
    elif losses and losses[-1] > MUCH_WORSE * losses[0]:
        refuse(
            f"The loss grows: it began at {losses[0]:.4g} and is {losses[-1]:.4g} at step {len(losses)}. With a "
            f"learning rate of {recipe.learning_rate:g} the steps overshoot. Lower it, to {usual:g} for example."
        )
    else:
        return
    st.button(f"Set the learning rate to {usual:g}", on_click=change_choices, kwargs={"learning_rate": usual})
