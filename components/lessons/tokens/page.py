"""The page of the lesson on tokens: the text in two tokenizers, unknown words, and both vocabularies."""

from collections.abc import Sequence

import streamlit as st

from components.base.export import NamedArray
from components.base.learner_text import visible
from components.base.link import State
from components.lessons.tokens.page_chips import token_chips
from components.lessons.tokens.page_vocabulary import unknown_words_view, vocabulary_table
from components.text.tokenizers import TokenizerUnavailable
from components.ui.download_offer import offer_tokenizer
from components.ui.download_registry import Table, register
from components.ui.encoding import token_ids, tokenizer
from components.ui.quiz import predict_first


def render(state: State) -> None:
    """Render the lesson from top to bottom."""
    predict_first()

    bpe = "gpt2" if state.settings.tokenizer == "words" else state.settings.tokenizer
    in_use = "" if state.settings.typed else state.settings.tokenizer
    left, right = st.columns(2, gap="medium")
    with left:
        st.header("Words of your text" + (" · in use" if in_use == "words" else ""), anchor=False)
        token_chips("words", token_ids("words", state.text), state, "word", in_use == "words")
    with right:
        try:
            ids = token_ids(bpe, state.text)
        except TokenizerUnavailable as error:
            offer_tokenizer(error)
            bpe = "gpt2"
            ids = token_ids(bpe, state.text)
        st.header(f"Byte-pair encoding: {bpe}" + (" · in use" if in_use == bpe else ""), anchor=False)
        token_chips(bpe, ids, state, "piece", in_use == bpe)

    st.markdown(
        "**What to notice.** A word vocabulary stores whole strings, so *care* and *care.* are two entries. BPE can "
        "split any text; spaces (shown as ␣) are part of tokens. Rare characters are split into bytes that mean "
        "nothing alone. Special tokens typed into a text, such as `<|endoftext|>`, are text like any other."
    )
    register(lambda: token_export(state, ["words", bpe]))
    unknown_words_view(state)
    vocabulary_table(state, bpe)


def token_export(state: State, tokenizers: Sequence[str]) -> dict[str, NamedArray | Table]:
    """Return the IDs of the text in every tokenizer shown, and its tokens line by line, for files."""
    found: dict[str, NamedArray | Table] = {}
    for name in tokenizers:
        ids, encoder = token_ids(name, state.text), tokenizer(name, state.text)
        found[f"{name}_ids"] = NamedArray(ids, ("position",))
        if len(ids):
            found[f"{name}_tokens"] = [
                {"position": n, "ID": i, "token": visible(encoder.token_bytes(i))} for n, i in enumerate(ids.tolist())
            ]
    return found
