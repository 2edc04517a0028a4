"""Tests of word vectors: a gallery of well-known analogies, and the 19,544 published questions."""

import streamlit as st
from gensim.models import KeyedVectors

from components.lessons.word2vec.choices import Choices
from components.lessons.word2vec.page_upload import session_vectors
from components.lessons.word2vec.trained import training_key
from components.ui.blocks import show_table
from components.vectors.analogy_gallery import AnalogyResult, run_analogies
from components.vectors.analogy_lists import PEOPLE, POPULAR_ANALOGIES
from components.vectors.analogy_questions import MAX_WORDS, Score, score, sections, totals


def gallery_view(vectors: KeyedVectors, choices: Choices) -> None:
    """Show the answers of these vectors to well-known analogies, and to analogies about people."""
    popular, people = run_analogies(vectors, POPULAR_ANALOGIES), run_analogies(vectors, PEOPLE)
    st.header("Analogies that are often shown", anchor=False)
    if popular:
        show_table([result_row(result) | {"verdict": result.verdict} for result in popular])
    st.caption(f"{len(popular)} of {len(POPULAR_ANALOGIES)} have all their words in this vocabulary.")
    st.header("What the texts say about people", anchor=False)
    if not people:
        st.caption(
            f"None of these {len(PEOPLE)} questions has all its words in this vocabulary; vectors of real texts have."
        )
        return
    show_table([result_row(result) for result in people])
    st.caption(f"{len(people)} of {len(PEOPLE)} have all their words in this vocabulary.")
    st.markdown(
        "No answer in this table is correct. The vectors repeat who is written about in which words, and a program "
        "built on them repeats it again (Bolukbasi et al., 2016). Excluded input words make it look worse than it is: "
        "*doctor* cannot be answered with *doctor* then, so another word has to come (Nissim et al., 2020)."
    )


def result_row(result: AnalogyResult) -> dict[str, str]:
    """Return one analogy of the gallery as a row of a table."""
    return {
        "question": result.question,
        "inputs included": f"{result.included[0]} {result.included[1]:.2f}",
        "inputs excluded": f"{result.excluded[0]} {result.excluded[1]:.2f}",
    }


def questions_view(vectors: KeyedVectors, choices: Choices) -> None:
    """Run the analogy test of Mikolov et al. (2013) on demand, with input words included and excluded."""
    st.markdown(
        f"{sum(map(len, sections().values())):,} questions in {len(sections())} sections, as published with word2vec: "
        f"the answer to *athens greece oslo* is *norway*. The nearest of the {MAX_WORDS:,} most frequent words "
        "is the answer."
    )
    key = (*training_key(choices), session_vectors().vectors_id)  # of these vectors, whatever the view
    pressed = st.button("Run all questions", type="primary")
    with st.container():  # always rendered, so that the progress bar does not move what is below
        if pressed:
            st.session_state.analogy_test = (key, run_analogy_test(vectors))
    if "analogy_test" in st.session_state and st.session_state.analogy_test[0] == key:
        scores = st.session_state.analogy_test[1]
        show_table([score_row(each) for each in [*scores, *totals(scores)]])
        st.caption("Covered: questions of a section with all four words in this vocabulary. Correct: a share of those.")


def run_analogy_test(vectors: KeyedVectors) -> list[Score]:
    """Run the test section by section, with a progress bar."""
    bar, scores = st.progress(0.0), []
    for done, (section, questions) in enumerate(sections().items()):
        bar.progress(done / len(sections()), text=f"Section {section} …")
        scores.append(score(vectors, section, questions))
    bar.empty()
    return scores


def score_row(result: Score) -> dict[str, str]:
    """Return the score of one section as a row of a table."""
    with_inputs = result.correct_with_inputs
    return {
        "section": result.section,
        "questions": f"{result.questions:,}",
        "covered": f"{result.covered:,} ({share(result.covered, result.questions)})",
        "correct, inputs excluded": f"{result.correct:,} ({share(result.correct, result.covered)})",
        "correct, inputs included": f"{with_inputs:,} ({share(with_inputs, result.covered)})",
    }


def share(part: int, whole: int) -> str:
    """Return a share in per cent, or a dash if the whole is 0.

    >>> share(1, 4), share(0, 0)
    ('25 %', '–')
    """
    return f"{part / whole:.0%}".replace("%", " %") if whole else "–"
