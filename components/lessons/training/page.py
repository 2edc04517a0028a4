"""The page of the lesson on training: the toy model, its training, and the rows, predictions and positions after it."""

from collections.abc import Sequence
from weakref import ref

import numpy as np
import streamlit as st

from components.base.export import NamedArray
from components.base.link import State
from components.lessons.training.page_changes import changed_rows_view
from components.lessons.training.page_controls import train, training_controls
from components.lessons.training.page_positions import compare_positions_view
from components.lessons.training.page_session import session_training, shared_training_text
from components.lessons.training.page_views import embedding_map_view, next_token_view
from components.lessons.training.setup import training_config
from components.text.tokenizers import TokenizerUnavailable
from components.text.window_counts import window_count
from components.training.config import TrainingConfig
from components.training.recorded import RecordedTraining
from components.training.training_text import TrainingText
from components.ui.batch import offer_shorter_windows
from components.ui.blocks import show_error
from components.ui.download_offer import offer_tokenizer
from components.ui.download_registry import register
from components.ui.encoding import token_ids, tokenizer
from components.ui.markdown import escape_markdown
from components.ui.quiz import predict_first
from components.ui.session import current


def render(state: State) -> None:
    """Render the lesson from top to bottom."""
    choices = state.choices
    predict_first()
    text = find_training_text(state)
    if text is None:
        return
    try:
        config, notices = training_config(state.settings, text.vocab_size, **choices.training_options)
    except ValueError as error:
        show_error(str(error))
        return
    training_controls(choices)
    describe_model(state, text, config, notices)
    training = session_training(state, config)
    running = train(training, choices)
    shown = ref(training)  # a weak reference: an evicted training is freed
    register(lambda: training_export(shown()))
    if training.finite:
        encoder = tokenizer(state.settings.tokenizer, state.text)
        changed_rows_view(encoder, training)
        embedding_map_view(encoder, training)
        next_token_view(state, encoder, training)
        compare_positions_view(state, training, running.steps or choices.train_more)
    st.markdown(
        "**What to notice.** Embeddings start as random numbers. Each step changes the rows in the batch slightly so "
        "that the next token is easier to predict. A token that never occurs learns nothing: its row stays random, "
        "however it may be shrunk by weight decay or changed by a tied output layer."
    )
    if running.unfinished:
        current().continuation = running.continue_training


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


def describe_model(state: State, text: TrainingText, config: TrainingConfig, limit_notices: Sequence[str]) -> None:
    """Show the toy model with the learner's sizes, and what limits them."""
    settings, notices = state.settings, list(limit_notices)
    V, D, (N, T) = text.vocab_size, config.dim, text.inputs.shape
    used = sum(count > 0 for count in text.counts)
    position = {"none": "", "learned": f" + P [{T}, {D}]", "sinusoidal": f" + P [{T}, {D}], fixed"}[config.position]
    output = "W itself, transposed" if config.tied else f"a linear layer [{D}, {V:,}]"
    full = window_count(text.n_tokens, T, settings.stride)
    padded = f": {full:,} full windows and one padded with <pad>" if full < N else ""
    help_texts = [
        "Of the shared settings D, seed, T, stride, B, tokenizer and positions count here; V and √D do not.",
        "Any change retrains the model from scratch up to the same step.",
    ]
    if full < N:
        help_texts += [
            "<pad> counts as a next token here, as it does unless the loss leaves it out (ignore_index of "
            "cross_entropy). padding_idx does not do that."
        ]
    st.markdown(
        f"**The toy model**: :blue-background[W [{V:,}, {D}]]{position} → {output} → softmax over V = {V:,}. Its rows "
        f"are {used:,} tokens of your text, <pad>, and {V - used - 1} tokens that the text never uses. N = {N:,} "
        f"windows of T = {T}{padded}; B = {config.batch_size} of them in a step.",
        help="\n\n".join(map(escape_markdown, help_texts)),
    )
    if config.batch_size > N:
        notices += [f"B = {config.batch_size} is more than the N = {N} windows of this text: each step takes all {N}."]
    n_tokens = len(token_ids(settings.tokenizer, state.text))
    if text.n_tokens < n_tokens:
        notices += [f"The first {text.n_tokens:,} of your {n_tokens:,} tokens are used."]
    if settings.typed:
        notices += ["The model learns from your text; typed IDs are not used here."]
    if notices:
        st.caption("  \n".join(map(escape_markdown, notices)))


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
