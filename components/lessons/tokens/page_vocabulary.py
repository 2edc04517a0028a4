"""The vocabularies: unknown words, special and added tokens, and both vocabularies as tables to search."""

import streamlit as st
import torch

from components.base.learner_text import visible
from components.base.limits import MAX_LINE_CHARS
from components.base.link import State
from components.caches.encoding import tokenizer, vocabulary
from components.embedding.positions import error_past_the_end
from components.text.tokenizers import Tokenizer, get_tokenizer
from components.ui.blocks import show_table
from components.ui.markdown import escape_markdown
from components.ui.state import bind_choice

ROWS_SHOWN = 12
SPECIAL = "<|endoftext|>"


def unknown_words_view(state: State) -> None:
    st.header("Unknown words", anchor=False)
    st.text_input(
        "Encode another sentence with the word vocabulary of your text",
        placeholder="The dog sleeps by the river.",
        max_chars=MAX_LINE_CHARS,
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
        st.caption(f"{unknown} of {len(ids)} words are unknown: all map to \\<unk\\> (ID 1).")


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
        f"one, {V:,}. A table with {V:,} rows has no row for it: `{error_past_the_end(torch.zeros(V, 1))}`. The table "
        "must get one more row, which is random until it is trained. V is the number of rows of the table, and it may "
        "be larger than the number of tokens: nanoGPT rounds it up to 50,304."
    )


def vocabulary_view(state: State, bpe: str) -> None:
    st.header("The vocabularies", anchor=False)
    st.text_input(
        "Search by text or by ID", placeholder="bank, or 262", max_chars=MAX_LINE_CHARS, **bind_choice("search")
    )
    for column, name in zip(st.columns(2, gap="medium"), ("words", bpe), strict=True):
        with column:
            encoder = tokenizer(name, state.text)
            found = search(encoder, state.choices.search.strip())
            shown = found[:ROWS_SHOWN]
            st.caption(f"{name}: {len(found):,} of {encoder.n_vocab:,} entries match, {len(shown):,} are shown.")
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
