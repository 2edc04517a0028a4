"""Tokens: text is cut into tokens, each token has an ID, and the ID is the number of a row."""

import streamlit as st

from components.ui.frame import frame


def token_table(state, names):
    """Return the IDs of the text in every tokenizer shown, and its tokens line by line, for files."""
    found = {}
    for name in names:
        ids, kind = token_ids(name, state.text), tokenizer(name, state.text)
        found[f"{name}_ids"] = Named(ids, ("place",))
        if len(ids):
            rows = [{"place": n, "ID": i, "token": visible(kind.token_bytes(i))} for n, i in enumerate(ids.tolist())]
            found[f"{name}_tokens"] = rows
    return found


def lesson(state):
    """Tell the lesson from top to bottom."""
    text_entry(state)
    text_upload()
    predict_first()

    byte_pair = "gpt2" if state.settings.tokenizer == "words" else state.settings.tokenizer
    in_use = "" if state.choices.typed else state.settings.tokenizer
    left, right = st.columns(2, gap="medium")
    with left:
        st.header("Words of your text" + (" · in use" if in_use == "words" else ""), anchor=False)
        chips("words", token_ids("words", state.text), state, "word", in_use == "words")
    with right:
        try:
            pieces = token_ids(byte_pair, state.text)
        except TokenizerUnavailable as error:
            refuse_tokenizer(error)
            byte_pair = "gpt2"
            pieces = token_ids(byte_pair, state.text)
        st.header(f"Byte pairs: {byte_pair}" + (" · in use" if in_use == byte_pair else ""), anchor=False)
        chips(byte_pair, pieces, state, "piece", in_use == byte_pair)

    st.markdown(
        "**What to notice.** The word vocabulary knows whole words only, so *care* and *care.* would be two entries. "
        "Byte pairs cut any text, the spaces included (drawn as ␣); rare characters fall apart into bytes that mean "
        "nothing alone. Special tokens typed into a text, such as `<|endoftext|>`, are text like any other."
    )
    offer(lambda: token_table(state, ["words", byte_pair]))
    probe(state)
    vocabulary_table(state, byte_pair)


with frame("tokens") as state:
    from components.core.tensors import Named
    from components.core.text import visible
    from components.core.tokenizers import TokenizerUnavailable
    from components.ui.blocks import refuse_tokenizer
    from components.ui.checks import predict_first
    from components.ui.chips import chips
    from components.ui.encoding import token_ids, tokenizer
    from components.ui.offers import offer
    from components.ui.text_entry import text_entry, text_upload
    from components.ui.vocabulary import probe, vocabulary_table

    lesson(state)
