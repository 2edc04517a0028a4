"""The page of the lesson on training: controls, figure, what to notice, the model, its loss, rows and predictions."""

import math
from collections.abc import Sequence
from typing import Any
from weakref import ref

import numpy as np
import streamlit as st

from components.base.export import NamedArray
from components.base.learner_text import visible
from components.base.limits import MAX_LINE_CHARS
from components.base.link import State
from components.caches.encoding import token_ids, tokenizer
from components.lessons.training.charts import predictions_chart
from components.lessons.training.figure import training_figure
from components.lessons.training.page_changes import changed_rows_view, projection_view
from components.lessons.training.page_controls import (
    OPTIMIZER_NAMES,
    show_divergence_warning,
    show_own_controls,
    show_progress_of_rest,
    train_first_slice,
    training_controls,
)
from components.lessons.training.page_loss import compare_positions_view, show_loss
from components.lessons.training.page_session import session_training, shared_training_text
from components.lessons.training.setup import checked_text, prompt_ids, training_config
from components.text.tokenizers import Tokenizer, TokenizerUnavailable
from components.text.window_counts import window_count
from components.training.config import TrainingConfig
from components.training.recorded import RecordedTraining
from components.training.row_changes import most_alike, next_token
from components.training.training_text import TrainingText
from components.ui.batch import offer_shorter_windows
from components.ui.blocks import notice, section, show_chart, show_error
from components.ui.download_offer import offer_tokenizer
from components.ui.download_registry import register
from components.ui.figure import show_figure
from components.ui.markdown import escape_markdown
from components.ui.quiz import answer_first, first_question, is_masked, predict
from components.ui.session import current
from components.ui.state import bind_choice

MOST_ALIKE_ROWS = 20  # the most frequent tokens are compared
MAX_NAMES, MAX_PREDICTIONS = 4, 7


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
    choices = state.choices
    question = first_question()
    text = text_or_show_error(state)
    if text is None:
        predict(question)
        return
    try:
        config, limit_notices = training_config(state.settings, text.vocab_size, choices)
    except ValueError as error:
        show_error(str(error))
        return
    training = session_training(state, config)
    train_first_slice(training, choices.train_steps)
    show_own_controls(training, choices)
    encoder = tokenizer(state.settings.tokenizer, state.text)
    row_names = ["<pad>" if token_id < 0 else visible(encoder.token_bytes(token_id)) for token_id in text.token_ids]
    masked = is_masked(question)
    show_figure(training_figure(training, row_names, masked))
    with st.container():  # always rendered, so that what is in it does not move what is below
        rest = show_progress_of_rest(training, choices.train_steps)
        show_limits([*limit_notices, *text_notices(state, text, config)])
        show_divergence_warning(training)
    predict(question)
    notice(observations(training, row_names, masked))
    shown = ref(training)  # a weak reference: an evicted training is freed
    register(lambda: training_export(shown()))
    show_sections(state, encoder, row_names, training, rest is not None, masked)
    current().run.work = rest


def text_or_show_error(state: State) -> TrainingText | None:
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


def show_limits(notices: Sequence[str]) -> None:
    if notices:
        st.caption("  \n".join(map(escape_markdown, notices)))


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


def next_token_view(state: State, tokens: Tokenizer, row_names: Sequence[str], training: RecordedTraining) -> None:
    """Show next-token probabilities after the learner's prompt, before and after training, and those of the text."""
    T = training.text.inputs.shape[1]
    opening = tokens.decode(prompt_ids("", tokens, training.text))
    label = "Prompt (empty: the first two tokens of your text)"
    st.text_input(label, placeholder=opening, max_chars=MAX_LINE_CHARS, **bind_choice("prompt"))
    ids = prompt_ids(state.choices.prompt, tokens, training.text)
    row, position = training.text.row(ids[-1]), min(len(ids), T) - 1
    last = visible(tokens.token_bytes(ids[-1]))
    if row is None:
        show_error(
            f"The prompt ends with “{last}”, token {ids[-1]:,}, which is not in your text: the toy model has no row "
            "for it. End with a token of your text; a leading space makes another token."
        )
        return
    before, after = (next_token(model, row, position).numpy() for model in (training.initial_model, training.model))
    if not (np.isfinite(after).all() and math.isfinite(training.text_loss())):
        show_error("The weights are so large that the probabilities are NaN: lower the learning rate.")
        return
    in_text = training.text.followers(row)
    followers = [int(row) for row in np.argsort(-in_text, kind="stable")[:MAX_NAMES] if in_text[row] > 0]
    best = [*np.argsort(-after, kind="stable")[: MAX_PREDICTIONS - 2], *followers[:2]]
    shown = list(dict.fromkeys(int(row) for row in best))
    names = [row_names[each] for each in shown]
    top = shown[0]
    next_in_text = ", ".join(f"“{row_names[row]}” {in_text[row]:.0%}" for row in followers)
    next_in_text += " and others" if (in_text > 0).sum() > len(followers) else ""
    show_chart(
        predictions_chart(names, before[shown], after[shown], in_text[shown]),
        f"After “{last}” at position {position}, the most likely next token is “{names[0]}”: {after[top]:.1%}, and "
        f"{before[top]:.1%} before training. In your text “{last}” is followed by: {next_in_text or 'nothing'}.",
    )
    if not training.losses:
        st.caption("Nothing has been trained so far: before and after are the same.")
    elif not training.seen[row]:
        st.caption(
            "This row has not been in any batch so far, it is still random; what has changed comes from the output "
            "layer and from the position."
        )
    weights = sum(weight.numel() for weight in training.parameters)
    memorized = ", enough to memorize them" if weights > training.text.n_positions else ""
    st.caption(
        f"A toy: {weights:,} numbers for the {training.text.n_positions:,} positions of its windows{memorized}. "
        f"Without attention it sees the last token and its position, here {position}, and nothing else of the prompt."
    )


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
