"""The batch that travels through the later lessons: where it comes from, and what is said where there is none."""

import streamlit as st
from torch import Tensor

from components.core.batches import make_batch
from components.core.ids import around_the_first_outside, out_of_range
from components.core.limits import MAX_LINE_CHARS, MAX_VOCAB_SIZE
from components.core.link import State
from components.core.settings import Settings
from components.core.tensors import journey_tensors
from components.core.text import visible
from components.core.tokenizers import TokenizerUnavailable
from components.ui.blocks import refuse, refuse_tokenizer
from components.ui.encoding import token_ids, tokenizer
from components.ui.lab import offer_ids
from components.ui.markdown import plain
from components.ui.offers import offer
from components.ui.state import change_settings, choice
from components.ui.tables import tables
from components.ui.text_entry import text_entry


def input_panel(state: State) -> None:
    """Draw where the IDs come from: the learner's text, or IDs typed here."""
    typed, start = state.choices.ids.strip(), " ".join(state.text[:60].split())
    nothing = "only spaces" if state.text else "an empty text"
    source = f"IDs {typed[:30]}" if typed else f"your text, {start[:30]}…" if start else nothing
    with st.expander(f"**Input:** {plain(source)}", icon=":material/edit:"):
        text_entry(state)
        st.text_input(
            "Or type IDs; rows are separated by semicolons, and an empty entry means your text",
            placeholder="2 3 5 1; 0 1 1 2",
            max_chars=MAX_LINE_CHARS,
            **choice("ids"),
        )


def journey_batch(state: State) -> Tensor | None:
    """Return the batch [B, T] of these settings; where there is none, say why and offer the repair."""
    try:
        tokens = [] if state.choices.typed else token_ids(state.settings.tokenizer, state.text)
    except TokenizerUnavailable as error:
        refuse_tokenizer(error)
        return None
    try:
        ids = make_batch(tokens, state.settings, state.choices)
    except ValueError as error:
        refuse(str(error))
        if state.choices.typed:
            offer_ids(state, state.choices.ids)
        else:
            offer_shorter_windows(len(tokens), state.settings)
        return None
    problem = out_of_range(ids.flatten().tolist(), state.settings.vocab_size)
    if not problem:
        offer(lambda: journey_tensors(ids, state.settings, tables(state.settings)))
        return ids
    refuse(problem)
    needed = int(ids.max()) + 1
    with st.container(horizontal=True):
        if ids.min() >= 0 and needed <= MAX_VOCAB_SIZE:
            st.button(f"Set V to {needed:,}", on_click=change_settings, kwargs={"vocab_size": needed}, type="primary")
        offer_ids(state, str(around_the_first_outside(ids.tolist(), state.settings.vocab_size)))
    return None


def offer_shorter_windows(n_tokens: int, settings: Settings) -> None:
    """Offer the longest T that a short text can fill."""
    if 1 < n_tokens <= settings.context_length:
        fits = {"context_length": n_tokens - 1}
        st.button(f"Set T to {n_tokens - 1:,}", on_click=change_settings, kwargs=fits, type="primary")


def label(state: State, token_id: int) -> str:
    """Return how a row of the batch is named: the token where the IDs come from a text, else the ID alone."""
    if state.choices.typed:
        return f"ID {token_id}"
    return f"{visible(tokenizer(state.settings.tokenizer, state.text).token_bytes(token_id))} {token_id}"
