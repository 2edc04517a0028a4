"""The tokens of the text as colored chips with their IDs, and the details of the selected one."""

import numpy as np
import streamlit as st

from components.base.learner_text import visible, whole_character
from components.base.link import State
from components.base.text_format import pluralize
from components.caches.encoding import token_ids, tokenizer
from components.lessons.tokens.line import characters_around
from components.lessons.tokens.spans import spans
from components.text.tokenizers import Tokenizer
from components.ui.blocks import index_field
from components.ui.markdown import escape_markdown
from components.ui.state import change_choices, register_widget

CHIPS_SHOWN = 120
BYTES_SHOWN = CHARS_SHOWN = 40  # of one token
CHIPS_WITHOUT_SCROLLING = 60
SCROLLING_HEIGHT = 330  # pixels
COLORS = ("blue", "orange", "green", "violet")


def chip_label(encoder: Tokenizer, token_id: int, position: int) -> str:
    """Return the label of one chip: the token in one of four alternating colors, and its ID."""
    # The left-to-right mark keeps the ID after the token in right-to-left scripts.
    text = escape_markdown(visible(encoder.token_bytes(token_id)))
    return f"\u200e:{COLORS[position % len(COLORS)]}-background[{text}]\u200e\u00a0:small[{token_id}]"


def show_every_token(state: State, bpe: str, in_use: str) -> None:
    left, right = st.columns(2, gap="medium")
    with left:
        st.header("Words of your text" + (" · in use" if in_use == "words" else ""), anchor=False)
        show_chips("words", state, "word")
    with right:
        st.header(f"Byte-pair encoding: {bpe}" + (" · in use" if in_use == bpe else ""), anchor=False)
        show_chips(bpe, state, "piece")


def show_chips(name: str, state: State, choice: str) -> None:
    encoder, ids = tokenizer(name, state.text), token_ids(name, state.text)
    distinct = len(np.unique(ids))
    st.caption(
        f"**{pluralize(len(ids), 'token')}**, **{distinct:,}** distinct · {pluralize(len(state.text), 'character')} · "
        f"{pluralize(len(state.text.encode()), 'byte')} · vocabulary of {encoder.n_vocab:,}"
    )
    if not len(ids):
        st.caption("No tokens: the text has only spaces.")
        return
    selected = min(getattr(state.choices, choice), len(ids) - 1)
    first = selected - selected % CHIPS_SHOWN
    last = min(first + CHIPS_SHOWN, len(ids))
    if len(ids) > CHIPS_SHOWN:
        index_field("Token", choice, len(ids), step=CHIPS_SHOWN)
        st.caption(f"Tokens {first:,} to {last - 1:,} are shown.")
    labels = [chip_label(encoder, int(ids[position]), position) for position in range(first, last)]
    # Streamlit identifies chips by their label, so equal ones get invisible characters.
    labels = [label + "\u2060" * labels[:n].count(label) for n, label in enumerate(labels)]
    bound = register_widget(
        f"{choice}_chip", selected, lambda position: change_choices(**{choice: position}), default="default"
    )
    with st.container(height=SCROLLING_HEIGHT if last - first > CHIPS_WITHOUT_SCROLLING else "content", border=False):
        st.pills(
            f"Tokens in {name}",
            list(range(first, last)),
            format_func=lambda position: labels[position - first],
            label_visibility="collapsed",
            required=True,
            wrap=True,
            **bound,
        )
    show_details(encoder, ids, selected, state.text)


def show_details(encoder: Tokenizer, ids: np.ndarray, position: int, text: str) -> None:
    token_id = int(ids[position])
    token = encoder.token_bytes(token_id)
    facts = [
        f"ID **{token_id:,}** = row **{token_id:,}** of a token embedding table",
        f"position {position:,} in the text",
    ]
    facts.append(f"occurs {pluralize(int((ids == token_id).sum()), 'time')}")
    if token.startswith(b" "):
        facts.append("includes the leading **space**")
    if not whole_character(token):
        span = spans(text, encoder.name).tokens[position].tolist()
        of = escape_markdown(characters_around(text.encode(), *span))
        facts.append(f"**incomplete character**: only part of the UTF-8 bytes of {of}")
    name = visible(token)
    shown = name[:CHARS_SHOWN] + (" …" if len(name) > CHARS_SHOWN else "")
    with st.container(border=True):
        st.markdown(f"**{escape_markdown(shown)}**: " + " · ".join(facts))
        hexadecimal = " ".join(f"{byte:02X}" for byte in token[:BYTES_SHOWN])
        st.caption(f"Bytes: {hexadecimal}" + (" …" if len(token) > BYTES_SHOWN else ""))
