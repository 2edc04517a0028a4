"""Analogies a - b + c, with the input words included and excluded, and their parallelogram."""

import numpy as np
import streamlit as st
from gensim.models import KeyedVectors

from components.embedding.projection import project
from components.failures.words import WORD_CHARS
from components.lessons.word2vec.charts import map_chart, ranking_chart
from components.lessons.word2vec.choices import Choices
from components.ui.blocks import show_chart, show_error
from components.ui.markdown import escape_markdown
from components.ui.state import bind_choice, bind_widget, change_choices
from components.vectors.analogies import Ranked, analogy, nearest_spellings, rank_of, starts_with, unknown_word

ANSWERS_SHOWN = 8
METHODS = {"add": "3CosAdd: a − b + c", "mul": "3CosMul: a × c / b"}
ABOUT_METHODS = (
    "3CosAdd takes the word nearest to the sum of unit vectors (Mikolov et al., 2013). 3CosMul multiplies and divides "
    "cosines instead, shifted from −1…1 to 0…1 first (Levy and Goldberg, 2014); its score may be above 1."
)


def word_field(label: str, name: str, vectors: KeyedVectors, value: str) -> None:
    """Render a field for a word, and similar words below it if it has no vector."""
    st.text_input(label, max_chars=WORD_CHARS, **bind_choice(name))
    suggestions = (
        [] if not value or value in vectors else starts_with(vectors, value, 4) or nearest_spellings(vectors, value)
    )
    bound = bind_widget(f"offer_{name}", None, lambda word: word and change_choices(**{name: word}), default="default")
    with st.container():  # always rendered, so that what is below keeps the focus
        if suggestions:
            st.pills(f"Did you mean, for {label}", suggestions, label_visibility="collapsed", wrap=True, **bound)


def analogy_view(vectors: KeyedVectors, choices: Choices) -> None:
    """Show the answers to a - b + c with the input words included and excluded, and the parallelogram."""
    names = {"word_a": "a", "word_b": "− b", "word_c": "+ c", "expected": "Expected word"}
    for column, (name, label) in zip(st.columns(4), names.items(), strict=True):
        with column:
            word_field(label, name, vectors, getattr(choices, name).strip())
    bound = bind_choice("method", default="default")
    st.segmented_control("Method", list(METHODS), format_func=METHODS.get, required=True, help=ABOUT_METHODS, **bound)
    a, b, c = choices.word_a.strip(), choices.word_b.strip(), choices.word_c.strip()
    if problem := unknown_word(vectors, [a, b, c]):
        show_error(problem)
        return
    included, excluded = (
        analogy(vectors, [a, c], [b], ANSWERS_SHOWN, include_inputs=include, method=choices.method)
        for include in (True, False)
    )
    if not excluded:
        show_error(
            f"All {len(vectors):,} words here are inputs, so there is no answer without them: choose "
            "vectors with more words."
        )
        return
    title = "cosine similarity to a − b + c" if choices.method == "add" else "score of 3CosMul"
    left, right = st.columns(2, gap="medium")
    for column, heading, ranked in (
        (left, "Input words included", included),
        (right, "Input words excluded", excluded),
    ):
        with column:
            st.header(heading, anchor=False)
            first = ", ".join(f"{rank}. {word} {score:.4f}" for rank, (word, score) in enumerate(ranked[:2], 1))
            grey = " Grey: one of the inputs." if ranked is included else ""
            show_chart(ranking_chart(ranked, (a, b, c), title), f"{first}.{grey}")
    show_nearest(included, excluded, (a, b, c))
    show_rank(vectors, choices, a, b, c)
    show_parallelogram(vectors, a, b, c, excluded[0][0])
    st.markdown(
        "**What to notice.** An analogy is a habit of one corpus, not a fact of the language: it comes from words "
        "being used alike, breaks when they are not, and differs from corpus to corpus."
    )


def show_nearest(included: Ranked, excluded: Ranked, inputs: tuple[str, str, str]) -> None:
    """Show whether the answer depends on excluding the input words."""
    first, answer = escape_markdown(included[0][0]), escape_markdown(excluded[0][0])
    if included[0][0] in inputs:
        st.info(
            f"With input words included, **{first}**, an input, is nearest. **{answer}** comes first only because the "
            "input words are excluded.",
            icon=":material/visibility:",
        )
    else:
        st.info(f"**{first}** comes first either way.", icon=":material/equal:")


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


def show_parallelogram(vectors: KeyedVectors, a: str, b: str, c: str, answer: str) -> None:
    """Show the four words and a - b + c on a map, with the two arrows that are equal in an exact analogy."""
    st.header("The parallelogram", anchor=False)
    words = list(dict.fromkeys([a, b, c, answer]))
    unit = np.stack([vectors.get_vector(word, norm=True) for word in words]).astype(np.float64)
    vector, row = dict(zip(words, unit, strict=True)), {word: n for n, word in enumerate(words)}
    projection = project(np.vstack([unit, vector[a] - vector[b] + vector[c]]))
    points, target = projection.points, len(words)
    arrows = [
        (row[b], row[a], "token", f"{b} to {a}"),
        (row[c], target, "position", f"{c} to a − b + c"),
        (row[c], row[answer], "combined", f"{c} to {answer}"),
    ]
    color_roles = [(word, "combined" if word == answer else "token") for word in words]
    cosine_in_all = cosine(vector[a] - vector[b], vector[answer] - vector[c])
    first, second = projection.shares
    cosine_on_map = cosine(points[row[a]] - points[row[b]], points[row[answer]] - points[row[c]])
    show_chart(
        map_chart([*color_roles, ("a − b + c", "position")], points, projection.shares, arrows),
        f"Lines from {b} to {a} and from {c} to {answer}. An exact analogy would make both lines equal. On this map "
        f"their cosine similarity is {cosine_on_map:.2f}; in all {vectors.vector_size} dimensions it is "
        f"{cosine_in_all:.2f}. The map explains {sum(projection.shares):.0%} of the variance ({first:.0%} horizontal, "
        f"{second:.0%} vertical).",
    )


def cosine(x: np.ndarray, y: np.ndarray) -> float:
    """Return the cosine similarity of two vectors, 0 if one of them is zero."""
    norms = float(np.linalg.norm(x) * np.linalg.norm(y))
    return float(x @ y) / norms if norms else 0.0
