"""Views of word vectors besides analogies: neighbours, similarity, the odd one out, and a map."""

import numpy as np
import streamlit as st
from gensim.models import KeyedVectors

from components.base.limits import MAX_LINE_CHARS, MAX_WORDS_DRAWN
from components.embedding.projection import project
from components.lessons.word2vec.charts import map_chart, matrix_chart, ranking_chart
from components.lessons.word2vec.choices import Choices
from components.lessons.word2vec.page_analogy import word_field
from components.ui.blocks import show_chart, show_error, show_table
from components.ui.markdown import escape_markdown
from components.ui.state import bind_choice
from components.vectors.analogies import distances_from_mean, has_direction, neighbours, similarities, unknown_word

NEIGHBOURS_SHOWN = 12
PAIRS_SHOWN = 100


def neighbours_view(vectors: KeyedVectors, choices: Choices) -> None:
    """Show the nearest neighbours of a word."""
    word = choices.near.strip()
    word_field("Word", "near", vectors, word)
    if problem := unknown_word(vectors, [word]):
        show_error(problem)
        return
    ranked = neighbours(vectors, word, NEIGHBOURS_SHOWN)
    if not ranked:
        show_error(f"{word} is the only word here, and has no neighbours: choose vectors with more words.")
        return
    show_chart(
        ranking_chart(ranked), f"Nearest to {word}: " + ", ".join(f"{w} {score:.4f}" for w, score in ranked[:5]) + "."
    )
    st.markdown(
        "**What to notice.** Words are near if they occur in similar contexts, so opposites are often neighbours. A "
        "negative cosine does not mean opposite. Spelling plays no role."
    )


def words_field(vectors: KeyedVectors, choices: Choices) -> list[str]:
    """Render a field for several words; return those that have vectors, and show an error for the others."""
    st.text_input("Words, separated by spaces or commas", max_chars=MAX_LINE_CHARS, **bind_choice("words"))
    words = choices.word_list
    if len(words) > MAX_WORDS_DRAWN:
        show_error(f"{len(words)} words are more than {MAX_WORDS_DRAWN}: the first {MAX_WORDS_DRAWN} are shown.")
    if problem := unknown_word(vectors, words[:MAX_WORDS_DRAWN]):
        show_error(problem)
    return drawn_words(vectors, choices)


def drawn_words(vectors: KeyedVectors, choices: Choices) -> list[str]:
    """Return those of the first MAX_WORDS_DRAWN words that have vectors."""
    return [word for word in choices.word_list[:MAX_WORDS_DRAWN] if has_direction(vectors, word)]


def similarity_view(vectors: KeyedVectors, choices: Choices) -> None:
    """Show the cosine similarity of every pair, the most and least similar pair, and the odd one out."""
    words = words_field(vectors, choices)
    if len(words) < 2:
        st.caption("Two words or more make a matrix.")
        return
    values = similarities(vectors, words)
    pairs = sorted((values[r, c], words[c], words[r]) for r in range(len(words)) for c in range(r))
    low, high = pairs[0], pairs[-1]
    least = f" Least: {low[1]} and {low[2]}, {low[0]:.4f}." if len(pairs) > 1 else ""
    show_chart(matrix_chart(words, values), f"Most alike: {high[1]} and {high[2]}, {high[0]:.4f}.{least}")
    with st.expander(f"The {len(pairs):,} pairs, most alike first", icon=":material/compare_arrows:"):
        ordered = pairs[::-1][:PAIRS_SHOWN]
        show_table([{"pair": f"{one}, {other}", "cosine": f"{value:.4f}"} for value, one, other in ordered])
        if len(pairs) > PAIRS_SHOWN:
            st.caption(f"The first {PAIRS_SHOWN} are shown.")
    if len(words) > 2:
        st.markdown(odd_one_out(vectors, words))


def odd_one_out(vectors: KeyedVectors, words: list[str]) -> str:
    """Return which word is the odd one out, or that none is: some word is always the farthest from the mean."""
    (odd, cosine), *others = distances_from_mean(vectors, words)
    low, high = others[0][1], others[-1][1]
    numbers = f"cosine similarity {cosine:.4f} with the mean of all, and {low:.4f} to {high:.4f} for the others"
    if low - cosine > high - low:  # farther from the others than these are from each other
        return f"**Odd one out:** {escape_markdown(odd)}, {numbers}."
    return f"**No odd one out:** {escape_markdown(odd)} is farthest, {numbers}: too close to be more than chance."


def map_view(vectors: KeyedVectors, choices: Choices) -> None:
    """Show the words on a 2-D projection."""
    words = words_field(vectors, choices)
    if len(words) < 2:
        st.caption("Two words or more make a map.")
        return
    projection = project(np.stack([vectors.get_vector(word, norm=True) for word in words]))
    first, second = projection.shares
    show_chart(
        map_chart(words, projection.points, projection.shares),
        f"PCA projection: {len(words)} words in the two directions in which they differ most, "
        f"{sum(projection.shares):.0%} of the variance: {first:.0%} horizontal and {second:.0%} vertical. "
        "Other directions are left out: words that touch here may be far apart. Try another seed: what stays is more "
        "than chance.",
    )
