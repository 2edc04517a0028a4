"""The rows that the last step changed, row by row, and why; and what the projection of the figure leaves out."""

from collections.abc import Sequence

import numpy as np
import streamlit as st

from components.base.text_format import pluralize
from components.lessons.training.charts import norms_chart
from components.training.recorded import RecordedTraining
from components.training.row_changes import (
    LOOKED_UP,
    MASKED,
    OPTIMIZER_STATE,
    OUTPUT,
    REASONS,
    UNCHANGED,
    row_changes,
)
from components.training.snapshots import neighbour_mismatches
from components.training.training_text import PAD
from components.ui.blocks import show_chart
from components.ui.markdown import escape_markdown

REASON_COLORS = {
    LOOKED_UP: "token",
    MASKED: "neutral",
    OUTPUT: "target",
    OPTIMIZER_STATE: "error",
    UNCHANGED: "neutral",
}
REASON_MARKS = {LOOKED_UP: "blue", MASKED: "gray", OUTPUT: "green", OPTIMIZER_STATE: "red", UNCHANGED: "gray"}
MAX_NAMES = 4


def changed_rows_view(row_names: Sequence[str], training: RecordedTraining) -> None:
    """Show the gradient and the change of each row, and which rows the last step changed and why."""
    if not training.losses:
        st.caption("No step yet. Train a step to see which rows it changes.")
        return
    found = row_changes(training)
    V = training.text.vocab_size
    rows = training.text.rows_to_show()
    names = [row_names[row] for row in rows]
    color_roles = [REASON_COLORS[found.reasons[row]] for row in rows]
    left, right = st.columns(2, gap="medium")
    some = f"{len(rows)} of {V:,} rows, the most frequent" if len(rows) < V else f"all {V} rows"
    with left:
        norms = found.gradient[rows].numpy()
        show_chart(
            norms_chart(names, norms, color_roles, "gradient norm, last step"),
            f"The gradient norms of step {len(training.losses):,}, {some}: {int((found.gradient == 0).sum()):,} rows "
            f"have exactly 0; largest norm here: {largest(names, norms)}.",
        )
    with right:
        norms = found.distance[rows].numpy()
        show_chart(
            norms_chart(names, norms, color_roles, "distance from the start"),
            f"The distance of each row from its start, steps in all: {len(training.losses):,}; "
            f"{int((found.distance == 0).sum()):,} unchanged; largest distance: {largest(names, norms)}.",
        )
    for reason in REASONS:
        members = [row for row in range(V) if found.reasons[row] == reason]
        if members:
            named = " ".join(f":gray-background[{escape_markdown(row_names[row])}]" for row in members[:MAX_NAMES])
            named += " …" if len(members) > MAX_NAMES else ""
            count, about = pluralize(len(members), "row"), explain_reason(reason, members, training)
            st.markdown(f"- :{REASON_MARKS[reason]}-background[**{reason}**] {count}: {named} {about}")


def largest(names: list[str], norms: np.ndarray) -> str:
    """Return the name of the row with the largest norm, and that norm.

    >>> largest(["a", "b"], np.array([0.5, 2.0]))
    '“b”, 2'
    """
    row = int(norms.argmax())
    return f"“{names[row]}”, {norms[row]:.4g}"


def explain_reason(reason: str, members: list[int], training: RecordedTraining) -> str:
    """Return why the last step changed rows, or why it did not."""
    config = training.config
    if reason == LOOKED_UP:
        also = " and through the output layer, which is the same table" if config.tied else ""
        return f"Their gradient came through the lookup{also}."
    if reason == MASKED:
        return "No gradient passes the lookup of this row, so it stays zero. Its positions still count in the loss."
    if reason == OUTPUT:
        pad = " padding_idx stops the lookup's gradient, not this one." if PAD in members and config.padding_idx else ""
        return f"With tied weights the output layer is this table: every row gets a probability, and a gradient.{pad}"
    if reason == UNCHANGED:
        return why_unchanged(members, training)
    if config.optimizer == "momentum":
        return "Momentum continues in the direction of earlier steps: these rows were in an earlier batch."
    if config.optimizer == "adam":
        return "Adam steps by a running mean of earlier gradients: these rows were in an earlier batch."
    shrink, never = config.learning_rate * config.weight_decay, int((~training.seen[members]).sum())
    return (
        f"Weight decay shrinks every row by {shrink:.3g} of its norm in each step"
        + (f", also {never:,} that no batch has had so far" if never else "")
        + "; rows of earlier batches follow the running mean of their gradients as well."
    )


def why_unchanged(members: list[int], training: RecordedTraining) -> str:
    """Return why rows without a gradient did not change."""
    config = training.config
    exactly = "A row that was not looked up has a gradient of exactly 0"
    if config.tied:
        exactly = "Their gradient is exactly 0: the model gives them a probability of 0 in float32"
    return {
        "sgd": f"{exactly}, and SGD changes a row by learning rate × gradient.",
        "momentum": f"{exactly}, and they were in no earlier batch that momentum could include.",
        "adam": f"{exactly}, and they were in no earlier batch that Adam could include.",
        "adamw": "A row of zeros shrinks to zeros."
        if config.weight_decay and members == [PAD]
        else f"{exactly}, and there is no running mean and nothing to shrink.",
    }[config.optimizer]


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
