"""a - b + c asked twice, with the inputs kept and with the inputs struck out, and drawn as a parallelogram."""

import numpy as np
import streamlit as st
from gensim.models import KeyedVectors

from components.charts.words import map_chart, ranking_chart
from components.core.analogies import Ranked, analogy, nearest_spellings, place_of, starts_with, unknown_word
from components.core.choices import Choices
from components.core.failure_word import WORD_CHARS
from components.core.word_map import word_map
from components.ui.blocks import refuse, show
from components.ui.markdown import plain
from components.ui.state import bound, change_choices, choice

SHOWN = 8
METHODS = {"add": "3CosAdd: a − b + c", "mul": "3CosMul: a × c / b"}
ABOUT_METHODS = (
    "3CosAdd takes the word nearest to the sum of unit vectors (Mikolov et al., 2013). 3CosMul multiplies and divides "
    "cosines instead, moved from −1…1 into 0…1 first (Levy and Goldberg, 2014); its score may be above 1."
)


def word_entry(label: str, name: str, vectors: KeyedVectors, value: str) -> None:
    """Draw an entry for a word; where it has no vector, under it words that begin like it or are spelled like it."""
    st.text_input(label, max_chars=WORD_CHARS, **choice(name))
    offered = (
        [] if not value or value in vectors else starts_with(vectors, value, 4) or nearest_spellings(vectors, value)
    )
    tied = bound(f"offer_{name}", None, lambda word: word and change_choices(**{name: word}), default="default")
    with st.container():  # always there, so that what stands below keeps its focus
        if offered:
            st.pills(f"Did you mean, for {label}", offered, label_visibility="collapsed", wrap=True, **tied)


def analogy_view(vectors: KeyedVectors, choices: Choices) -> None:
    """Draw a - b + c twice, with the inputs kept and with the inputs struck out, and the parallelogram."""
    names = {"word_a": "a", "word_b": "− b", "word_c": "+ c", "expected": "Where is …?"}
    for column, (name, label) in zip(st.columns(4), names.items(), strict=True):
        with column:
            word_entry(label, name, vectors, getattr(choices, name).strip())
    tied = choice("method", default="default")
    st.segmented_control("Method", list(METHODS), format_func=METHODS.get, required=True, help=ABOUT_METHODS, **tied)
    a, b, c = choices.word_a.strip(), choices.word_b.strip(), choices.word_c.strip()
    if problem := unknown_word(vectors, [a, b, c]):
        refuse(problem)
        return
    kept, struck = (
        analogy(vectors, [a, c], [b], SHOWN, keep_inputs=keep, method=choices.method) for keep in (True, False)
    )
    if not struck:
        refuse(f"All {len(vectors):,} words here are inputs, so none is left to answer: ask vectors with more words.")
        return
    title = "cosine with a − b + c" if choices.method == "add" else "score of 3CosMul"
    left, right = st.columns(2, gap="medium")
    for column, heading, ranked in ((left, "Inputs kept", kept), (right, "Inputs struck out", struck)):
        with column:
            st.header(heading, anchor=False)
            first = ", ".join(f"{rank}. {word} {score:.4f}" for rank, (word, score) in enumerate(ranked[:2], 1))
            show(ranking_chart(ranked, (a, b, c), title), f"{first}. Grey: one of the inputs.")
    verdict(kept, struck, (a, b, c))
    where_is(vectors, choices, a, b, c)
    parallelogram(vectors, a, b, c, struck[0][0])
    st.markdown(
        "**What to notice.** An analogy is a habit of one corpus, not a fact of the language: it comes from words "
        "being used alike, breaks when they are not, and differs from corpus to corpus."
    )


def verdict(kept: Ranked, struck: Ranked, inputs: tuple[str, str, str]) -> None:
    """Say whether the first place depends on striking out the inputs."""
    first, answer = plain(kept[0][0]), plain(struck[0][0])
    if kept[0][0] in inputs:
        st.info(
            f"With nothing struck out, the nearest word is **{first}**, an input. **{answer}** comes first only "
            "because the inputs may not answer.",
            icon=":material/visibility:",
        )
    else:
        st.info(f"**{first}** comes first both ways: no input is nearer.", icon=":material/equal:")


def where_is(vectors: KeyedVectors, choices: Choices, a: str, b: str, c: str) -> None:
    """Say the rank and the score of the word that the learner expects, by the method that is asked."""
    word = choices.expected.strip()
    if not word:
        return
    if problem := unknown_word(vectors, [word]):
        st.caption(plain(problem))
        return
    place = place_of(vectors, [a, c], [b], word, choices.method)
    score = "cosine" if choices.method == "add" else "score of 3CosMul"
    as_input = " It is an input itself." if word in (a, b, c) else f", rank **{place.struck:,}** with them struck out."
    st.markdown(
        f"**{plain(word)}** among {len(vectors):,} words: {score} **{place.score:.4f}**, rank **{place.kept:,}** with "
        f"the inputs kept{as_input}"
    )


def parallelogram(vectors: KeyedVectors, a: str, b: str, c: str, answer: str) -> None:
    """Draw the four words and a - b + c on a map, with the two arrows that an analogy takes to be equal."""
    st.header("The parallelogram", anchor=False)
    words = list(dict.fromkeys([a, b, c, answer]))
    unit = np.stack([vectors.get_vector(word, norm=True) for word in words]).astype(np.float64)
    at, place = dict(zip(words, unit, strict=True)), {word: n for n, word in enumerate(words)}
    flat = word_map(np.vstack([unit, at[a] - at[b] + at[c]]))
    points, target = flat.points, len(words)
    arrows = [
        (place[b], place[a], "token", f"{b} to {a}"),
        (place[c], target, "position", f"{c} to a − b + c"),
        (place[c], place[answer], "combined", f"{c} to {answer}"),
    ]
    ideas = [(word, "combined" if word == answer else "token") for word in words]
    true = cosine(at[a] - at[b], at[answer] - at[c])
    first, second = flat.shares
    drawn = cosine(points[place[a]] - points[place[b]], points[place[answer]] - points[place[c]])
    show(
        map_chart([*ideas, ("a − b + c", "position")], points, flat.shares, arrows),
        f"Lines from {b} to {a} and from {c} to {answer}; an analogy takes them to be equal. On this map their cosine "
        f"is {drawn:.2f}; in all {vectors.vector_size} dimensions it is {true:.2f}. The map carries "
        f"{sum(flat.shares):.0%} of the variance of these points, {first:.0%} across and {second:.0%} up, and shows "
        "the rest as nothing.",
    )


def cosine(x: np.ndarray, y: np.ndarray) -> float:
    """Return the cosine of two vectors, 0 where one of them has no length."""
    length = float(np.linalg.norm(x) * np.linalg.norm(y))
    return float(x @ y) / length if length else 0.0
