"""The page of the lesson on training: controls, figure, prediction, what to notice; page_sections.py has the rest."""

import math
from collections.abc import Sequence
from typing import Any
from weakref import ref

import numpy as np
import streamlit as st

from components.base.export import NamedArray
from components.base.learner_text import visible
from components.base.link import State
from components.caches.encoding import token_ids, tokenizer
from components.lessons.training.figure import training_figure
from components.lessons.training.page_controls import OPTIMIZER_NAMES, rest_of, show_divergence_warning, train
from components.lessons.training.page_sections import show_sections
from components.lessons.training.page_session import session_training, shared_training_text
from components.lessons.training.setup import checked_text, prompt_ids, training_config
from components.text.tokenizers import TokenizerUnavailable
from components.training.config import TrainingConfig
from components.training.recorded import RecordedTraining
from components.training.row_changes import most_alike
from components.training.training_text import TrainingText
from components.ui.batch import offer_shorter_windows
from components.ui.blocks import notice, show_error
from components.ui.download_offer import offer_tokenizer
from components.ui.download_registry import register
from components.ui.figure import show_figure
from components.ui.markdown import escape_markdown
from components.ui.quiz import first_question, is_masked, predict
from components.ui.session import current

MOST_ALIKE_ROWS = 20  # the most frequent tokens are compared


def program_values(state: State, token_ids: Sequence[int]) -> dict[str, Any]:
    """Return the values of the program: the limited sizes, and the steps of one press if none has been trained.

    Raises ValueError if there is nothing to train on.

    >>> from components.lessons.training.choices import Choices
    >>> found = program_values(State(choices=Choices(train_more=7)), [464, 7850, 464, 3331, 318])
    >>> found["batch_size"], found["steps"], found["prompt_ids"]
    (1, 7, [464, 7850])
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


def render(state: State) -> None:
    """Render the lesson from top to bottom."""
    choices = state.choices
    question = first_question()
    text = find_training_text(state)
    if text is None:
        predict(question)
        return
    try:
        config, limit_notices = training_config(state.settings, text.vocab_size, choices)
    except ValueError as error:
        show_error(str(error))
        return
    training = session_training(state, config)
    train(training, choices)
    encoder = tokenizer(state.settings.tokenizer, state.text)
    row_names = ["<pad>" if token_id < 0 else visible(encoder.token_bytes(token_id)) for token_id in text.token_ids]
    masked = is_masked(question)
    show_figure(training_figure(training, row_names, masked))
    with st.container():  # always rendered, so that what is in it does not move what is below
        rest = rest_of(training, choices.train_steps)
        show_problems(training, [*limit_notices, *text_notices(state, text, config)])
    predict(question)
    notice(observations(training, row_names, masked))
    shown = ref(training)  # a weak reference: an evicted training is freed
    register(lambda: training_export(shown()))
    show_sections(state, encoder, row_names, training, rest is not None, masked)
    current().run.work = rest


def observations(training: RecordedTraining, row_names: Sequence[str], masked: bool) -> list[str]:
    """Return what the figure has in numbers, without the answer as long as it is masked."""
    config, done, V = training.config, len(training.losses), training.text.vocab_size
    sees = "as this one does" if config.position == "none" else "this one sees its position too"
    level = (
        f"The dashed level, {training.text.conditional_entropy:.2f}, is the conditional entropy of the next token "
        "given the current one: a model that sees the current token alone has at least this mean loss over the "
        f"training windows, <pad> included; {sees}."
    )
    if done and not masked and training.finite:
        n = training.snapshots.snapshot(training).n_changed
        moved = f"Step {done:,} moved {n:,} of the V = {V:,} rows: {reason(training)}"
        return [moved, alike(training, row_names), level]
    norm = math.sqrt(config.dim)
    start = (
        f"The rows start with a norm of about {config.token_std * norm:.2g} (standard deviation 0.02, as in GPT-2); "
        f"with torch's default of 1 it is {norm:.2g}, and a step could hardly be seen."
        if config.token_std < 1
        else f"The rows start with a norm of about {norm:.2g} (standard deviation 1, torch's default), beside which a "
        "step can hardly be seen; GPT-2 starts with 0.02."
    )
    return [start, level]


def alike(training: RecordedTraining, row_names: Sequence[str]) -> str:
    """Return which two tokens have the most similar rows now, and a token that follows both."""
    text = training.text
    first, second, now, at_start = most_alike(training, text.frequent_rows(MOST_ALIKE_ROWS))
    shares = np.minimum(text.followers(first), text.followers(second))  # [V]
    follows = f"; “{row_names[shares.argmax()]}” follows both" if shares.any() else ""
    return (
        f"The rows of “{row_names[first]}” and “{row_names[second]}” are most alike: their cosine similarity is "
        f"{now:.2f}, and was {at_start:.2f} at the start{follows}."
    )


def reason(training: RecordedTraining) -> str:
    """Return why the last step moved these rows."""
    config = training.config
    if config.tied:
        n = training.text.vocab_size - len(training.batch.unique())
        return f"the table is also the output layer, so the {n:,} not looked up have a gradient too."
    n = int(training.gradient.ne(0).any(dim=1).sum())
    only = f"only the {n:,} looked up have a gradient"
    if config.optimizer == "adamw" and config.weight_decay:
        return f"{only}, but weight decay shrinks every row that is not zero."
    if config.optimizer == "sgd":
        return f"{only}."
    return f"{only}, but {OPTIMIZER_NAMES[config.optimizer].split(',')[0]} also uses the gradients of earlier steps."


def find_training_text(state: State) -> TrainingText | None:
    """Return the windows of the learner's text, or show an error with a fix and return None."""
    settings = state.settings
    try:
        return shared_training_text(state.text, settings)
    except TokenizerUnavailable as error:
        offer_tokenizer(error)
    except ValueError as error:
        show_error(str(error))
        offer_shorter_windows(len(token_ids(settings.tokenizer, state.text)), settings)
    return None


def text_notices(state: State, text: TrainingText, config: TrainingConfig) -> list[str]:
    """Return what the training does not use of the text and of the batch."""
    settings, notices = state.settings, []
    N = len(text.inputs)
    if config.batch_size > N:
        notices += [f"B = {config.batch_size} is more than the N = {N} windows of this text: each step takes all {N}."]
    n_tokens = len(token_ids(settings.tokenizer, state.text))
    if text.n_tokens < n_tokens:
        notices += [f"The first {text.n_tokens:,} of your {n_tokens:,} tokens are used."]
    if settings.typed:
        notices += ["The model learns from your text; typed IDs are not used here."]
    return notices


def show_problems(training: RecordedTraining, notices: Sequence[str]) -> None:
    """Show what was limited, and a warning if the training diverges."""
    if notices:
        st.caption("  \n".join(map(escape_markdown, notices)))
    show_divergence_warning(training)


def training_export(training: RecordedTraining | None) -> dict[str, NamedArray]:
    """Return the windows, the token table before training and after, its last gradient, and the losses, for files."""
    if training is None:
        return {}
    windows = {"inputs": training.text.inputs, "targets": training.text.targets}
    tables = {"token_table_at_start": training.initial_model.token.weight.detach()}
    losses = {}
    if training.losses:
        tables |= {"token_table": training.table, "gradient": training.gradient}
        losses = {"losses": NamedArray(np.array(training.losses), ("step",))}
    found = {name: NamedArray(table.numpy(), ("v", "d")) for name, table in tables.items()} | losses
    return found | {name: NamedArray(ids.numpy(), ("n", "t")) for name, ids in windows.items()}
