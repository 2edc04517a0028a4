"""The controls of the toy model: its optimizer, the number of steps, and a warning if the loss grows."""

from collections.abc import Callable

import streamlit as st

from components.base.field_types import field_types_of
from components.base.limits import MAX_TRAINING_STEPS
from components.base.text_format import pluralize
from components.lessons.training.choices import OPTIMIZERS, TOKEN_STDS, Choices
from components.lessons.training.page_session import stored_training, train_in_slices, train_slice
from components.training.optimizers import USUAL_RATES
from components.training.recorded import RecordedTraining
from components.ui.blocks import show_error
from components.ui.session import current
from components.ui.state import bind_choice, bind_options, change_choices, register_widget
from components.ui.whole_number import whole_number

FIELD_WIDTH, OPTIMIZER_WIDTH = 148, 290  # pixels
NUMBER_FIELD = {"step": 0.01, "format": "%g", "width": FIELD_WIDTH}
OPTIMIZER_NAMES = {
    "sgd": "SGD",
    "momentum": "SGD with momentum 0.9",
    "adam": "Adam",
    "adamw": "AdamW, with weight decay",
}
MUCH_WORSE = 10  # times the first loss: the steps overshoot


def model_controls(choices: Choices) -> None:
    """Render the two options that decide which rows move; a change retrains the model up to the same step."""
    bound = register_widget("optimizer", choices.optimizer, change_optimizer)
    st.selectbox(
        "Optimizer",
        OPTIMIZERS,
        format_func=lambda name: f"Optimizer: {OPTIMIZER_NAMES[name]}",
        label_visibility="collapsed",
        width=OPTIMIZER_WIDTH,
        **bind_options(OPTIMIZERS, bound),
    )
    about = "The output layer is then the token embedding table itself."
    st.toggle("Tie weights", help=about, **bind_choice("tied"))


def training_controls(choices: Choices, disabled: bool) -> None:
    """Render the other options of the training."""
    field_types = field_types_of(Choices)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        about = (
            "How many steps are trained: one step more or less with + and −. Fewer steps train the model from scratch."
        )
        bound = bind_choice("train_steps")
        whole_number("Step", 0, MAX_TRAINING_STEPS, width=FIELD_WIDTH, disabled=disabled, help=about, **bound)
        whole_number("Steps per click", 1, MAX_TRAINING_STEPS, 50, width=FIELD_WIDTH, **bind_choice("train_more"))
        st.button("Reset", icon=":material/replay:", disabled=not choices.train_steps, on_click=train_to, args=(0,))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        low, high = field_types["learning_rate"].low, field_types["learning_rate"].high
        st.number_input(
            "Learning rate",
            low,
            high,
            help=f"Step size, from {low:g} to {high:,.0f}. Try a huge value to see training diverge.",
            **NUMBER_FIELD,
            **bind_choice("learning_rate"),
        )
        st.number_input(
            "Weight decay",
            field_types["weight_decay"].low,
            field_types["weight_decay"].high,
            help="AdamW shrinks every weight by learning rate × weight decay in each step, seen or not.",
            disabled=choices.optimizer != "adamw",
            **NUMBER_FIELD,
            **bind_choice("weight_decay"),
        )
        st.segmented_control(
            "Standard deviation at the start",
            TOKEN_STDS,
            required=True,
            help="Of the token embeddings: 0.02 as in GPT-2, 1 as in torch.nn.Embedding.",
            **bind_choice("token_std", default="default"),
        )
    st.toggle("padding_idx = 0, the row of <pad>", **bind_choice("padding_idx"))
    st.toggle("One window per step, whatever B is", **bind_choice("one_window"))


def change_optimizer(name: str) -> None:
    """Change the optimizer, and the learning rate to a usual one for it."""
    change_choices(optimizer=name, learning_rate=USUAL_RATES[name])


def train_first_slice(training: RecordedTraining, steps: int) -> None:
    """Train for a moment: short trainings end here, longer ones after the page, unless leaving it has paused them."""
    done = len(training.losses)
    if current().run.new_page and 0 < done < steps:
        change_choices(train_steps=done)
        st.rerun()
    if done < steps:
        train_slice(training, steps)


def show_own_controls(training: RecordedTraining, choices: Choices) -> None:
    """Render the buttons that train, and the two options that decide which rows move."""
    done, steps = len(training.losses), choices.train_steps
    running = done < steps and not training.diverged
    more = min(choices.train_more, MAX_TRAINING_STEPS - done)
    with st.container(horizontal=True, vertical_alignment="center", key="own_controls"):
        able = more and not training.diverged
        st.button(
            "Train 1 step",
            icon=":material/skip_next:",
            disabled=running or not able,
            on_click=train_to,
            args=(done + 1,),
        )
        label = "Pause" if running else f"Train {pluralize(more, 'step')}" if more else "Trained to the limit"
        icon = ":material/pause:" if running else ":material/play_arrow:"
        press = {"on_click": pause} if running else {"on_click": train_to, "args": (done + more,)}
        st.button(label, key="train", type="primary", icon=icon, disabled=not (running or able), **press)
        model_controls(choices)


def show_progress_of_rest(training: RecordedTraining, steps: int) -> Callable[[], None] | None:
    """Render a progress bar if steps are left, and return what trains these; None if there are none.

    It runs while the page is visible; any interaction of the learner ends it.
    """
    if len(training.losses) >= steps or training.diverged:
        return None
    bar = st.progress(0.0)

    def show(training: RecordedTraining) -> None:
        done = len(training.losses)
        bar.progress(done / steps, text=f"Step {done:,} of {steps:,}")

    def train_rest() -> None:
        train_in_slices([training], steps, show)
        st.rerun()

    show(training)
    return train_rest


def pause() -> None:
    """Stop at the step that the training has reached by now."""
    training = stored_training()
    train_to(len(training.losses) if training else 0)


def train_to(steps: int) -> None:
    """Set the number of steps in all; fewer than it has taken retrain the model from scratch."""
    change_choices(train_steps=steps)


def show_divergence_warning(training: RecordedTraining) -> None:
    """Show an error if the training diverges, and offer a usual learning rate."""
    losses, config = training.losses, training.config
    usual = USUAL_RATES[config.optimizer]
    if training.diverged:
        show_error(
            f"At step {len(losses)} the loss became infinite or NaN ({losses[-1]}) and training stopped: with learning "
            f"rate {config.learning_rate:g} it diverges. "
            f"The step before still had a loss of {losses[-2]:.4g}. Lower the learning rate, to {usual:g} for example."
            if len(losses) > 1
            else f"The loss is {losses[-1]} before the first step: its start is out of the range of float32."
        )
    elif not training.finite:
        show_error(
            f"Step {len(losses)} has changed the weights to values out of the range of float32; the next loss will be "
            f"NaN. A learning rate of {config.learning_rate:g} overshoots. Lower it, to {usual:g} for example."
        )
    elif losses and losses[-1] > MUCH_WORSE * losses[0]:
        show_error(
            f"The loss grows: it began at {losses[0]:.4g} and is {losses[-1]:.4g} at step {len(losses)}. With a "
            f"learning rate of {config.learning_rate:g} the steps overshoot. Lower it, to {usual:g} for example."
        )
    else:
        return
    st.button(f"Set the learning rate to {usual:g}", on_click=change_choices, kwargs={"learning_rate": usual})
