"""What the projection leaves out, and next-token predictions."""

import math
from collections.abc import Sequence

import numpy as np
import streamlit as st

from components.base.learner_text import visible
from components.base.limits import MAX_LINE_CHARS
from components.base.link import State
from components.lessons.training.charts import predictions_chart
from components.lessons.training.setup import prompt_ids
from components.text.tokenizers import Tokenizer
from components.training.recorded import RecordedTraining
from components.training.row_changes import next_token
from components.training.snapshots import neighbour_mismatches
from components.ui.blocks import show_chart, show_error
from components.ui.markdown import escape_markdown
from components.ui.state import bind_choice

MAX_NAMES, MAX_PREDICTIONS = 4, 7


def projection_view(row_names: Sequence[str], training: RecordedTraining) -> None:
    """Show what the projection of the figure leaves out."""
    found, shown = training.snapshots.project(training), training.snapshots.rows
    first, second = found.shares
    mismatches = neighbour_mismatches(found.after[-1], found.snapshots[-1].after)
    farthest = int(np.linalg.norm(found.after[-1] - found.after[0], axis=1).argmax())
    x, y = found.after[-1][farthest]
    name = escape_markdown(row_names[shown[farthest]])
    st.markdown(
        f"The figure has {len(shown)} of {training.text.vocab_size:,} rows: \\<pad>, the most frequent ones, and three "
        f"that the text never uses. One pair of axes serves all frames ({len(found.snapshots)}): the first two "
        f"principal components of these rows at all of them, with {first:.0%} and {second:.0%} of the variance. "
        f"“{name}” is at {x:.2f}, {y:.2f} in the last frame. A projection distorts: for {mismatches} of {len(shown)} "
        "rows the nearest "
        f"neighbor there is not the nearest in all {training.config.dim} dimensions. More steps give other axes."
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
