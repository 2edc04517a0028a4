"""What can be asked of word vectors besides analogies: neighbours, similarity, the odd one out, and a map."""

import re

import numpy as np
import streamlit as st
from gensim.models import KeyedVectors

from components.charts.words import map_chart, matrix_chart, ranking_chart
from components.core.analogies import neighbours, odd_one_out, similarities, unknown_word
from components.core.choices import Choices
from components.core.limits import MAX_LINE_CHARS, MAX_WORDS_DRAWN
from components.core.word_map import word_map
from components.ui.blocks import refuse, show, table_of
from components.ui.markdown import plain
from components.ui.state import choice
from components.ui.word_analogy import word_entry

NEIGHBOURS_SHOWN = 12
PAIRS_SHOWN = 100


def neighbours_view(vectors: KeyedVectors, choices: Choices) -> None:
    """Draw the nearest words to one word."""
    word = choices.near.strip()
    word_entry("Word", "near", vectors, word)
    if problem := unknown_word(vectors, [word]):
        refuse(problem)
        return
    ranked = neighbours(vectors, word, NEIGHBOURS_SHOWN)
    if not ranked:
        refuse(f"{word} is the only word here, and has no neighbours: ask vectors with more words.")
        return
    show(ranking_chart(ranked), f"Nearest to {word}: " + ", ".join(f"{w} {score:.4f}" for w, score in ranked[:5]) + ".")
    st.markdown(
        "**What to notice.** Near means seen among the same words. So opposites are often near each other, and in a "
        "small corpus a word is near those it is always seen with. A cosine below 0 is no opposite, but a word from "
        "another corner. Letters play no part."
    )


def words_entry(vectors: KeyedVectors, choices: Choices) -> list[str]:
    """Draw an entry for several words; return those that have vectors, and refuse what has none."""
    st.text_input("Words, separated by spaces or commas", max_chars=MAX_LINE_CHARS, **choice("words"))
    words = list(dict.fromkeys(filter(None, re.split(r"[\s,;]+", choices.words))))
    if len(words) > MAX_WORDS_DRAWN:
        refuse(f"{len(words)} words are more than {MAX_WORDS_DRAWN}: the first {MAX_WORDS_DRAWN} are drawn.")
        words = words[:MAX_WORDS_DRAWN]
    known = [word for word in words if unknown_word(vectors, [word]) is None]
    if len(known) < len(words):
        refuse(unknown_word(vectors, words) or "")
    return known


def similarity_view(vectors: KeyedVectors, choices: Choices) -> None:
    """Draw the cosine of every pair, the nearest and the farthest pair, and the odd one out."""
    words = words_entry(vectors, choices)
    if len(words) < 2:
        st.caption("Two words or more make a matrix.")
        return
    values = similarities(vectors, words)
    pairs = sorted((values[r, c], words[c], words[r]) for r in range(len(words)) for c in range(r))
    low, high = pairs[0], pairs[-1]
    least = f" Least: {low[1]} and {low[2]}, {low[0]:.4f}." if len(pairs) > 1 else ""
    show(matrix_chart(words, values), f"Most alike: {high[1]} and {high[2]}, {high[0]:.4f}.{least}")
    with st.expander(f"The {len(pairs):,} pairs, most alike first", icon=":material/compare_arrows:"):
        ordered = pairs[::-1][:PAIRS_SHOWN]
        table_of([{"pair": f"{one}, {other}", "cosine": f"{value:.4f}"} for value, one, other in ordered])
        if len(pairs) > PAIRS_SHOWN:
            st.caption(f"The first {PAIRS_SHOWN} are shown.")
    if len(words) > 2:
        odd = odd_one_out(vectors, words)
        mean = np.stack([vectors.get_vector(word, norm=True) for word in words]).mean(axis=0)
        near = {word: float(vectors.cosine_similarities(mean, vectors[word][None])[0]) for word in words}
        others = [cosine for word, cosine in near.items() if word != odd]
        st.markdown(
            f"**Odd one out:** {plain(odd)}, the farthest from the mean of all: cosine {near[odd]:.4f}, the others "
            f"{min(others):.4f} to {max(others):.4f}."
        )


def map_view(vectors: KeyedVectors, choices: Choices) -> None:
    """Draw the words on a flat map."""
    words = words_entry(vectors, choices)
    if len(words) < 2:
        st.caption("Two words or more make a map.")
        return
    flat = word_map(np.stack([vectors.get_vector(word, norm=True) for word in words]))
    first, second = flat.shares
    show(
        map_chart([(word, "token") for word in words], flat.points, flat.shares),
        f"{len(words)} words in the two directions in which they differ most, {sum(flat.shares):.0%} of the variance: "
        f"{first:.0%} across and {second:.0%} up. What lies in other directions is not seen: words that touch "
        "here may be far apart.",
    )
