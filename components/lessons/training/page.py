"""The page of the lesson on training: controls, figure, prediction, what to notice; page_sections.py has the rest."""

import math
from collections.abc import Sequence
from weakref import ref

import numpy as np
import streamlit as st

from components.base.export import NamedArray
from components.base.learner_text import visible
from components.base.link import State
from components.lessons.training.figure import training_figure
from components.lessons.training.page_controls import OPTIMIZER_NAMES, rest_of, show_divergence_warning, train
from components.lessons.training.page_sections import show_sections
from components.lessons.training.page_session import session_training, shared_training_text
from components.lessons.training.setup import training_config
from components.text.tokenizers import TokenizerUnavailable
from components.training.config import TrainingConfig
from components.training.recorded import RecordedTraining
from components.training.training_text import TrainingText
from components.ui.batch import offer_shorter_windows
from components.ui.blocks import notice, show_error
from components.ui.download_offer import offer_tokenizer
from components.ui.download_registry import register
from components.ui.encoding import token_ids, tokenizer
from components.ui.figure import show_figure
from components.ui.markdown import escape_markdown
from components.ui.quiz import first_question, is_masked, predict
from components.ui.session import current


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
    notice(observations(training, masked))
    shown = ref(training)  # a weak reference: an evicted training is freed
    register(lambda: training_export(shown()))
    show_sections(state, encoder, row_names, training, rest is not None, masked)
    current().continuation = rest


def observations(training: RecordedTraining, masked: bool) -> list[str]:
    """Return what the figure has in numbers, without the answer as long as it is masked."""
    config, done, V = training.config, len(training.losses), training.text.vocab_size
    moved = ""
    if done and not masked and not training.diverged:
        n = training.snapshots.snapshot(training).n_changed
        moved = f"Step {done:,} moved {n:,} of the V = {V:,} rows: {reason(training)} "
    norm = math.sqrt(config.dim)
    start = (
        f"The rows start with a norm of about {config.token_std * norm:.2g} (standard deviation 0.02, as in GPT-2); "
        f"with torch's default of 1 it is {norm:.2g}, and a step could hardly be seen."
        if config.token_std < 1
        else f"The rows start with a norm of about {norm:.2g} (standard deviation 1, torch's default), beside which a "
        "step can hardly be seen; GPT-2 starts with 0.02."
    )
    sees = "as this one does" if config.position == "none" else "this one sees its position too"
    level = (
        f"The dashed level, {training.text.conditional_entropy:.2f}, is the conditional entropy of the next token "
        "given the current one: a model that sees the current token alone has at least this mean loss over the text; "
    )
    return [f"{moved}{start}", f"{level}{sees}."]


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
    """Return the token table before and after, its last gradient, and the losses, for files."""
    if training is None:
        return {}
    tables = {
        "token_table": training.table,
        "token_table_at_start": training.initial_model.token.weight.detach(),
        "gradient": training.gradient,
    }
    losses = {"losses": NamedArray(np.array(training.losses), ("step",))} if training.losses else {}
    return {name: NamedArray(table.numpy(), ("v", "d")) for name, table in tables.items()} | losses
