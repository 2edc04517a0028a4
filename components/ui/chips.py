"""Tokens as chips in colour with their IDs; the selected one opened up: bytes, space, fragment, row."""

from collections import Counter

import numpy as np
import streamlit as st

from components.core.checks import many
from components.core.ids import out_of_range
from components.core.link import State
from components.core.text import visible, whole_character
from components.core.tokenizers import Tokenizer
from components.ui.blocks import place_entry, refuse
from components.ui.encoding import tokenizer
from components.ui.lab import offer_ids
from components.ui.markdown import plain
from components.ui.state import bound, change_choices

CHIPS_SHOWN = 120
BYTES_SHOWN = LETTERS_SHOWN = 40  # of one token
CHIPS_WITHOUT_SCROLLING = 60
SCROLLING_HEIGHT = 330  # pixels
COLOURS = ("blue", "orange", "green", "violet")


def chip(kind: Tokenizer, token_id: int, place: int) -> str:
    """Return the label of one chip: the token in one of four colours that take turns, and its ID."""
    # The mark in front keeps the number behind the token in right-to-left scripts.
    text = plain(visible(kind.token_bytes(token_id)))
    return f"\u200e:{COLOURS[place % len(COLOURS)]}-background[{text}]\u200e\u00a0:small[{token_id}]"


def chips(name: str, ids: np.ndarray, state: State, choice: str, in_use: bool) -> None:
    """Draw the tokens of the learner's text as chips, their counts, and the details of the selected one.

    `in_use` says that the token table is looked up with these IDs, so that they must have a row in it.
    """
    kind = tokenizer(name, state.text)
    distinct = len(np.unique(ids))
    st.caption(
        f"**{many(len(ids), 'token')}**, **{distinct:,}** distinct · {many(len(state.text), 'character')} · "
        f"{many(len(state.text.encode()), 'byte')} · vocabulary of {kind.n_vocab:,}"
    )
    if not len(ids):
        st.info("No tokens yet: type a text above.", icon=":material/edit:")
        return
    selected = min(getattr(state.choices, choice), len(ids) - 1)
    first = selected - selected % CHIPS_SHOWN
    last = min(first + CHIPS_SHOWN, len(ids))
    if len(ids) > CHIPS_SHOWN:
        place_entry("Token", choice, len(ids), step=CHIPS_SHOWN)
        st.caption(f"Tokens {first:,} to {last - 1:,} are drawn.")
    labels = apart([chip(kind, int(ids[place]), place) for place in range(first, last)])
    tied = bound(f"{choice}_chip", selected, lambda place: change_choices(**{choice: place}), default="default")
    with st.container(height=SCROLLING_HEIGHT if last - first > CHIPS_WITHOUT_SCROLLING else "content", border=False):
        st.pills(
            f"Tokens in {name}",
            list(range(first, last)),
            format_func=lambda place: labels[place - first],
            label_visibility="collapsed",
            required=True,
            wrap=True,
            **tied,
        )
    token_details(kind, ids, selected)
    if in_use and (problem := out_of_range([int(ids[selected])], state.settings.vocab_size, selected)):
        refuse(problem)
        offer_ids(state, str(int(ids[selected])))


def apart(labels: list[str]) -> list[str]:
    """Return the labels, equal ones made different by characters that draw nothing: Streamlit tells chips by label.

    >>> [len(label) for label in apart(["a", "b", "a"])]
    [1, 1, 2]
    """
    seen = Counter()
    different = []
    for label in labels:
        different.append(label + "\u2060" * seen[label])
        seen[label] += 1
    return different


def token_details(kind: Tokenizer, ids: np.ndarray, place: int) -> None:
    """Draw what is known of one token: its bytes, its space, whether it is a whole character, its row."""
    token_id = int(ids[place])
    token = kind.token_bytes(token_id)
    facts = [f"ID **{token_id:,}** = row **{token_id:,}** of a token table", f"place {place:,} in the text"]
    facts.append(f"stands {int((ids == token_id).sum()):,} × in the text")
    if token.startswith(b" "):
        facts.append("begins with a **space**, which belongs to the token")
    if not whole_character(token):
        facts.append("a **fragment**: these bytes are only part of a character")
    name = visible(token)
    shown = name[:LETTERS_SHOWN] + (" …" if len(name) > LETTERS_SHOWN else "")
    with st.container(border=True):
        st.markdown(f"**{plain(shown)}**: " + " · ".join(facts))
        written = " ".join(f"{byte:02X}" for byte in token[:BYTES_SHOWN])
        st.caption(f"Bytes: {written}" + (" …" if len(token) > BYTES_SHOWN else ""))
