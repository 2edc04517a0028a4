"""The steps from text to embeddings as cards with the learner's shapes, the presets, and the progress."""

from itertools import chain

import streamlit as st

from components.base.limits import table_bytes
from components.base.link import State, preset_of
from components.base.presets import PRESETS
from components.base.text_format import pluralize, readable_bytes
from components.charts.color_roles import COLOR_ROLES
from components.text.token_ids import out_of_range
from components.text.tokenizers import TokenizerUnavailable
from components.text.window_counts import batch_shape, typed_batch
from components.ui.download_offer import offer_tokenizer
from components.ui.encoding import token_ids
from components.ui.error_lab_links import offer_ids
from components.ui.markdown import escape_markdown
from components.ui.session import current
from components.ui.state import bind_widget, change_preset


def card(name: str, shape: str, about: str, color_role: str, lesson: str) -> None:
    """Render one step: its name in the colour of its role, its shape, a line about it, and a link to its lesson."""
    with st.container(border=True, height="stretch"):
        st.markdown(f":{COLOR_ROLES[color_role]}-background[**{name}**]")
        st.markdown(f"### {shape}", anchors=False)
        st.caption(about)
        to = current().lessons[lesson]
        st.page_link(to.path, label=to.title, icon=to.icon)


def journey(state: State) -> None:
    """Show the steps from text to combined embedding with the shapes of the current settings."""
    settings = state.settings
    V, D, T = settings.vocab_size, settings.dim, settings.context_length
    typed = state.settings.typed
    ids, problem, unavailable = None, None, None
    B, length = "–", f"{T:,}"
    try:
        ids = token_ids(settings.tokenizer, state.text)
    except TokenizerUnavailable as error:
        unavailable = error
    try:
        if typed or ids is not None:
            B, length = batch_shape(0 if ids is None else len(ids), settings)
    except ValueError as error:
        problem = str(error)
    counted = "– tokens" if ids is None else pluralize(len(ids), "token")
    source = "IDs of the preset or your own" if typed else f"{counted}, cut into windows of T = {T:,}"
    about_text = f"{pluralize(len(state.text), 'character')} of yours" + (", not in use" if typed else "")
    size = readable_bytes(table_bytes(V, D))
    top = st.columns(3)
    with top[0]:
        card("Text → tokens", counted, about_text, "neutral", "tokens")
    with top[1]:
        card("IDs", f"[{B}, {length}]", f"[B, T]: {source}", "neutral", "windows")
    with top[2]:
        card(
            "Token embeddings", f"[{B}, {length}, {D:,}]", f"rows of a table [{V:,}, {D:,}], {size}", "token", "lookup"
        )
    bottom = st.columns(3)
    with bottom[0]:
        off = settings.position == "none"
        shape = "none" if off else f"[{length}, {D:,}]"
        about = "positions are off" if off else f"{settings.position} position embeddings, one row per position"
        card("Position embeddings", shape, about, "position", "positions")
    with bottom[1]:
        card(
            "Combined embeddings",
            f"[{B}, {length}, {D:,}]",
            "the tokens alone" if off else "token + position: what the model reads",
            "combined",
            "combine",
        )
    with bottom[2]:
        card("Check", "published = computed", "published results, recomputed", "neutral", "reproduce")
    if unavailable:
        offer_tokenizer(unavailable)
    if not problem and (typed or ids is not None):
        problem = out_of_range([*chain(*typed_batch(settings))] if typed else ids.tolist(), V)
    if problem:
        st.error(escape_markdown(problem), icon=":material/block:")
        if typed:
            offer_ids(state, state.settings.ids)


def presets(state: State) -> None:
    """Render the presets as a choice, and what the chosen one shows."""
    chosen = preset_of(state.settings)
    bound = bind_widget("home_preset", chosen, lambda name: name and change_preset(name), default="default")
    st.pills("Preset", list(PRESETS), label_visibility="collapsed", **bound)
    st.caption(
        PRESETS[chosen].note if chosen else "Your own settings. A preset changes settings and IDs; your text stays."
    )


def progress() -> None:
    """Show how many lessons this session has opened."""
    lessons = [name for name in current().lessons if name not in ("home", "glossary")]
    done = [name for name in lessons if name in current().visited]
    st.progress(len(done) / len(lessons), text=f"{len(done)} of {len(lessons)} lessons opened in this session")
