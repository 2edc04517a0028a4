"""Analogies a - b + c by two methods, with the input words included and excluded, and the rank of one word."""

import streamlit as st
from gensim.models import KeyedVectors

from components.failures.words import WORD_CHARS
from components.lessons.word2vec.charts import ranking_chart
from components.lessons.word2vec.choices import Choices
from components.ui.blocks import show_chart
from components.ui.markdown import escape_markdown
from components.ui.state import bind_choice, bind_widget, change_choices
from components.vectors.analogies import analogy, nearest_spellings, rank_of, starts_with, unknown_word

ANSWERS_SHOWN = 8
METHODS = {"add": "3CosAdd: a − b + c", "mul": "3CosMul: a × c / b"}
ABOUT_METHODS = (
    "3CosAdd takes the word nearest to the sum of unit vectors (Mikolov et al., 2013). 3CosMul multiplies and divides "
    "cosines instead, shifted from −1…1 to 0…1 first (Levy and Goldberg, 2014); its score may be above 1."
)


def word_field(label: str, name: str, vectors: KeyedVectors, value: str) -> None:
    """Render a field for a word, and similar words below it if it has no vector."""
    st.text_input(label, max_chars=WORD_CHARS, **bind_choice(name))
    suggest_words(label, name, vectors, value)


def suggest_words(label: str, name: str, vectors: KeyedVectors, value: str) -> None:
    """Suggest similar words for a field whose word has no vector."""
    suggestions = (
        [] if not value or value in vectors else starts_with(vectors, value, 4) or nearest_spellings(vectors, value)
    )
    bound = bind_widget(f"offer_{name}", None, lambda word: word and change_choices(**{name: word}), default="default")
    with st.container():  # always rendered, so that what is below keeps the focus
        if suggestions:
            st.pills(f"Did you mean, for {label}", suggestions, label_visibility="collapsed", wrap=True, **bound)


def methods_view(vectors: KeyedVectors, choices: Choices) -> None:
    """Show the answers by either method with the input words included and excluded, and the rank of one word."""
    left, right = st.columns([1, 3], vertical_alignment="bottom")
    with left:
        word_field("Expected word", "expected", vectors, choices.expected.strip())
    bound = bind_choice("method", default="default")
    right.segmented_control(
        "Method", list(METHODS), format_func=METHODS.get, required=True, help=ABOUT_METHODS, **bound
    )
    a, b, c = choices.word_a.strip(), choices.word_b.strip(), choices.word_c.strip()
    if unknown_word(vectors, [a, b, c]) or len(vectors) <= len({a, b, c}):
        st.caption("There is no answer to compare.")
        return
    title = "cosine similarity to a − b + c" if choices.method == "add" else "score of 3CosMul"
    for column, heading, include in zip(
        st.columns(2, gap="medium"), ("Input words included", "Input words excluded"), (True, False), strict=True
    ):
        with column:
            ranked = analogy(vectors, [a, c], [b], ANSWERS_SHOWN, include_inputs=include, method=choices.method)
            st.header(heading, anchor=False)
            first = ", ".join(f"{rank}. {word} {score:.4f}" for rank, (word, score) in enumerate(ranked[:2], 1))
            grey = " Grey: one of the inputs." if include else ""
            show_chart(ranking_chart(ranked, (a, b, c), title), f"{first}.{grey}")
    show_rank(vectors, choices, a, b, c)


def show_rank(vectors: KeyedVectors, choices: Choices, a: str, b: str, c: str) -> None:
    """Show the rank and the score of the word that the learner expects."""
    word = choices.expected.strip()
    if not word:
        return
    if problem := unknown_word(vectors, [word]):
        st.caption(escape_markdown(problem))
        return
    rank = rank_of(vectors, [a, c], [b], word, choices.method)
    score = "cosine similarity" if choices.method == "add" else "score of 3CosMul"
    as_input = " It is an input itself." if word in (a, b, c) else f", rank **{rank.excluded:,}** with them excluded."
    st.markdown(
        f"**{escape_markdown(word)}** among {len(vectors):,} words: {score} **{rank.score:.4f}**, rank "
        f"**{rank.included:,}** with input words included{as_input}"
    )
