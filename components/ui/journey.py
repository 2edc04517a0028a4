"""The journey as one picture: each step a card with its shape in the learner's own numbers."""

from itertools import chain

import streamlit as st

from components.charts.ideas import IDEAS
from components.core.checks import many
from components.core.ids import out_of_range
from components.core.limits import readable_bytes, table_bytes
from components.core.link import PRESETS, State, preset_of
from components.core.shapes import batch_shape, typed_rows
from components.core.tokenizers import TokenizerUnavailable
from components.ui.encoding import token_ids
from components.ui.lab import offer_ids
from components.ui.learner import session
from components.ui.lessons import LESSONS
from components.ui.links import link_to
from components.ui.markdown import plain
from components.ui.state import bound, change_preset


def card(name: str, shape: str, about: str, idea: str, lesson: str) -> None:
    """Draw one step: its name in the colour of its idea, its shape, a line about it, and the way to its lesson."""
    with st.container(border=True, height="stretch"):
        st.markdown(f":{IDEAS[idea]}-background[**{name}**]")
        st.markdown(f"### {shape}", anchors=False)
        st.caption(about)
        link_to(LESSONS[lesson], LESSONS[lesson].title)


def journey(state: State) -> None:
    """Draw the steps from text to combined embedding with the shapes of the current settings."""
    settings = state.settings
    V, D, T = settings.vocab_size, settings.dim, settings.context_length
    typed = state.choices.typed
    ids, problem = None, None
    B, length = "–", f"{T:,}"
    try:
        ids = token_ids(settings.tokenizer, state.text)
    except TokenizerUnavailable as error:
        problem = str(error)
    try:
        if typed or ids is not None:
            B, length = batch_shape(0 if ids is None else len(ids), settings, state.choices)
    except ValueError as error:
        problem = str(error)
    counted = "– tokens" if ids is None else many(len(ids), "token")
    source = "IDs of the preset or your own" if typed else f"{counted}, cut into windows of T = {T:,}"
    about_text = f"{many(len(state.text), 'character')} of yours" + (", not in use" if typed else "")
    size = readable_bytes(table_bytes(V, D))
    top = st.columns(3)
    with top[0]:
        card("Text → tokens", counted, about_text, "neutral", "tokens")
    with top[1]:
        card("IDs", f"[{B}, {length}]", f"[B, T]: {source}", "neutral", "windows")
    with top[2]:
        card("Token vectors", f"[{B}, {length}, {D:,}]", f"rows of a table [{V:,}, {D:,}], {size}", "token", "lookup")
    bottom = st.columns(3)
    with bottom[0]:
        off = settings.position == "none"
        shape = "none" if off else f"[{length}, {D:,}]"
        about = "positions are off" if off else f"{settings.position} positions, one row for each place"
        card("Position vectors", shape, about, "position", "positions")
    with bottom[1]:
        card(
            "Combined",
            f"[{B}, {length}, {D:,}]",
            "the tokens alone" if off else "token + position: what the model reads",
            "combined",
            "combine",
        )
    with bottom[2]:
        card("Check", "published = computed", "printed results, computed again here", "neutral", "reproduce")
    if not problem:
        problem = out_of_range([*chain(*typed_rows(state.choices.ids, settings))] if typed else ids.tolist(), V)
    if problem:
        st.error(plain(problem), icon=":material/block:")
        if typed:
            offer_ids(state, state.choices.ids)


def presets(state: State) -> None:
    """Draw the presets as a choice, and what the chosen one shows."""
    chosen = preset_of(state)
    tied = bound("home_preset", chosen, lambda name: name and change_preset(name), default="default")
    st.pills("Preset", list(PRESETS), label_visibility="collapsed", **tied)
    st.caption(
        PRESETS[chosen].note if chosen else "Your own settings. A preset changes settings and IDs; your text stays."
    )


def progress() -> None:
    """Say which lessons this session has opened."""
    lessons = [name for name in LESSONS if name not in ("home", "glossary")]
    done = [name for name in lessons if name in session.learner.visited]
    st.progress(len(done) / len(lessons), text=f"{len(done)} of {len(lessons)} lessons opened in this session")
