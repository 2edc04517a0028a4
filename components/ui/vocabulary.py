"""The vocabulary as a table to search, and the word vocabulary asked about words it may not know."""

import streamlit as st

from components.core.limits import MAX_LINE_CHARS
from components.core.link import State
from components.core.text import visible
from components.core.tokenizers import Tokenizer
from components.ui.blocks import table_of
from components.ui.encoding import tokenizer, vocabulary
from components.ui.markdown import plain
from components.ui.state import choice

ROWS_SHOWN = 12


def probe(state: State) -> None:
    """Draw an entry for another text, encoded with the word vocabulary of the learner's text."""
    st.header("Words that your text lacks", anchor=False)
    st.text_input(
        "Encode another sentence with the word vocabulary of your text",
        placeholder="The dog sleeps by the river.",
        max_chars=MAX_LINE_CHARS,
        **choice("probe"),
    )
    if state.choices.probe.strip():
        known = vocabulary(state.text)
        ids = known.encode(state.choices.probe)
        pairs = zip(state.choices.probe.split(), ids, strict=True)
        st.markdown(" · ".join(f"{plain(word)} → **{i}**" + (" \\<unk\\>" if i == 1 else "") for word, i in pairs))
        unknown = ids.count(known.special_ids["<unk>"])
        st.caption(f"{unknown} of {len(ids)} words are unknown and share the row of \\<unk\\>, ID 1.")


def vocabulary_table(state: State, byte_pair: str) -> None:
    """Draw both vocabularies as tables that can be searched by text or ID."""
    st.header("The vocabularies", anchor=False)
    st.text_input("Search by text or by ID", placeholder="bank, or 262", max_chars=100, **choice("search"))
    for column, name in zip(st.columns(2, gap="medium"), ("words", byte_pair), strict=True):
        with column:
            kind = tokenizer(name, state.text)
            found = search(kind, state.choices.search.strip())
            shown = found[:ROWS_SHOWN]
            st.caption(f"{name}: {len(found):,} of {kind.n_vocab:,} entries match, {len(shown):,} are shown.")
            table_of([row_of(kind, i) for i in shown] or [{"ID": "–", "token": "nothing matches", "bytes": ""}])


def row_of(kind: Tokenizer, token_id: int) -> dict[str, str]:
    """Return one entry of a vocabulary as words for a table."""
    token = kind.token_bytes(token_id)
    return {"ID": str(token_id), "token": visible(token), "bytes": token[:16].hex(" ").upper()}


def search(kind: Tokenizer, wanted: str) -> list[int]:
    """Return the IDs whose token holds `wanted`, or that are the number `wanted` itself; all for an empty search."""
    if not wanted:
        return list(range(kind.n_vocab))
    needle = wanted.encode("utf-8", "replace")
    return [i for i, token in enumerate(tokens_of(kind)) if needle in token or str(i) == wanted]


def tokens_of(kind: Tokenizer) -> list[bytes]:
    """Return every token of a vocabulary as bytes, by ID; an ID that stands for nothing is empty."""
    tokens = []
    for i in range(kind.n_vocab):
        try:
            tokens.append(kind.token_bytes(i))
        except KeyError:
            tokens.append(b"")
    return tokens
