"""What came of a training: the rows that moved and why, the map of the rows, and what the model says next."""

import numpy as np
import streamlit as st

from components.charts.film import film_chart
from components.charts.training import lengths_chart, sayings_chart
from components.core.limits import MAX_LINE_CHARS
from components.core.link import State
from components.core.text import visible
from components.core.tokenizers import Tokenizer
from components.core.training import Training
from components.core.training_film import misplaced
from components.core.training_text import PAD
from components.core.training_views import (
    LOOKED_UP,
    MASKED,
    OUTPUT,
    REASONS,
    REMEMBERED,
    STILL,
    Moved,
    moved,
    next_token,
)
from components.ui.blocks import refuse, show
from components.ui.markdown import plain
from components.ui.state import choice

IDEA_OF = {LOOKED_UP: "token", MASKED: "neutral", OUTPUT: "target", REMEMBERED: "error", STILL: "neutral"}
COLOR_OF = {LOOKED_UP: "blue", MASKED: "gray", OUTPUT: "green", REMEMBERED: "red", STILL: "gray"}
MAX_ROWS, MAX_NAMES, MAX_SAYINGS = 24, 4, 7


def row_name(tokens: Tokenizer, training: Training, row: int) -> str:
    """Return how a row is named: its token, to be looked at."""
    token_id = training.text.token_ids[row]
    return "<pad>" if token_id < 0 else visible(tokens.token_bytes(token_id))


def what_moved(tokens: Tokenizer, training: Training) -> None:
    """Draw gradient and distance row by row, and say which rows moved in the last step, and why."""
    st.header("Which rows moved", anchor=False)
    if not training.losses:
        st.caption("No step yet: press One step, and see which rows it moves.")
        return
    found = moved(training)
    V = training.text.vocab_size
    spare = [row for row in range(1, V) if not training.text.counts[row]]
    rows = [PAD, *training.text.frequent_rows(MAX_ROWS - 1 - len(spare)), *spare]
    names = [row_name(tokens, training, row) for row in rows]
    ideas = [IDEA_OF[found.reasons[row]] for row in rows]
    left, right = st.columns(2, gap="medium")
    some = f"{len(rows)} of {V:,} rows, the most frequent" if len(rows) < V else f"all {V} rows"
    with left:
        lengths = found.gradient[rows].numpy()
        show(
            lengths_chart(names, lengths, ideas, "length of the gradient, last step"),
            f"The gradient of step {len(training.losses):,}, {some}: {int((found.gradient == 0).sum()):,} rows have "
            f"exactly 0; the longest here is that of {longest(names, lengths)}.",
        )
    with right:
        lengths = found.distance[rows].numpy()
        show(
            lengths_chart(names, lengths, ideas, "distance from the start"),
            f"How far each row is from where it began, steps in all: {len(training.losses):,}; "
            f"{int((found.distance == 0).sum()):,} stand where they did; the farthest here is "
            f"{longest(names, lengths)}.",
        )
    for reason in REASONS:
        members = [row for row in range(V) if found.reasons[row] == reason]
        if members:
            named = " ".join(
                f":gray-background[{plain(row_name(tokens, training, row))}]" for row in members[:MAX_NAMES]
            )
            named += " …" if len(members) > MAX_NAMES else ""
            count = f"{len(members):,} row{'' if len(members) == 1 else 's'}"
            about = why(reason, members, training, found)
            st.markdown(f"- :{COLOR_OF[reason]}-background[**{reason}**] {count}: {named} {about}")


def longest(names: list[str], lengths: np.ndarray) -> str:
    """Return the name of the row with the largest length, and that length.

    >>> longest(["a", "b"], np.array([0.5, 2.0]))
    '“b”, 2'
    """
    row = int(lengths.argmax())
    return f"“{names[row]}”, {lengths[row]:.4g}"


def why(reason: str, members: list[int], training: Training, found: Moved) -> str:
    """Return the sentence that says why rows moved in the last step, or why they did not."""
    recipe = training.recipe
    if reason == LOOKED_UP:
        also = " and through the output layer, which is the same table" if recipe.tied else ""
        return f"Their gradient came back through the lookup{also}."
    if reason == MASKED:
        return (
            "No gradient passes the lookup of this row, so it stays a row of zeros. Its places still count in the loss."
        )
    if reason == OUTPUT:
        pad = " padding_idx stops the lookup's gradient, not this one." if PAD in members and recipe.padding_idx else ""
        return f"Tied, the output layer is this table: it gives every row a probability, so it moves every row.{pad}"
    if reason == STILL:
        return still(members, training)
    remembered = {
        "momentum": "Momentum goes on in the direction of earlier steps: these rows were in an earlier batch.",
        "adam": "Adam steps by a running mean of earlier gradients: these rows were in an earlier batch.",
        "adamw": "",
    }[recipe.optimizer]
    if recipe.optimizer == "adamw":
        shrink = recipe.learning_rate * recipe.weight_decay
        never = int((~training.seen[members]).sum())
        remembered = f"Weight decay shrinks every row by {shrink:.3g} of its length in each step"
        remembered += f", also {never:,} that no batch has had so far" if never else ""
        remembered += "; rows of earlier batches follow the running mean of their gradients as well."
    return remembered


def still(members: list[int], training: Training) -> str:
    """Return why rows without a gradient stood still."""
    recipe = training.recipe
    exactly = "A row that was not looked up has a gradient of exactly 0"
    if recipe.tied:
        exactly = "Their gradient is exactly 0: the model gives them a probability of 0 in float32"
    return {
        "sgd": f"{exactly}, and SGD moves by learning rate × gradient.",
        "momentum": f"{exactly}, and they were in no earlier batch that momentum could remember.",
        "adam": f"{exactly}, and they were in no earlier batch that Adam could remember.",
        "adamw": "A row of zeros shrinks to zeros."
        if recipe.weight_decay and members == [PAD]
        else f"{exactly}, and there is nothing to remember or to shrink.",
    }[recipe.optimizer]


def the_map(tokens: Tokenizer, training: Training) -> None:
    """Draw the rows on a flat map, from their start to where they are, with a slider over the steps."""
    st.header("The rows before and after", anchor=False)
    step, film = len(training.losses), training.film
    flat = film.project(step, training.table)
    names = [row_name(tokens, training, row) for row in film.rows]
    first, second = flat.shares
    most = "The most frequent " if sum(count > 0 for count in training.text.counts) > len(names) else ""
    wrong = misplaced(flat.points[-1], training.table[film.rows].numpy())
    far = np.linalg.norm(flat.points[-1] - flat.points[0], axis=1)
    most_moved = int(far.argmax()) if step else 0
    x, y = flat.points[-1][most_moved]
    where = f"; “{names[most_moved]}” {'has moved furthest on the map, to' if step else 'begins at'} {x:.2f}, {y:.2f}"
    show(
        film_chart(names, ["token"] * len(names), flat.steps, flat.points),
        f"{most}{len(names)} rows in use on the same two axes for every step, which carry {first:.0%} and {second:.0%} "
        f"of their variance{where}. Hollow points are where the rows began; a name without room is left out. A flat "
        f"map distorts: for {wrong} of {len(names)} rows the nearest neighbour here is not the nearest in all "
        f"{training.recipe.dim} dimensions.",
    )


def what_it_says(state: State, tokens: Tokenizer, training: Training) -> None:
    """Draw what the model expects after the learner's prompt, before and after training, and what the text has."""
    st.header("What the model now says", anchor=False)
    T = training.text.inputs.shape[1]
    opening = tokens.decode([training.text.token_ids[row] for row in training.text.inputs[0, :2].tolist()])
    label = "Prompt: what comes next? An empty one stands for the beginning of your text"
    st.text_input(label, placeholder=opening, max_chars=MAX_LINE_CHARS, **choice("prompt"))
    prompt = state.choices.prompt or opening
    ids = tokens.encode(prompt)
    if not ids:
        refuse("The prompt has no tokens: type a word of your text.")
        return
    row, place = training.text.row(ids[-1]), min(len(ids), T) - 1
    last = visible(tokens.token_bytes(ids[-1]))
    if row is None:
        refuse(
            f"The prompt ends with “{last}”, token {ids[-1]:,}, which is not in your text: the toy model has no row "
            "for it. End with a token of your text; a space in front makes another token."
        )
        return
    before, after = (next_token(model, row, place).numpy() for model in (training.start, training.model))
    if not np.isfinite(after).all():
        refuse("The weights are so large that the probabilities are no numbers: lower the learning rate.")
        return
    in_text = training.text.followers(row)
    follow = [int(row) for row in np.argsort(-in_text, kind="stable")[:MAX_NAMES] if in_text[row] > 0]
    best = [*np.argsort(-after, kind="stable")[: MAX_SAYINGS - 2], *follow[:2]]
    shown = list(dict.fromkeys(int(choice) for choice in best))
    names = [row_name(tokens, training, choice) for choice in shown]
    top = shown[0]
    has = ", ".join(f"“{row_name(tokens, training, row)}” {in_text[row]:.0%}" for row in follow)
    has += " and others" if (in_text > 0).sum() > len(follow) else ""
    show(
        sayings_chart(names, before[shown], after[shown], in_text[shown]),
        f"After “{last}” at place {place}, the most likely next token is “{names[0]}”: {after[top]:.1%}, and "
        f"{before[top]:.1%} before training. In your text “{last}” is followed by: {has or 'nothing'}.",
    )
    if not training.losses:
        st.caption("Nothing has been trained so far: before and after are the same.")
    elif not training.seen[row]:
        st.caption(
            "This row has not been in any batch so far, it is still random; what has changed comes from the output "
            "layer and from the place."
        )
    weights = sum(weight.numel() for weight in training.parameters)
    enough = ", enough to learn them by heart" if weights > training.text.places else ""
    st.caption(
        f"A toy: {weights:,} numbers for the {training.text.places:,} places of its windows{enough}. Without attention "
        f"it sees the last token and its place, here {place}, and nothing else of the prompt."
    )
