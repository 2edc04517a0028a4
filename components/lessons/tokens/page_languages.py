"""One sentence in eight languages: tokens per word and per character, beside the ratios of a published study."""

import streamlit as st

from components.lessons.tokens.languages import NAMES, available, language_rows, ratios
from components.ui.blocks import show_table


def languages_view() -> None:
    """Show the counts of every tokenizer on this machine, and where the published ratios come from."""
    for encoder in available():
        st.markdown(f"**{NAMES.get(encoder.name, encoder.name)}**, V = {encoder.n_vocab:,}")
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
