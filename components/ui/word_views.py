"""What can be asked of word vectors: analogies, neighbours, similarity, a map, a gallery, and a whole test."""

import numpy as np
import streamlit as st
from gensim.models import KeyedVectors

from components.charts.words import MAX_WORDS, map_chart, matrix_chart, ranking_chart
from components.core.analogies import (
    analogy,
    nearest_spellings,
    neighbours,
    odd_one_out,
    similarities,
    starts_with,
    unknown_word,
)
from components.core.analogy_gallery import PEOPLE, TOLD, try_out
from components.core.analogy_questions import MOST_WORDS, Score, score, sections, total
from components.core.choices import Choices
from components.core.word_map import word_map
from components.ui.blocks import refuse, show, table_of
from components.ui.markdown import plain
from components.ui.state import bound, change_choices, choice

SHOWN = 8


def word_entry(label: str, name: str, vectors: KeyedVectors, value: str) -> None:
    """Draw an entry for a word, and under it words that begin like it or are spelled like it."""
    st.text_input(label, **choice(name))
    offered = [word for word in starts_with(vectors, value, 5) if word != value][:4] if value else []
    offered = offered or ([] if value in vectors else nearest_spellings(vectors, value))
    tied = bound(f"offer_{name}", None, lambda word: word and change_choices(**{name: word}), default="default")
    st.pills(f"Words like it, for {label}", offered, label_visibility="collapsed", wrap=True, **tied)


def analogy_view(vectors: KeyedVectors, choices: Choices) -> None:
    """Draw a - b + c twice, with the inputs kept and with the inputs struck out, and the parallelogram."""
    columns = st.columns(3)
    for column, name, label in zip(columns, ("word_a", "word_b", "word_c"), ("a", "− b", "+ c"), strict=True):
        with column:
            word_entry(label, name, vectors, getattr(choices, name))
    names = {"add": "3CosAdd: a − b + c", "mul": "3CosMul: a · c / b"}
    st.segmented_control(
        "Method", list(names), format_func=names.get, required=True, **choice("method", default="default")
    )
    a, b, c = choices.word_a.strip(), choices.word_b.strip(), choices.word_c.strip()
    if problem := unknown_word(vectors, [a, b, c]):
        refuse(problem)
        return
    kept, struck = (
        analogy(vectors, [a, c], [b], SHOWN, keep_inputs=keep, method=choices.method) for keep in (True, False)
    )
    title = "cosine with a − b + c" if choices.method == "add" else "score of 3CosMul"
    left, right = st.columns(2, gap="medium")
    for column, heading, ranked in ((left, "Inputs kept", kept), (right, "Inputs struck out", struck)):
        with column:
            st.subheader(heading, anchor=False)
            first, second = ranked[0], ranked[1]
            show(
                ranking_chart(ranked, (a, b, c), title),
                f"1. {first[0]} {first[1]:.4f}, 2. {second[0]} {second[1]:.4f}. Grey: one of the inputs.",
            )
    if kept[0][0] in (a, b, c):
        st.info(
            f"With nothing struck out, the nearest word is **{plain(kept[0][0])}**, an input. "
            f"**{plain(struck[0][0])}** comes first only because the inputs may not answer.",
            icon=":material/visibility:",
        )
    else:
        st.info(
            f"**{plain(kept[0][0])}** is nearest with the inputs kept as well: striking them out changes nothing here.",
            icon=":material/equal:",
        )
    parallelogram(vectors, a, b, c, struck[0][0])


def parallelogram(vectors: KeyedVectors, a: str, b: str, c: str, answer: str) -> None:
    """Draw the four words and a - b + c on a map, with the two arrows that an analogy takes to be equal."""
    st.subheader("The parallelogram", anchor=False)
    words = list(dict.fromkeys([a, b, c, answer]))
    unit = np.stack([vectors.get_vector(word, norm=True) for word in words]).astype(np.float64)
    at = {word: unit[n] for n, word in enumerate(words)}
    target = at[a] - at[b] + at[c]
    flat = word_map(np.vstack([unit, target]))
    points = flat.points
    place = {word: n for n, word in enumerate(words)}
    arrows = [
        (place[b], place[a], "token", f"{b} to {a}"),
        (place[c], place[answer], "combined", f"{c} to {answer}"),
        (place[c], len(words), "position", f"{c} to a − b + c"),
    ]
    ideas = [(word, "combined" if word == answer else "token") for word in words]
    true = cosine(at[a] - at[b], at[answer] - at[c])
    drawn = cosine(points[place[a]] - points[place[b]], points[place[answer]] - points[place[c]])
    show(
        map_chart([*ideas, ("a − b + c", "position")], points, flat.shares, arrows),
        f"Arrows from {b} to {a} and from {c} to {answer}. On this map their cosine is {drawn:.2f}; in all "
        f"{vectors.vector_size} dimensions it is {true:.2f}. The map carries {sum(flat.shares):.0%} of the variance of "
        "these points, and shows the rest as nothing.",
    )


def cosine(x: np.ndarray, y: np.ndarray) -> float:
    """Return the cosine of two vectors, 0 where one of them has no length."""
    length = float(np.linalg.norm(x) * np.linalg.norm(y))
    return float(x @ y) / length if length else 0.0


def neighbours_view(vectors: KeyedVectors, choices: Choices) -> None:
    """Draw the nearest words to one word."""
    word_entry("Word", "near", vectors, choices.near)
    word = choices.near.strip()
    if problem := unknown_word(vectors, [word]):
        refuse(problem)
        return
    ranked = neighbours(vectors, word, min(12, len(vectors) - 1))
    show(ranking_chart(ranked), f"Nearest to {word}: " + ", ".join(f"{w} {score:.4f}" for w, score in ranked[:5]) + ".")
    st.markdown(
        "**What to notice.** Near means: seen among the same words. So opposites are near, *bigger* and *smaller* for "
        "one, and a cosine below 0 is not an opposite but a word from another corner. Letters play no part."
    )


def words_entry(vectors: KeyedVectors, choices: Choices) -> list[str]:
    """Draw an entry for several words; return those that have vectors, and refuse what has none."""
    st.text_input("Words, separated by spaces", **choice("words"))
    words = list(dict.fromkeys(choices.words.replace(",", " ").split()))
    if len(words) > MAX_WORDS:
        refuse(f"{len(words)} words are more than {MAX_WORDS}: the first {MAX_WORDS} are drawn.")
        words = words[:MAX_WORDS]
    if problem := unknown_word(vectors, words):
        refuse(problem)
    return [word for word in words if word in vectors]


def similarity_view(vectors: KeyedVectors, choices: Choices) -> None:
    """Draw the cosine of every pair, the nearest and the farthest pair, and the odd one out."""
    words = words_entry(vectors, choices)
    if len(words) < 2:
        st.caption("Two words or more make a matrix.")
        return
    values = similarities(vectors, words)
    pairs = sorted((values[r, c], words[r], words[c]) for r in range(len(words)) for c in range(r))
    low, high = pairs[0], pairs[-1]
    show(
        matrix_chart(words, values),
        f"Most alike: {high[1]} and {high[2]}, {high[0]:.4f}. Least: {low[1]} and {low[2]}, {low[0]:.4f}.",
    )
    if len(words) > 2:
        odd = odd_one_out(vectors, words)
        st.markdown(f"**Odd one out:** {plain(odd)}, the farthest from the mean of all.")


def map_view(vectors: KeyedVectors, choices: Choices) -> None:
    """Draw the words on a flat map."""
    words = words_entry(vectors, choices)
    if len(words) < 2:
        st.caption("Two words or more make a map.")
        return
    flat = word_map(np.stack([vectors.get_vector(word, norm=True) for word in words]))
    show(
        map_chart([(word, "token") for word in words], flat.points, flat.shares),
        f"{len(words)} words in the two directions in which they differ most, {sum(flat.shares):.0%} of the variance. "
        "What lies in other directions is not seen: words that touch here may be far apart.",
    )


def gallery_view(vectors: KeyedVectors, choices: Choices) -> None:
    """Draw well-known analogies as these vectors answer them, and what they say about people."""
    told, people = try_out(vectors, TOLD), try_out(vectors, PEOPLE)
    st.subheader("Often told", anchor=False)
    if told:
        table_of(
            [
                {
                    "analogy": tried.question,
                    "inputs kept": f"{tried.kept[0]} {tried.kept[1]:.2f}",
                    "inputs struck out": f"{tried.struck[0]} {tried.struck[1]:.2f}",
                    "so": tried.verdict,
                }
                for tried in told
            ]
        )
    st.caption(f"{len(told)} of {len(TOLD)} have all their words here.")
    st.subheader("What the texts say about people", anchor=False)
    if people:
        table_of(
            [
                {
                    "question": tried.question,
                    "inputs kept": f"{tried.kept[0]} {tried.kept[1]:.2f}",
                    "inputs struck out": f"{tried.struck[0]} {tried.struck[1]:.2f}",
                }
                for tried in people
            ]
        )
    st.caption(f"{len(people)} of {len(PEOPLE)} have all their words here.")
    st.markdown(
        "No answer is right in the second table. The vectors repeat who is written about in which words, and a program "
        "built on them repeats it again (Bolukbasi et al., 2016). The usual way of asking makes it look worse than it "
        "is: with the inputs struck out, *doctor* may not be answered with *doctor*, so another word has to come "
        "(Nissim et al., 2020). With the inputs kept, see what is nearest."
    )


def questions_view(vectors: KeyedVectors, choices: Choices) -> None:
    """Ask the whole test of Mikolov et al. (2013) on demand, section by section, both ways."""
    st.markdown(
        f"{sum(map(len, sections().values())):,} questions in {len(sections())} sections, as published with word2vec: "
        f"*athens greece oslo* is to be answered with *norway*. Among the {MOST_WORDS:,} most frequent words the "
        "nearest one answers."
    )
    if not st.button("Ask them all", type="primary"):
        return
    bar = st.progress(0.0)
    scores = []
    for done, (section, questions) in enumerate(sections().items()):
        bar.progress(done / len(sections()), text=f"Section {section} …")
        scores.append(score(vectors, section, questions))
    bar.empty()
    table_of([row_of_score(one) for one in [*scores, total(scores)]])


def row_of_score(one: Score) -> dict[str, str]:
    """Return the score of one section as words for a table."""
    return {
        "section": one.section,
        "questions": f"{one.asked:,}",
        "all four words here": f"{one.covered:,} ({share(one.covered, one.asked)})",
        "solved, inputs struck out": f"{one.solved:,} ({share(one.solved, one.covered)})",
        "solved, inputs kept": f"{one.solved_with_inputs:,} ({share(one.solved_with_inputs, one.covered)})",
    }


def share(part: int, whole: int) -> str:
    """Return a share in per cent, or a dash of nothing.

    >>> share(1, 4), share(0, 0)
    ('25 %', '–')
    """
    return f"{part / whole:.0%}".replace("%", " %") if whole else "–"
