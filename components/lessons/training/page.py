"""The page of the lesson on training: the buttons that train, the figure, and what to notice."""

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple
from weakref import ref

import numpy as np
import streamlit as st

from components.base.export import NamedArray
from components.base.learner_text import visible
from components.base.limits import MAX_TRAINING_STEPS
from components.base.link import State
from components.base.text_format import pluralize
from components.caches.encoding import token_ids, tokenizer
from components.figures.cells import bracketed, number
from components.lessons.training.choices import Choices
from components.lessons.training.page_sections import MUCH_WORSE, add_sections, is_given_positions
from components.lessons.training.page_session import (
    PRESS_SECONDS,
    last_figure,
    session_training,
    train_in_slices,
    train_slice,
)
from components.lessons.training.setup import checked_text, prompt_ids, training_config, windows_in_words
from components.training.config import USUAL_RATES, TrainingConfig
from components.training.recorded import RecordedTraining
from components.training.row_changes import MOST_ALIKE_ROWS, most_alike
from components.training.training_text import TrainingText
from components.ui.batch import made_or_show_error
from components.ui.blocks import notice, option_list, show_error
from components.ui.download_registry import Table, register
from components.ui.figure import show_figure
from components.ui.markdown import escape_markdown
from components.ui.presentation import enlarged
from components.ui.quiz import first_question, is_masked, mask_unanswered, predict
from components.ui.session import current
from components.ui.state import bind_choice, change_choices, register_widget, set_text

OPTIMIZER_NAMES = {
    "sgd": "SGD",
    "momentum": "SGD with momentum 0.9",
    "adam": "Adam",
    "adamw": "AdamW, with weight decay",
}
OPTIMIZER_WIDTH, PROGRESS_WIDTH = 290, 150  # pixels
SAME_TARGETS = 0.5  # of the targets of two rows
RISEN = 0.005  # a cosine similarity, as it is written
SAME_SUCCESSORS = "one red cat and one blue cat and one red dog and one blue dog"


def program_values(state: State, token_ids: Sequence[int]) -> dict[str, Any]:
    """Return the values of the program: the limited sizes, and the steps of one press if none has been trained.

    Raises ValueError if there is nothing to train on.
    """
    settings, choices = state.settings, state.choices
    text = checked_text(token_ids, settings)
    config, _ = training_config(settings, text.vocab_size, choices)
    return {
        "dim": config.dim,
        "batch_size": config.batch_size,
        "token_std": config.token_std,
        "optimizer_name": choices.optimizer,
        "steps": choices.train_steps or choices.train_more,
        "prompt_ids": prompt_ids(choices.prompt, tokenizer(settings.tokenizer, state.text), text),
    }


class Pair(NamedTuple):
    """The two tokens that are now most alike, a token that follows both or the reason without one, and the cosines."""

    first: str
    second: str
    follower: str  # or ""
    reason: str
    looked_up: bool  # both, in some batch
    now: float
    at_start: float


def render(state: State) -> None:
    choices = state.choices
    text = made_or_show_error(state, lambda ids: checked_text(ids, state.settings))
    if text is None:
        return
    try:
        config, limit_notices = training_config(state.settings, text.vocab_size, choices)
    except ValueError as error:
        show_error(str(error))
        return
    question = first_question()
    training = session_training(state, text, config)
    train_first_slice(training, choices.train_steps)
    show_progress = show_own_controls(training, choices)
    encoder = tokenizer(state.settings.tokenizer, state.text)
    row_names = ["<pad>" if token_id < 0 else visible(encoder.token_bytes(token_id)) for token_id in text.token_ids]
    is_seen = training.losses or question is None or question.name != "meet"  # else the answer is about later rows
    if not is_seen:
        mask_unanswered(question)
    masked = is_masked(question)
    pair = None if masked or not training.losses or training.diverged else nearest_pair(training, row_names)
    met = ""
    if pair and pair.follower:
        first, second, follower = map(bracketed, pair[:3])
        met = f"most alike: “{first}” and “{second}”, both before “{follower}”"
    figure = last_figure(training, row_names, masked, met)
    show_figure(figure)
    rest = current().run.work = show_progress and partial(train_rest, training, choices.train_steps, show_progress)
    with st.container():  # always rendered, so that what is in it does not move what is below
        if notices := [*stopped_notice(training), *limit_notices, *text_notices(state, text, config)]:
            st.caption("  \n".join(map(escape_markdown, notices)))
        show_divergence_warning(training, None if masked else int(figure.lit))
    predict(question, also=None if is_seen else partial(train_on, 0, Choices().train_more))
    notice(observations(training, pair, masked))
    if state.text != SAME_SUCCESSORS:
        about = "“red” and “blue” are both followed by “cat” and by “dog”: will their rows become alike?"
        label = "Try a text in which two tokens share two successors"
        st.button(label, help=about, on_click=set_text, args=(SAME_SUCCESSORS,))
    shown = ref(training)  # a weak reference: an evicted training is freed
    register(lambda: training_export(shown(), row_names))
    add_sections(state, encoder, row_names, training, rest is not None, masked)


def train_first_slice(training: RecordedTraining, steps: int) -> None:
    """Train for a moment: short trainings end here, longer ones after the page, unless leaving it has paused them."""
    done = len(training.losses)
    if current().run.new_page and 0 < done < steps:
        change_choices(train_steps=done)
        st.rerun()
    train_slice(training, steps)


def show_own_controls(training: RecordedTraining, choices: Choices) -> Callable[[RecordedTraining], None] | None:
    """Render the controls, and while steps are left a progress bar; return what updates it, None without one."""
    done, steps = len(training.losses), choices.train_steps
    running = done < steps and not training.diverged
    more = min(choices.train_more, MAX_TRAINING_STEPS - done)
    with st.container(horizontal=True, vertical_alignment="center", key="own_controls"):
        able = more and not training.diverged
        show_progress = None
        if running:
            show_progress = progress_bar(steps)
            show_progress(training)
            press = {"on_click": pause, "args": (ref(training),)}
        else:
            st.session_state.pop("pressed_at", None)
            one = {"on_click": change_choices, "kwargs": {"train_steps": done + 1}}
            st.button("Train 1 step", icon=":material/skip_next:", disabled=not able, **one)
            press = {"on_click": train_on, "args": (done, done + more)}
        label = "Pause" if running else f"Train {pluralize(more, 'step')}" if more else "Trained to the limit"
        icon = ":material/pause:" if running else ":material/play_arrow:"
        st.button(label, key="train", type="primary", icon=icon, disabled=not (running or able), **press)
        bound = register_widget("optimizer", choices.optimizer, change_optimizer)
        look = {"format_func": lambda name: f"Optimizer: {OPTIMIZER_NAMES[name]}", "width": OPTIMIZER_WIDTH}
        option_list("Optimizer", list(OPTIMIZER_NAMES), bound, label_visibility="collapsed", **look)
        about = "The output layer is then the token embedding table itself, as in GPT-2."
        st.toggle("Tie weights", help=about, **bind_choice("tied"))
    return show_progress


def progress_bar(steps: int) -> Callable[[RecordedTraining], None]:
    """Render a progress bar, and return what updates it."""
    width = enlarged(PROGRESS_WIDTH)
    bar = st.progress(0.0, width=width)

    def show(training: RecordedTraining) -> None:
        done = len(training.losses)
        bar.progress(done / steps, text=f"Step {done:,} of {steps:,}", width=width)

    return show


def change_optimizer(name: str) -> None:
    """Change the optimizer, and the learning rate to a usual one for it."""
    change_choices(optimizer=name, learning_rate=USUAL_RATES[name])


def train_on(done: int, steps: int) -> None:
    """Train from `done` to `steps` steps, or until this press has used its time."""
    change_choices(train_steps=steps)
    st.session_state.pressed_at = done


def pause(shown: ref[RecordedTraining]) -> None:
    """Stop at the step that the training has reached by now."""
    training = shown()
    change_choices(train_steps=len(training.losses) if training else 0)


def train_rest(training: RecordedTraining, steps: int, show_progress: Callable[[RecordedTraining], None]) -> None:
    """Train the steps that are left while the page is visible; any interaction of the learner ends it."""
    pressed_at = st.session_state.get("pressed_at")
    train_in_slices([training], steps, show_progress, PRESS_SECONDS)
    done = len(training.losses)
    if pressed_at is not None and done < steps and not training.diverged:
        change_choices(train_steps=done)
        st.session_state.stopped = done, done - pressed_at


def stopped_notice(training: RecordedTraining) -> list[str]:
    """Return after how many steps the last press has stopped, if it used all of its time."""
    at, steps = st.session_state.get("stopped", (None, 0))
    if at != len(training.losses):
        return []
    return [
        f"This press trained {pluralize(steps, 'step')} in {PRESS_SECONDS:g} seconds of computing and stopped at step "
        f"{at:,}: a step takes long with this text. Press again to go on."
    ]


def text_notices(state: State, text: TrainingText, config: TrainingConfig) -> list[str]:
    settings, notices = state.settings, []
    if config.batch_size > len(text.inputs):
        windows = windows_in_words(text, settings.stride)
        notices += [f"B = {config.batch_size} is more than {windows}: each step takes all."]
    n_tokens = len(token_ids(settings.tokenizer, state.text))
    if len(text.rows) < n_tokens:
        notices += [f"The first {len(text.rows):,} of your {n_tokens:,} tokens are used."]
    if settings.typed:
        notices += ["The model learns from your text; typed IDs are not used here."]
    return notices


def show_divergence_warning(training: RecordedTraining, last_shown: int | None) -> None:
    """Show that the loss grows, or is no number; then the figure may end earlier, at the step that is `last_shown`."""
    losses, config = training.losses, training.config
    usual = USUAL_RATES[config.optimizer]
    if training.diverged:
        earlier = last_shown is not None and last_shown < len(losses) - 1
        ends = f"; the map ends with step {last_shown}, the last that is stored" * earlier
        show_error(
            f"At step {len(losses)} the loss became {'NaN' if math.isnan(losses[-1]) else 'infinite'} and training "
            f"stopped: with learning rate {config.learning_rate:g} it diverges. "
            f"The step before still had a loss of {losses[-2]:.4g}{ends}. Lower the learning rate, to {usual:g} for "
            "example."
        )
    elif losses and config.learning_rate > usual and losses[-1] > MUCH_WORSE * losses[0]:
        show_error(
            f"The loss grows: it began at {losses[0]:.4g} and is {losses[-1]:.4g} at step {len(losses)}. With a "
            f"learning rate of {config.learning_rate:g} the steps overshoot. Lower it, to {usual:g} for example."
        )
    else:
        return
    st.button(f"Set the learning rate to {usual:g}", on_click=change_choices, kwargs={"learning_rate": usual})


def observations(training: RecordedTraining, pair: Pair | None, masked: bool) -> list[str]:
    config, done, V = training.config, len(training.losses), training.text.vocab_size
    given = "this one is given its position too"
    if not is_given_positions(training):
        given = f"this one has {'no' if config.position == 'none' else 'a single'} position, so it is such a model"
    level = (
        f"The dashed level, {training.text.conditional_entropy:.2f}, is the conditional entropy of the next token "
        "given the current one: a model that is given the current token alone has at least this mean loss over "
        f"the training windows{', <pad> included' * training.text.is_padded}; {given}."
    )
    if pair:
        n = training.snapshot().n_changed
        changed = f"Step {done:,} changed {n:,} of the V = {V:,} rows: {reason(training, n)}"
        return [alike(pair, done, config, sum(map(bool, training.text.counts))), changed, level]
    norm = math.sqrt(config.dim)
    std, other = "1, torch's default", 0.02
    if config.token_std < 1:
        std, other = "0.02, as in GPT-2", 1
    start = (
        f"The rows start with a norm of about {config.token_std * norm:.2g} (standard deviation {std}; with {other} it "
        f"would be about {other * norm:.2g})."
    )
    if not masked:  # the question may be about them
        which = "with tied weights rows that are not" if config.tied else "only rows that are"
        which = f"{which} looked up have a gradient{' too' * config.tied}"
        which = which.capitalize() if done else f"Press “Train 1 step” to see it: {which}"
        start = f"{which}. {start}"
    if not done or training.diverged:
        return [start, level]
    first, last = (number(training.losses[step], 3) for step in (0, -1))
    return [f"The loss was {first} in step 1" + f" and {last} in step {done:,}" * (done > 1) + ".", start, level]


def reason(training: RecordedTraining, n_changed: int) -> str:
    config, name = training.config, OPTIMIZER_NAMES[training.config.optimizer].split(",")[0]
    with_gradient = training.gradient.ne(0).any(dim=1)
    n, n_looked_up = int(with_gradient.sum()), len(training.batch.unique())
    too_small = ", and a step that is too small for a number of float32 leaves a row as it was" * (n_changed < n)
    if config.tied:
        with_gradient[training.batch] = False
        others = int(with_gradient.sum())
        have = "row that was not looked up has" if others == 1 else "rows that were not looked up have"
        earlier = f"; {name} also uses the gradients of earlier steps" * (n_changed > n)
        return f"the table is also the output layer, so {others:,} {have} a gradient too{too_small}{earlier}."
    rows = f"the {n:,} rows that were" if n == n_looked_up else f"{n:,} of the {n_looked_up:,} rows that were"
    rows = "the row that was" if n_looked_up == 1 else rows
    only = f"only {rows} looked up {'has' if n == 1 else 'have'} a gradient"
    if not n:
        only = "no row has a gradient other than 0"
    if config.optimizer == "sgd" or n_changed <= n:
        return f"{only}{too_small}."
    if config.decay_factor != 1:
        return f"{only}, but weight decay {config.decays} every row that is not zero."
    return f"{only}, but {name} also uses the gradients of earlier steps."


def nearest_pair(training: RecordedTraining, row_names: Sequence[str]) -> Pair:
    text = training.text
    first, second, now, at_start = most_alike(training, text.frequent_rows(MOST_ALIKE_ROWS))
    follower = text.common_follower(first, second)
    names = row_names[first], row_names[second], row_names[follower] if follower else ""
    reason = "" if follower else reason_without_follower(training, [first, second], now >= at_start + RISEN)
    looked_up = bool(training.n_batches[[first, second]].all())
    return Pair(*names, reason, looked_up, now, at_start)


def reason_without_follower(training: RecordedTraining, pair: list[int], has_risen: bool) -> str:
    if not has_risen:
        return "and training has not made them more alike so far"
    if training.text.shared_targets(*pair).sum() >= SAME_TARGETS:
        return "but much the same tokens follow both, so both are changed in similar directions"
    if not training.config.tied:
        return f"so this is chance{', or an effect of their positions' * is_given_positions(training)}"
    reason = "but with tied weights a row is also the output weight of its token"
    if {*pair} & {*training.text.targets.flatten().tolist()}:
        return f"{reason}, so neighbors can become alike, and so can tokens that follow the same one"
    return f"{reason}: neither of these is ever a target, so both are changed in similar directions"


def alike(pair: Pair, done: int, config: TrainingConfig, n_tokens: int) -> str:
    """Return which two tokens are now most alike, and why: a token that follows both, or tied weights."""
    of_which = f"Of the {MOST_ALIKE_ROWS} most frequent tokens " * (n_tokens > MOST_ALIKE_ROWS)
    found = (
        f"{of_which}“{pair.first}” and “{pair.second}” are now most alike: the cosine similarity of their rows was "
        f"{number(pair.at_start)} at the start and is {number(pair.now)} after {pluralize(done, 'step')}"
    )
    if config.dim == 1:  # several pairs may be equally alike
        found += " (1 or −1 for any two rows, since D = 1)"
    if not pair.follower:
        alone = "no token follows both at least half of the time, or twice as often as in general"
        return f"{found}; {alone}, {pair.reason}."
    if not pair.looked_up:
        return f"{found}; “{pair.follower}” follows both, but one of them has not been in a batch so far."
    if pair.now < pair.at_start + RISEN:
        return f"{found}; “{pair.follower}” follows both, but has not made them more alike so far."
    if config.tied:
        return (
            f"{found}; “{pair.follower}” follows both, so both rows are trained to predict it. With tied weights a row "
            "is also the output weight of its token, so tokens that follow the same one become alike as well."
        )
    return (
        f"{found}, because “{pair.follower}” follows both: both rows are trained to predict it, so both are changed in "
        "the same direction."
    )


def training_export(training: RecordedTraining | None, row_names: Sequence[str]) -> dict[str, NamedArray | Table]:
    if training is None:
        return {}
    tokens = zip(training.text.token_ids, row_names, strict=True)  # the ID of <pad> is -1
    rows = [{"v": v, "ID": token_id, "token": name} for v, (token_id, name) in enumerate(tokens)]
    windows = {"inputs": training.text.inputs, "targets": training.text.targets}
    tables = {"token_table_at_start": training.initial_table}
    losses = {}
    if training.losses:
        tables |= {"token_table": training.table, "gradient": training.gradient}
        losses = {"losses": NamedArray(np.array(training.losses), ("i",))}
    found = {name: NamedArray(table.numpy(), ("v", "d")) for name, table in tables.items()} | losses
    return found | {name: NamedArray(ids.numpy(), ("n", "t")) for name, ids in windows.items()} | {"rows": rows}
