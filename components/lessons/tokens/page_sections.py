"""The sections of the lesson on tokens: every token as a colored chip, unknown words, special tokens, vocabularies."""

import numpy as np
import streamlit as st
import torch

from components.base.learner_text import visible, whole_character
from components.base.link import State
from components.base.text_format import pluralize
from components.caches.encoding import token_ids, tokenizer, vocabulary
from components.embedding.positions import error_past_the_end
from components.lessons.tokens.line import characters_around, spans
from components.text.tokenizers import Tokenizer, get_tokenizer
from components.ui.blocks import index_field, option_pills, show_table
from components.ui.markdown import escape_markdown
from components.ui.state import bind_choice, change_choices, register_widget

ROWS_SHOWN = 12
SPECIAL = "<|endoftext|>"
CHIPS_SHOWN = 120
BYTES_SHOWN = CHARS_SHOWN = 40  # of one token
CHIPS_WITHOUT_SCROLLING = 60
SCROLLING_HEIGHT = 330  # pixels
COLORS = ("blue", "orange", "green", "violet")


def unknown_words_view(state: State) -> None:
    st.header("Unknown words", anchor=False)
    st.text_input(
        "Encode another sentence with the word vocabulary of your text",
        placeholder="The dog sleeps by the river.",
        **bind_choice("probe"),
    )
    if state.choices.probe.strip():
        encoder = vocabulary(state.text)
        ids = encoder.encode(state.choices.probe)
        pairs = zip(state.choices.probe.split(), ids, strict=True)
        st.markdown(
            " · ".join(f"{escape_markdown(word)} → **{i}**" + (" \\<unk\\>" if i == 1 else "") for word, i in pairs)
        )
        unknown = ids.count(encoder.special_ids["<unk>"])
        count = pluralize(len(ids), "word")
        mapped = "every unknown word gets ID 1, that of \\<unk\\>" if unknown else "every word is in your text"
        st.caption(f"Unknown: {unknown} of {count}; {mapped}. Words end at white space, so “river,” is not “river”.")


def special_tokens_view() -> None:
    """Show what tiktoken makes of a special token in a text in three ways, and the lookup of an added token."""
    st.header("Special tokens", anchor=False)
    encoding = get_tokenizer("gpt2").encoding
    try:
        by_default = str(encoding.encode(SPECIAL))
    except ValueError as error:
        by_default = f"{type(error).__name__}: {str(error).splitlines()[0]}"
    calls = {
        f"encode_ordinary({SPECIAL!r})": str(encoding.encode_ordinary(SPECIAL)),
        f"encode({SPECIAL!r})": by_default,
        f"encode({SPECIAL!r}, allowed_special='all')": str(encoding.encode(SPECIAL, allowed_special="all")),
    }
    show_table([{"call": call, "result": result} for call, result in calls.items()])
    V = encoding.n_vocab
    st.markdown(
        "All three are tiktoken's. This app uses the first by choice: a special token that is typed is text like any "
        "other. tiktoken's `encode` raises an error by default, and the tokenizers of transformers recognize the "
        "special token and give its ID.\n\n"
        f"**An added token needs a row.** GPT-2's tokenizer has {V:,} IDs, and a token that is added gets the next "
        f"one, {V:,}. For a table with {V:,} rows it is out of range: `{error_past_the_end(torch.zeros(V, 1))}`. The "
        "table must get one more row, which is random until it is trained. V is the number of rows of the table, and "
        "may be larger than the number of tokens: nanoGPT rounds it up to 50,304."
    )


def vocabulary_view(state: State, bpe: str) -> None:
    st.header("The vocabularies", anchor=False)
    st.text_input("Search by text or by ID", placeholder="bank, or 262", **bind_choice("search"))
    for column, name in zip(st.columns(2, gap="medium"), ("words", bpe), strict=True):
        with column:
            encoder = tokenizer(name, state.text)
            wanted = state.choices.search.strip()
            found = search(encoder, wanted)
            shown = found[:ROWS_SHOWN]
            of_all = f"of {encoder.n_vocab:,} IDs"
            matching = f"found: {len(found):,} {of_all}, shown: {len(shown):,}"
            st.caption(f"{name}: {matching if wanted else f'{len(shown):,} {of_all} are shown'}.")
            show_table([table_row(encoder, i) for i in shown] or [{"ID": "–", "token": "nothing matches", "bytes": ""}])


def table_row(encoder: Tokenizer, token_id: int) -> dict[str, str]:
    token = encoder.token_bytes(token_id)
    return {"ID": str(token_id), "token": visible(token), "bytes": token[:16].hex(" ").upper()}


def search(encoder: Tokenizer, text: str) -> list[int]:
    """Return the IDs whose token contains `text`, or that are the number `text` itself; all for an empty search."""
    if not text:
        return list(range(encoder.n_vocab))
    needle, found = text.encode("utf-8", "replace"), []
    for i in range(encoder.n_vocab):
        try:
            token = encoder.token_bytes(i)
        except KeyError:  # in the larger vocabularies some IDs have no token
            continue
        if needle in token or str(i) == text:
            found.append(i)
    return found


def chip_label(encoder: Tokenizer, token_id: int, position: int) -> str:
    """Return the label of one chip: the token in one of four alternating colors, and its ID."""
    # The left-to-right mark keeps the ID after the token in right-to-left scripts.
    text = escape_markdown(visible(encoder.token_bytes(token_id)))
    return f"\u200e:{COLORS[position % len(COLORS)]}-background[{text}]\u200e\u00a0:small[{token_id}]"


def show_every_token(state: State, bpe: str, in_use: str) -> None:
    shown = (("Words of your text", "words", "word"), (f"Byte-pair encoding: {bpe}", bpe, "piece"))
    for column, (title, name, choice) in zip(st.columns(2, gap="medium"), shown, strict=True):
        with column:
            st.header(title + " · in use" * (in_use == name), anchor=False)
            show_chips(name, state, choice)


def show_chips(name: str, state: State, choice: str) -> None:
    encoder, ids = tokenizer(name, state.text), token_ids(name, state.text)
    distinct = len(np.unique(ids))
    st.caption(
        f"**{pluralize(len(ids), 'token')}**, **{distinct:,}** distinct · {pluralize(len(state.text), 'character')} · "
        f"{pluralize(len(state.text.encode()), 'byte')} · vocabulary of {encoder.n_vocab:,}"
    )
    if not len(ids):
        st.caption("No tokens: the text is only white space.")
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
    bound = register_widget(f"{choice}_chip", selected, lambda at: change_choices(**{choice: at}), "default")
    with st.container(height=SCROLLING_HEIGHT if last - first > CHIPS_WITHOUT_SCROLLING else "content", border=False):
        option_pills(f"Tokens in {name}", list(range(first, last)), lambda at: labels[at - first], bound)
    show_details(encoder, ids, selected, state.text)


def show_details(encoder: Tokenizer, ids: np.ndarray, position: int, text: str) -> None:
    token_id = int(ids[position])
    token = encoder.token_bytes(token_id)
    facts = [
        f"ID **{token_id}** selects row **{token_id}** of a token embedding table",
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
        st.caption(f"Bytes: {token[:BYTES_SHOWN].hex(' ').upper()}" + (" …" if len(token) > BYTES_SHOWN else ""))
