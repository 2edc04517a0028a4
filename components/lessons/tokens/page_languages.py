"""One sentence in eight languages: tokens per word and per character, beside the ratios of a published study."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

from components.text.tokenizers import TOKENIZER_FILES, Tokenizer, TokenizerUnavailable, get_tokenizer
from components.ui.blocks import show_table

DATA = Path(__file__).parents[2] / "data" / "token_ratios.json"


def languages_view() -> None:
    """Show the counts of every tokenizer on this machine, and where the published ratios come from."""
    for encoder in available():
        st.markdown(f"**{'GPT-2' if encoder.name == 'gpt2' else encoder.name}**, V = {encoder.n_vocab:,}")
        show_table(language_rows(encoder))
    data = ratios()
    cl100k = ", ".join(f"{each['language']} {each['cl100k_base']:.1f}" for each in data["languages"][1:])
    st.caption(
        f"Published: {data['about']}. For cl100k_base it is {cl100k}. Source: [{data['source']}]({data['address']}). "
        "Our one sentence is a small sample, so its ratios differ from those. Japanese and Burmese do not write spaces "
        "between words, so tokens are counted per character there; a character is a Unicode code point."
    )
    st.markdown(
        "The merges were learned from text that is mostly English. In other languages fewer merges apply, down to one "
        "token for each byte: the same sentence costs more, and less of it fits into the context length T."
    )


@cache
def ratios() -> dict[str, Any]:
    """Return the sentences, the published ratios and their source.

    >>> ratios()["languages"][0]["language"], ratios()["languages"][-1]["gpt2"]
    ('English', 16.9)
    """
    return json.loads(DATA.read_text("utf-8"))


def available() -> list[Tokenizer]:
    """Return the tokenizers that are on this machine, GPT-2's first."""
    found = []
    for name in ("gpt2", *TOKENIZER_FILES):
        try:
            found.append(get_tokenizer(name))
        except TokenizerUnavailable:
            continue
    return found


def language_rows(encoder: Tokenizer) -> list[dict[str, str]]:
    """Return the counts of a tokenizer for each language as rows of a table.

    A character is a Unicode code point. Words are counted only in languages that write spaces between them.
    """
    languages = ratios()["languages"]
    english = len(encoder.encode(languages[0]["sentence"]))
    rows = []
    for each in languages:
        sentence = each["sentence"]
        n, words = len(encoder.encode(sentence)), len(sentence.split())
        rows.append(
            {
                "language": each["language"],
                "sentence": sentence,
                "tokens": str(n),
                "per word": f"{n / words:.2f}" if each["words_apart"] else "–",
                "per character": f"{n / len(sentence):.2f}",
                "× English": f"{n / english:.2f}",
                "published": f"{each[encoder.name]:.1f}" if encoder.name in each else "–",
            }
        )
    return rows
