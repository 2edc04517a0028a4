"""Tokens: text is cut into tokens, each token has an ID, and the ID is the number of a row."""

import streamlit as st

from components.core.tokenizers import TokenizerUnavailable
from components.ui.blocks import predict, refuse_tokenizer
from components.ui.chips import chips
from components.ui.encoding import token_ids, tokenizer
from components.ui.frame import frame
from components.ui.text_entry import text_entry, text_upload
from components.ui.vocabulary import probe, vocabulary_table


def lesson(state):
    """Tell the lesson from top to bottom."""
    text_entry(state)
    text_upload()
    cafe = len(tokenizer("gpt2", "").encode(" café"))
    predict(
        "How many GPT-2 tokens is “ café”, with its space and its accent?",
        f"**{cafe}**: frequent strings have an entry of their own, the space in front included. Write ☕ instead and "
        f"it takes {len(tokenizer('gpt2', '').encode(' ☕'))}, none of them a printable character.",
    )

    byte_pair = "gpt2" if state.settings.tokenizer == "words" else state.settings.tokenizer
    in_use = "" if state.choices.typed else state.settings.tokenizer
    left, right = st.columns(2, gap="medium")
    with left:
        st.subheader("Words of your text" + (" · in use" if in_use == "words" else ""), anchor=False)
        chips("words", token_ids("words", state.text), state, "word", in_use == "words")
    with right:
        try:
            pieces = token_ids(byte_pair, state.text)
        except TokenizerUnavailable as error:
            refuse_tokenizer(error)
            byte_pair = "gpt2"
            pieces = token_ids(byte_pair, state.text)
        st.subheader(f"Byte pairs: {byte_pair}" + (" · in use" if in_use == byte_pair else ""), anchor=False)
        chips(byte_pair, pieces, state, "piece", in_use == byte_pair)

    st.markdown(
        "**What to notice.** The word vocabulary knows whole words only, so *care* and *care.* would be two entries. "
        "Byte pairs cut any text, the spaces included (drawn as ␣); rare characters fall apart into bytes that mean "
        "nothing alone. Special tokens typed into a text, such as `<|endoftext|>`, are text like any other."
    )
    probe(state)
    vocabulary_table(state, byte_pair)


with frame("tokens") as state:
    lesson(state)
