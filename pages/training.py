"""Training: how rows learn, and which of them a step moves."""

import streamlit as st

from components.ui.frame import frame


def text_to_train_on(state):
    """Return the learner's text as windows of rows; where it gives none, say why and offer the repair."""
    settings = state.settings
    try:
        return shared_training_text(state.text, settings)
    except TokenizerUnavailable as error:
        refuse_tokenizer(error)
    except ValueError as error:
        refuse(str(error))
        offer_shorter_windows(len(token_ids(settings.tokenizer, state.text)), settings)
    return None


def about_the_model(state, text, recipe, held):
    """Say what is trained here, in the learner's own numbers."""
    settings = state.settings
    V, D, (N, T) = text.vocab_size, recipe.dim, text.inputs.shape
    used = sum(count > 0 for count in text.counts)
    position = {"none": "", "learned": f" + P [{T}, {D}]", "sinusoidal": f" + P [{T}, {D}], fixed"}[recipe.position]
    output = "W itself, transposed" if recipe.tied else f"a linear layer [{D}, {V:,}]"
    full = window_count(text.n_tokens, T, settings.stride)
    filled = f": {full:,} that your text fills, and one for its tail, filled up with <pad>" if full < N else ""
    notes = ["Of the shared settings D, seed, T, stride, B, tokenizer and positions count here; V and √D do not."]
    notes += ["Whatever is changed, the model is trained anew from the start, up to the same step."]
    if full < N:
        notes += [
            "<pad> counts as a next token here, as it does wherever nobody tells the loss to leave it out "
            "(ignore_index of cross_entropy). padding_idx does not do that."
        ]
    st.markdown(
        f"**The toy model**: :blue-background[W [{V:,}, {D}]]{position} → {output} → softmax over V = {V:,}. Its rows "
        f"are {used:,} tokens of your text, <pad>, and {V - used - 1} tokens that the text never uses. N = {N:,} "
        f"windows of T = {T}{filled}; B = {recipe.batch_size} of them in a step.",
        help="\n\n".join(map(plain, notes)),
    )
    if recipe.batch_size > N:
        held = [
            *held,
            f"B = {recipe.batch_size} is more than the N = {N} windows of this text: each step takes all {N}.",
        ]
    n_tokens = len(token_ids(settings.tokenizer, state.text))
    if text.n_tokens < n_tokens:
        held = [*held, f"The first {text.n_tokens:,} of your {n_tokens:,} tokens are used."]
    if state.choices.typed:
        held = [*held, "The model learns from your text; typed IDs have no part here."]
    if held:
        st.caption("  \n".join(map(plain, held)))


def trained_tensors():
    """Return the token table before and after, its last gradient, and the losses, for files."""
    training = kept_training()
    if training is None:
        return {}
    tables = {"token_table": training.table, "token_table_at_start": training.start.token.weight.detach()}
    tables["gradient"] = training.gradient
    losses = {"losses": Named(np.array(training.losses), ("step",))} if training.losses else {}
    return {name: Named(table.numpy(), ("v", "d")) for name, table in tables.items()} | losses


def lesson(state):
    """Tell the lesson from top to bottom; return the training, which may have to go on."""
    choices = state.choices
    predict_first()
    text_reminder(state)
    text = text_to_train_on(state)
    if text is None:
        return None
    try:
        recipe, held = recipe_for(state.settings, choices, text.vocab_size)
    except ValueError as error:
        refuse(str(error))
        return None
    recipe_controls(choices)
    about_the_model(state, text, recipe, held)
    training = session_training(state, recipe)
    going = train(training, choices)
    offer(trained_tensors)
    if not training.exploded and training.finite:
        tokens = tokenizer(state.settings.tokenizer, state.text)
        what_moved(tokens, training)
        the_map(tokens, training)
        what_it_says(state, tokens, training)
        positions_matter(state, training, going.steps or choices.train_more)
    st.markdown(
        "**What to notice.** Nobody writes meaning into the rows: they begin as random numbers, and each step moves "
        "those that were in the batch, a little, to where the next token is easier to tell. A token that never occurs "
        "learns nothing: its row stays random, however it may be shrunk by weight decay or pushed by a tied layer."
    )
    return going


with frame("training") as state:
    import numpy as np

    from components.core.shapes import window_count
    from components.core.tensors import Named
    from components.core.tokenizers import TokenizerUnavailable
    from components.core.training_recipe import recipe_for
    from components.ui.batch import offer_shorter_windows
    from components.ui.blocks import refuse, refuse_tokenizer
    from components.ui.checks import predict_first
    from components.ui.encoding import token_ids, tokenizer
    from components.ui.markdown import plain
    from components.ui.offers import offer
    from components.ui.text_entry import text_reminder
    from components.ui.training import recipe_controls, train
    from components.ui.training_positions import positions_matter
    from components.ui.training_session import kept_training, session_training, shared_training_text
    from components.ui.training_views import the_map, what_it_says, what_moved

    going = lesson(state)
if going is not None:
    going.go_on()
