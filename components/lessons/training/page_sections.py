"""The sections below the figure: the model and its options, the loss and the rows, predictions, positions."""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import streamlit as st
from torch import Tensor

from components.base.field_types import field_types_of
from components.base.learner_text import visible
from components.base.limits import MAX_TRAINING_STEPS
from components.base.link import State
from components.base.settings import POSITIONS
from components.base.text_format import percent, pluralize, series, true_minus
from components.charts.palette import COLOR_ROLES
from components.figures.cells import number
from components.lessons.training.charts import loss_chart, norms_chart, predictions_chart
from components.lessons.training.choices import TOKEN_STDS, Choices
from components.lessons.training.page_session import train_in_slices, windows_only
from components.lessons.training.setup import prompt_ids, windows_in_words
from components.text.tokenizers import Tokenizer
from components.training.config import TrainingConfig
from components.training.recorded import RecordedTraining, neighbor_mismatches
from components.training.row_changes import (
    LOOKED_UP,
    MASKED,
    OPTIMIZER_STATE,
    OUTPUT,
    UNCHANGED,
    next_token,
    row_reasons,
)
from components.training.training_text import PAD
from components.ui.blocks import option_buttons, show_chart, show_error, whole_number
from components.ui.markdown import escape_markdown
from components.ui.quiz import answer_first
from components.ui.sections import section
from components.ui.state import add_message, bind_choice, change_choices, change_settings, set_text

FIELD_WIDTH = 148  # pixels
MUCH_WORSE = 10  # times the first loss: the steps overshoot
TOKEN_ONLY_BOUND = "conditional entropy"
REASON_COLORS = {
    LOOKED_UP: "token",
    MASKED: "neutral",
    OUTPUT: "target",
    OPTIMIZER_STATE: "error",
    UNCHANGED: "neutral",
}
MAX_NAMES, MAX_PREDICTIONS = 4, 7
POSITION_COLORS = {"none": "neutral", "learned": "position", "sinusoidal": "combined"}
POSITION_EXAMPLE = " ".join([*["red cat red dog"] * 12, "red"])  # windows of T = 4 leave no token over


def is_given_positions(training: RecordedTraining) -> bool:
    return training.config.position != "none" and training.text.inputs.shape[1] > 1


def add_sections(
    state: State, encoder: Tokenizer, row_names: Sequence[str], training: RecordedTraining, running: bool, masked: bool
) -> None:
    """Add the sections below the figure.

    Which rows changed is left out until the learner has predicted it.
    """

    def show_options() -> None:
        describe_model(state, training)
        training_controls(state.choices, running)

    def show_rows() -> None:
        show_loss(training, state.choices.train_steps)
        if masked:
            answer_first()
        elif not training.diverged:
            changed_rows_view(row_names, training)
            projection_view(row_names, training)

    section("**The model and all options**: steps, learning rate, weight decay, padding_idx", show_options)
    section("**The loss and the rows**: gradient, change and reason", show_rows)
    if training.diverged:
        return
    section("**Predictions** of the next token", next_token_view, state, encoder, row_names, training)
    steps = state.choices.train_steps or state.choices.train_more
    section("**Positions**: none, learned and sinusoidal compared", compare_positions_view, state, training, steps)


def describe_model(state: State, training: RecordedTraining) -> None:
    settings, text, config = state.settings, training.text, training.config
    V, D, T = text.vocab_size, config.dim, settings.context_length
    used = sum(count > 0 for count in text.counts)
    position = {"none": "", "learned": f" + P [{T}, {D}]", "sinusoidal": f" + P [{T}, {D}], fixed"}[config.position]
    output = "W itself, transposed" if config.tied else f"a linear layer [{D}, {V}]"
    help_texts = [
        "Of the shared settings D, seed, T, stride, tokenizer, positions and their layout count here, and B unless a "
        "step takes one window; V and √D do not.",
        "Any change retrains the model from scratch up to the same step.",
    ]
    if (text.targets == PAD).any():
        help_texts += [
            "<pad> counts as a next token here, as it does unless the loss leaves it out (ignore_index of "
            "cross_entropy). padding_idx does not do that."
        ]
    N, B = len(text.inputs), config.batch_size
    taken = f"{min(N, B)}" + f", the last one of each epoch {N % B}" * (N > B and N % B > 0)
    st.markdown(
        f"**The toy model**: :blue-background[W [{V}, {D}]]{position} → {output} → softmax over V = {V:,}. Its rows "
        f"are {used:,} tokens of your text, <pad>, and {V - used - 1} tokens that the text never uses. "
        f"{windows_in_words(text, settings.stride)}; a step takes {taken}.",
        help="\n\n".join(map(escape_markdown, help_texts)),
    )


def rate_field(label: str, name: str, about: str, disabled: bool = False) -> None:
    low, high = field_types_of(Choices)[name].low, field_types_of(Choices)[name].high
    look = {"step": 0.01, "format": "%g", "width": FIELD_WIDTH, "disabled": disabled}
    st.number_input(label, low, high, help=about.format(low=low, high=high), **look, **bind_choice(name))


def training_controls(choices: Choices, disabled: bool) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        about = (
            "How many steps are trained: one step more or less with + and −. Fewer steps train the model from scratch."
        )
        bound = bind_choice("train_steps")
        whole_number("Step", 0, MAX_TRAINING_STEPS, width=FIELD_WIDTH, disabled=disabled, help=about, **bound)
        whole_number("Steps per click", 1, MAX_TRAINING_STEPS, 50, width=FIELD_WIDTH, **bind_choice("train_more"))
        reset = {"on_click": change_choices, "kwargs": {"train_steps": 0}}
        st.button("Reset", icon=":material/replay:", disabled=not choices.train_steps, **reset)
    with st.container(horizontal=True, vertical_alignment="top"):
        about = "Step size, from {low:g} to {high:,.0f}. Try a huge value to see training diverge."
        rate_field("Learning rate", "learning_rate", about)
        about = "AdamW shrinks every weight by learning rate × weight decay in each step, looked up or not."
        rate_field("Weight decay", "weight_decay", about, disabled=choices.optimizer != "adamw")
        about = "Of the token embeddings: 0.02 as in GPT-2, 1 as in torch.nn.Embedding."
        stds = {std: std for std in TOKEN_STDS}
        option_buttons("Standard deviation at the start", "token_std", stds, help=about)
    st.toggle("padding_idx = 0, the row of <pad>", **bind_choice("padding_idx"))
    st.toggle("One window per step, whatever B is", **bind_choice("one_window"))


def show_loss(training: RecordedTraining, steps: int) -> None:
    V, bound = training.text.vocab_size, training.text.conditional_entropy
    levels = {f"ln V = {math.log(V):.2f}: uniform prediction": math.log(V)}
    levels[f"{bound:.2f}: {TOKEN_ONLY_BOUND}"] = bound
    if not training.losses:
        reading = f"No step yet. A uniform prediction over V = {V:,} tokens has a loss of ln V = {math.log(V):.2f}."
    else:
        done = len(training.losses)
        reading = f"The loss was {training.losses[0]:.5g} in the first step"
        reading += f" and {training.losses[-1]:.5g} in step {done:,}." if done > 1 else "."
        if not training.diverged and training.text_loss_is_quick and math.isfinite(training.text_loss()):
            given = ", but this one is given its position too" if is_given_positions(training) else ""
            included = ", <pad> included," * training.text.is_padded
            reading += (
                f" Over all windows{included} it is now {training.text_loss():.5g}; a model that is given the "
                f"current token alone cannot get below {bound:.4f} there{given}."
            )
        reading += f" ln V = {math.log(V):.2f} is the loss of a uniform prediction."
    if training.losses and max(training.losses[-MUCH_WORSE:]) > MUCH_WORSE * math.log(V):
        levels = {}  # far below the curve
    finite = [loss for loss in training.losses if math.isfinite(loss)]
    show_chart(loss_chart({"loss": ("token", finite)}, steps, levels), reading)


def changed_rows_view(row_names: Sequence[str], training: RecordedTraining) -> None:
    if not training.losses:
        st.caption("No step yet. Train a step to see which rows it changes.")
        return
    reasons, V = row_reasons(training), training.text.vocab_size
    # In float64: in float32 the square of a small number is 0, and that of a large one infinite.
    gradients, distances = training.gradient.double().norm(dim=1), training.distances  # [V], [V]
    rows = training.shown_rows
    names = [row_names[row] for row in rows]
    color_roles = [REASON_COLORS[reasons[row]] for row in rows]
    some = f"{len(rows)} of {V:,} rows, the most frequent" if len(rows) < V else f"all {V} rows"
    done = len(training.losses)

    def show_norms(of_all: Tensor, title: str, reading: str) -> None:
        norms = of_all[rows].numpy()
        largest = int(norms.argmax())
        reading += f": “{names[largest]}”, {norms[largest]:.4g}."
        show_chart(norms_chart(names, norms, color_roles, title), reading)

    left, right = st.columns(2, gap="medium")
    with left:
        count = int((gradients == 0).sum())
        zeros = f"{pluralize(count, 'row')} {'has' if count == 1 else 'have'} exactly 0"
        reading = f"The gradient norms of step {done:,}, {some}: {zeros}; largest norm here"
        show_norms(gradients, "gradient norm, last step", reading)
    with right:
        unchanged = f"{int((distances == 0).sum()):,} unchanged"
        reading = f"The distance of each row from its start, steps in all: {done:,}; {unchanged}; largest distance"
        show_norms(distances, "distance from the start", reading)
    for reason, color_role in REASON_COLORS.items():
        members = [row for row in range(V) if reasons[row] == reason]
        if members:
            named = " ".join(f":gray-background[{escape_markdown(row_names[row])}]" for row in members[:MAX_NAMES])
            named += " …" if len(members) > MAX_NAMES else "."
            count, about = pluralize(len(members), "row"), explain_reason(reason, members, training)
            st.markdown(f"- :{COLOR_ROLES[color_role]}-background[**{reason}**] {count}: {named} {about}")


def explain_reason(reason: str, members: list[int], training: RecordedTraining) -> str:
    config = training.config
    if reason == LOOKED_UP:
        also = " and through the output layer, which is the same table" if config.tied else ""
        zeros = int((training.gradient[members] == 0).all(dim=1).sum())
        of_them = f" for {zeros:,} of {pluralize(len(members), 'row')}" * (len(members) > 1)
        zero = f", and is exactly 0{of_them}" * (zeros > 0)
        return f"{'Its' if len(members) == 1 else 'Their'} gradient came through the lookup{also}{zero}."
    if reason == MASKED:
        return "No gradient passes the lookup of this row, so it stays zero. Its positions still count in the loss."
    if reason == OUTPUT:
        pad = " padding_idx stops the lookup's gradient, not this one." if PAD in members and config.padding_idx else ""
        get = "this row gets" if len(members) == 1 else "these rows get"
        return f"With tied weights the output layer is this table: {get} a probability, and so a gradient.{pad}"
    if reason == UNCHANGED:
        with_gradient = [row for row in members if row != PAD or not config.padding_idx]
        return why_unchanged(config, bool(training.n_batches[with_gradient].any()))
    if config.optimizer == "momentum":
        return "Momentum continues in the direction of earlier steps, in one of which there was a gradient here."
    if config.decay_factor == 1:
        name = "AdamW" if config.optimizer == "adamw" else "Adam"
        return f"{name} steps by a running mean of earlier gradients, of which there was one here."
    shrink, never = config.learning_rate * config.weight_decay, int((training.n_batches[members] == 0).sum())
    decays = f"shrinks every row by {shrink:.3g} of its norm"
    if shrink >= 1:
        decays = f"multiplies every row by {true_minus(f'{1 - shrink:.3g}')}"
    return (
        f"Weight decay {decays} in each step"
        + (f", including {never:,} that have been in no batch so far" if never else "")
        + "; rows that had a gradient in an earlier step follow its running mean as well."
    )


def why_unchanged(config: TrainingConfig, had_gradient: bool) -> str:
    """Return why rows did not change, of which some may have had a gradient in an earlier step."""
    exactly = "A row that was not looked up has a gradient of exactly 0"
    if config.tied:
        exactly = "The probability is 0 in float32, and so is the gradient"
    earlier = f"{exactly}. It was so in every earlier step"
    if had_gradient and config.optimizer != "sgd":
        return f"{exactly}, and what is left of earlier gradients is too small to change a number of float32."
    shrink, too_small = config.learning_rate * config.weight_decay, ""
    if shrink:
        too_small = f"; weight decay by {shrink:.3g} of a number is too small to change it in float32"
    return {
        "sgd": f"{exactly}, and SGD changes a row by −learning rate × gradient.",
        "momentum": f"{earlier}, so the running sum of momentum is 0 as well.",
        "adam": f"{earlier}, so Adam's running means are 0 as well.",
        "adamw": "A row of zeros shrinks to zeros."
        if config.decay_factor != 1
        else f"{earlier}, so AdamW's running means are 0 as well{too_small}.",
    }[config.optimizer]


def projection_view(row_names: Sequence[str], training: RecordedTraining) -> None:
    found, shown = training.project(), training.shown_rows
    mismatches = neighbor_mismatches(found.after[-1], found.snapshots[-1].after)
    farthest = int(np.linalg.norm(found.after[-1] - found.after[0], axis=1).argmax())
    x, y = found.after[-1][farthest]
    name, D = escape_markdown(row_names[shown[farthest]]), training.config.dim
    distorts = (
        f"A projection can distort: for {mismatches} of {len(shown)} rows the nearest neighbor in the figure is not "
        f"that of the rows themselves (D = {D})."
    )
    if len(found.shares) >= D:
        distorts = f"Nothing is left out (D = {D})."
    axes = "The axes of all frames ({}) are the first two principal components of these rows"
    if D == 1:
        axes = "The horizontal axis of all frames ({}) is the only principal component of these rows"
    shares = " and ".join(f"{share:.1%}" for share in found.shares[:D])
    V = training.text.vocab_size
    has = f"all {V} rows: \\<pad>, the tokens of your text"
    if len(shown) < V:
        has = f"{len(shown)} of {V:,} rows: \\<pad>, the most frequent tokens"
    st.markdown(
        f"The figure has {has}, and three that the text never uses. {axes.format(len(found.snapshots))} in "
        f"all frames together, with {shares} of the variance. "
        f"“{name}” is at {number(x)}, {number(y)} in the last frame. {distorts} More steps give other axes."
    )


def next_token_view(state: State, tokens: Tokenizer, row_names: Sequence[str], training: RecordedTraining) -> None:
    T = training.text.inputs.shape[1]
    opening = tokens.decode(prompt_ids("", tokens, training.text))
    label = "Prompt (empty: the first two tokens of your text)"
    st.text_input(label, placeholder=opening, **bind_choice("prompt"))
    ids = prompt_ids(state.choices.prompt, tokens, training.text)
    row, position = training.text.row(ids[-1]), min(len(ids), T) - 1
    last = visible(tokens.token_bytes(ids[-1]))
    if row is None:
        show_error(
            f"The prompt ends with “{last}”, token {ids[-1]}, which is not in your text, so not in the vocabulary of "
            "the toy model. End with a token of your text; a leading space makes another token."
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
    names = [row_names[each] for each in shown]
    top = shown[0]
    next_in_text = ", ".join(f"“{row_names[row]}” {percent(in_text[row])}" for row in followers)
    next_in_text += " and others" if (in_text > 0).sum() > len(followers) else ""
    show_chart(
        predictions_chart(names, before[shown], after[shown], in_text[shown]),
        f"After “{last}” at position {position}, the most likely next token is “{names[0]}”: "
        f"{percent(after[top], 1)}, and {percent(before[top], 1)} before training. In your text “{last}” is followed "
        f"by: {next_in_text or 'nothing'}.",
    )
    if not training.losses:
        st.caption("Nothing has been trained so far: before and after are the same.")
    elif not training.n_batches[row]:
        causes = ["from the output layer"]
        causes += ["from weight decay"] * (training.config.decay_factor != 1)
        causes += ["from the position"] * (training.config.position == "learned")
        changed = f": what has changed comes {series(causes)}"
        if training.config.tied:
            changed = ", but it is an output weight as well, and has changed as such"
        st.caption(f"This row has not been in any batch so far{changed}.")
    weights = sum(weight.numel() for weight in training.parameters)
    n = training.text.inputs.numel()  # those of <pad> included
    given = f" and its position, here {position}," * (training.config.position != "none")
    st.caption(
        f"A toy: {weights:,} numbers for the {pluralize(n, 'position')} of its windows. Without attention it is given "
        f"the last token{given} and nothing else of the prompt."
    )


def compare_positions_view(state: State, training: RecordedTraining, steps: int) -> None:
    key = (state.text, windows_only(state.settings), training.config, steps)
    with st.container(horizontal=True):
        pressed = st.button(f"Train all three for {pluralize(steps, 'step')}", icon=":material/stacked_line_chart:")
        if state.text != POSITION_EXAMPLE:
            about = "Replaces your text, takes the words of the new one as tokens, and sets T and stride to 4."
            st.button("Load a text in which only the position helps", help=about, on_click=load_position_example)
    with st.container():  # always rendered, so that the progress bar does not move what is below
        if pressed:
            st.session_state.compared = (key, compare_positions(training, steps))
    stored_key, losses = st.session_state.get("compared", (None, None))
    if stored_key != key:
        other = " Also try the text in which red is followed by cat at position 0 and by dog at position 2."
        st.caption(
            "The same text, batches, token embedding table and output layer; only the positions differ."
            + other * (state.text != POSITION_EXAMPLE)
        )
        return
    curves = {name: (POSITION_COLORS[name], values) for name, (values, _) in losses.items()}
    ends = ", ".join(f"{name} {end}" for name, (_, end) in losses.items())
    bound = training.text.conditional_entropy
    over = "over all windows" if training.text_loss_is_quick else "of the last batch"
    helps = (
        f" With a mean loss over all windows below {bound:.4f} a model uses more than the current token, here its "
        "position. It helps if the same token is followed by different tokens at different positions of the window; in "
        "a real model, attention uses positions to find out which token precedes which."
    )
    show_chart(
        loss_chart(curves, steps, {f"{bound:.2f}: {TOKEN_ONLY_BOUND}": bound}),
        f"Loss {over} at the end: {ends}." + helps * (training.text.inputs.shape[1] > 1),
    )


def compare_positions(training: RecordedTraining, steps: int) -> dict[str, tuple[list[float], str]]:
    """Train with each position type; return the losses and the final loss in words."""
    bar = st.progress(0.0)
    trainings = {name: RecordedTraining(training.text, replace(training.config, position=name)) for name in POSITIONS}

    def show_progress(_: RecordedTraining) -> None:
        done = sum(len(each.losses) for each in trainings.values())
        bar.progress(done / (steps * len(POSITIONS)), text=f"Step {done:,} of {steps * len(POSITIONS):,}")

    train_in_slices([*trainings.values()], steps, show_progress)
    bar.empty()
    found = {}
    for name, each in trainings.items():
        problem = f"out of range at step {len(each.losses)}, the learning rate is too high"
        loss = each.text_loss() if each.text_loss_is_quick else each.losses[-1]
        end = problem if each.diverged else f"{loss:.5g}"
        found[name] = [loss for loss in each.losses if math.isfinite(loss)], end
    return found


def load_position_example() -> None:
    change_settings(tokenizer="words", context_length=4, stride=4)
    set_text(POSITION_EXAMPLE)
    add_message("Your text was replaced on every page; Back in the browser brings it back.")
