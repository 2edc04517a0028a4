"""What is below the figure on training: the model and its options, loss and rows, predictions, positions."""

import math
from collections.abc import Sequence

import streamlit as st

from components.base.link import State
from components.lessons.training.page_changes import changed_rows_view
from components.lessons.training.page_controls import training_controls
from components.lessons.training.page_loss import compare_positions_view, show_loss
from components.lessons.training.page_views import next_token_view, projection_view
from components.text.tokenizers import Tokenizer
from components.text.window_counts import window_count
from components.training.recorded import RecordedTraining
from components.ui.blocks import section
from components.ui.markdown import escape_markdown
from components.ui.quiz import answer_first


def show_sections(
    state: State, encoder: Tokenizer, row_names: Sequence[str], training: RecordedTraining, running: bool, masked: bool
) -> None:
    """Show the sections below the figure, of which those that are closed are not built.

    Which rows moved is left out until the learner has predicted it.
    """
    if part := section("**The model and all options**: steps, learning rate, weight decay, padding_idx", "options"):
        with part:
            describe_model(state, training)
            training_controls(state.choices, running)
    if part := section("**The loss and the rows**: gradient, change and reason", "rows"):
        with part:
            show_loss(training, state.choices.train_steps)
            if masked:
                answer_first()
            elif training.finite and math.isfinite(training.text_loss()):
                changed_rows_view(row_names, training)
                projection_view(row_names, training)
    if not training.finite:
        return
    if part := section("**Predictions** of the next token", "predictions"):
        with part:
            next_token_view(state, encoder, row_names, training)
    if part := section("**Positions**: none, learned and sinusoidal compared", "positions"):
        with part:
            compare_positions_view(state, training, state.choices.train_steps or state.choices.train_more)


def describe_model(state: State, training: RecordedTraining) -> None:
    """Show the toy model with the learner's sizes."""
    settings, text, config = state.settings, training.text, training.config
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
        f"windows of T = {T}{padded}; a step takes {config.batch_size}.",
        help="\n\n".join(map(escape_markdown, help_texts)),
    )
