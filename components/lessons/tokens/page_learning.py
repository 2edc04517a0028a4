"""Train your own byte-pair encoding: merges learned from the learner's text, applied to a second text."""

from functools import lru_cache

import streamlit as st

from components.base.limits import MAX_LINE_CHARS
from components.base.link import State
from components.base.text_format import pluralize
from components.lessons.tokens.choices import MAX_LEARNED, TRAINED_CHARS
from components.lessons.tokens.spans import token_text
from components.text.bpe import Pair, count_merges, encode_with
from components.text.tokenizers import get_tokenizer
from components.ui.blocks import show_table
from components.ui.download_registry import register
from components.ui.markdown import escape_markdown
from components.ui.state import bind_choice

ROWS_SHOWN = 10
TOKENS_SHOWN = 200


@lru_cache(8)
def learned_merges(text: str) -> list[tuple[Pair, int]]:
    """Return the first merges that the beginning of a text gives, with their counts."""
    return count_merges(text[:TRAINED_CHARS], MAX_LEARNED)


def learning_view(state: State) -> None:
    """Render the number of merges, their table, and a second text that is encoded with them."""
    part = "" if len(state.text) <= TRAINED_CHARS else f" the first {TRAINED_CHARS:,} characters of"
    st.markdown(
        f"Learned from{part} your text: start with the 256 bytes, and again and again give the pair of neighbors that "
        "occurs most often an ID of its own. GPT-2's 50,000 merges were learned in this way from web pages."
    )
    st.slider("Merges learned", 0, MAX_LEARNED, **bind_choice("learned"))
    found = learned_merges(state.text)[: state.choices.learned]
    left, right = st.columns([2, 3], gap="medium")
    with left:
        st.caption(f"The last {min(ROWS_SHOWN, len(found))} of {pluralize(len(found), 'merge')}")
        show_table(merge_rows(found)[-ROWS_SHOWN:] or [{"merge": "–", "ID": "–", "times": "–"}])
        if found:
            register(lambda: {"learned_merges": merge_rows(found)})
    with right:
        st.text_input("Encode a second text with these merges", max_chars=MAX_LINE_CHARS, **bind_choice("second"))
        show_second(state.choices.second, [pair for pair, _ in found])


def merge_rows(merges: list[tuple[Pair, int]]) -> list[dict[str, str]]:
    """Return learned merges as rows of a table.

    >>> merge_rows([((b" ", b"t"), 7)])
    [{'merge': '␣ + t → ␣t', 'ID': '256', 'times': '7'}]
    """
    return [
        {"merge": f"{token_text(a)} + {token_text(b)} → {token_text(a + b)}", "ID": str(256 + n), "times": str(count)}
        for n, ((a, b), count) in enumerate(merges)
    ]


def show_second(text: str, merges: list[Pair]) -> None:
    """Show the tokens of a second text under learned merges, and how many GPT-2 makes of it."""
    tokens = encode_with(merges, text)
    shown = " ".join(f":gray-background[{escape_markdown(token_text(token))}]" for token in tokens[:TOKENS_SHOWN])
    st.markdown(shown + (" …" if len(tokens) > TOKENS_SHOWN else ""))
    gpt2 = len(get_tokenizer("gpt2").encode(text))
    st.markdown(
        f"{pluralize(len(text.encode()), 'byte')} became **{pluralize(len(tokens), 'token')}** with "
        f"{pluralize(len(merges), 'merge')}, V = {256 + len(merges)}. GPT-2's 50,000 merges give "
        f"{pluralize(gpt2, 'token')}."
    )
