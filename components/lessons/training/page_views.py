"""The map of the rows before and after a training, and next-token predictions."""

import numpy as np
import streamlit as st

from components.base.learner_text import visible
from components.base.limits import MAX_LINE_CHARS
from components.base.link import State
from components.lessons.training.animation import animation_chart
from components.lessons.training.charts import predictions_chart
from components.lessons.training.page_changes import row_name
from components.text.tokenizers import Tokenizer
from components.training.recorded import RecordedTraining
from components.training.row_changes import next_token
from components.training.snapshots import neighbour_mismatches
from components.ui.blocks import show_chart, show_error
from components.ui.state import bind_choice

MAX_NAMES, MAX_PREDICTIONS = 4, 7


def embedding_map_view(tokens: Tokenizer, training: RecordedTraining) -> None:
    """Show the rows on a 2-D projection, from their start to the last step, with a slider over the steps."""
    st.header("The rows before and after", anchor=False)
    step, snapshots = len(training.losses), training.snapshots
    projection = snapshots.project(step, training.table)
    names = [row_name(tokens, training, row) for row in snapshots.rows]
    first, second = projection.shares
    most = "The most frequent " if sum(count > 0 for count in training.text.counts) > len(names) else ""
    mismatches = neighbour_mismatches(projection.points[-1], training.table[snapshots.rows].numpy())
    distances = np.linalg.norm(projection.points[-1] - projection.points[0], axis=1)
    farthest = int(distances.argmax()) if step else 0
    x, y = projection.points[-1][farthest]
    example = f"; “{names[farthest]}” {'changed most on the map, to' if step else 'starts at'} {x:.2f}, {y:.2f}"
    show_chart(
        animation_chart(names, ["token"] * len(names), projection.steps, projection.points),
        f"{most}{len(names)} rows in use on the same two axes for every step, which explain {first:.0%} and "
        f"{second:.0%} of their variance{example}. Hollow points are the start of each row; a name without room is "
        f"left out. A 2-D projection distorts: for {mismatches} of {len(names)} rows the nearest neighbour here is not "
        f"the nearest in all {training.config.dim} dimensions.",
    )


def next_token_view(state: State, tokens: Tokenizer, training: RecordedTraining) -> None:
    """Show next-token probabilities after the learner's prompt, before and after training, and those of the text."""
    st.header("Next-token predictions", anchor=False)
    T = training.text.inputs.shape[1]
    opening = tokens.decode([training.text.token_ids[row] for row in training.text.inputs[0, :2].tolist()])
    label = "Prompt (empty: the first two tokens of your text)"
    st.text_input(label, placeholder=opening, max_chars=MAX_LINE_CHARS, **bind_choice("prompt"))
    prompt = state.choices.prompt or opening
    ids = tokens.encode(prompt)
    if not ids:
        show_error("The prompt has no tokens: type a word of your text.")
        return
    row, position = training.text.row(ids[-1]), min(len(ids), T) - 1
    last = visible(tokens.token_bytes(ids[-1]))
    if row is None:
        show_error(
            f"The prompt ends with “{last}”, token {ids[-1]:,}, which is not in your text: the toy model has no row "
            "for it. End with a token of your text; a leading space makes another token."
        )
        return
    before, after = (next_token(model, row, position).numpy() for model in (training.initial_model, training.model))
    if not np.isfinite(after).all():
        show_error("The weights are so large that the probabilities are NaN: lower the learning rate.")
        return
    in_text = training.text.followers(row)
    followers = [int(row) for row in np.argsort(-in_text, kind="stable")[:MAX_NAMES] if in_text[row] > 0]
    best = [*np.argsort(-after, kind="stable")[: MAX_PREDICTIONS - 2], *followers[:2]]
    shown = list(dict.fromkeys(int(row) for row in best))
    names = [row_name(tokens, training, each) for each in shown]
    top = shown[0]
    next_in_text = ", ".join(f"“{row_name(tokens, training, row)}” {in_text[row]:.0%}" for row in followers)
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
