"""Word vectors put to the test: a gallery of well-known analogies, and the 19,544 published questions."""

import streamlit as st
from gensim.models import KeyedVectors

from components.core.analogy_gallery import PEOPLE, TOLD, Tried, try_out
from components.core.analogy_questions import MOST_WORDS, Score, score, sections, totals
from components.core.choices import Choices
from components.ui.blocks import table_of
from components.ui.learner import session
from components.ui.word_training import training_key
from components.ui.word_upload import session_upload


def gallery_view(vectors: KeyedVectors, choices: Choices) -> None:
    """Draw well-known analogies as these vectors answer them, and what they say about people."""
    told, people = try_out(vectors, TOLD), try_out(vectors, PEOPLE)
    st.header("Analogies that are often shown", anchor=False)
    if told:
        table_of([row_of(tried) | {"verdict": tried.verdict} for tried in told])
    st.caption(f"{len(told)} of {len(TOLD)} have all their words here.")
    st.header("What the texts say about people", anchor=False)
    if not people:
        st.caption(f"None of these {len(PEOPLE)} questions has all its words here; vectors of real texts have them.")
        return
    table_of([row_of(tried) for tried in people])
    st.caption(f"{len(people)} of {len(PEOPLE)} have all their words here.")
    st.markdown(
        "No answer is right in this table. The vectors repeat who is written about in which words, and a program built "
        "on them repeats it again (Bolukbasi et al., 2016). The usual way of asking makes it look worse than it is: "
        "with the inputs struck out, *doctor* may not be answered with *doctor*, so another word has to come (Nissim "
        "et al., 2020)."
    )


def row_of(tried: Tried) -> dict[str, str]:
    """Return one analogy of the gallery as words for a table."""
    return {
        "question": tried.question,
        "inputs kept": f"{tried.kept[0]} {tried.kept[1]:.2f}",
        "inputs struck out": f"{tried.struck[0]} {tried.struck[1]:.2f}",
    }


def questions_view(vectors: KeyedVectors, choices: Choices) -> None:
    """Ask the whole test of Mikolov et al. (2013) on demand, section by section, both ways; keep the answers."""
    st.markdown(
        f"{sum(map(len, sections().values())):,} questions in {len(sections())} sections, as published with word2vec: "
        f"*athens greece oslo* is to be answered with *norway*. The nearest of the {MOST_WORDS:,} most frequent words "
        "answers."
    )
    key = (*training_key(choices), session_upload().token)  # of these vectors, whatever is asked of them
    pressed = st.button("Ask them all", type="primary")
    with st.container():  # always there: the bar comes and goes
        if pressed:
            session.exam = (key, sit(vectors))
    if "exam" in session and session.exam[0] == key:
        scores = session.exam[1]
        table_of([row_of_score(one) for one in [*scores, *totals(scores)]])
        st.caption("Shares: of the questions of a section, those with all four words here; of those, the solved ones.")


def sit(vectors: KeyedVectors) -> list[Score]:
    """Ask section by section, with a bar that moves."""
    bar, scores = st.progress(0.0), []
    for done, (section, questions) in enumerate(sections().items()):
        bar.progress(done / len(sections()), text=f"Section {section} …")
        scores.append(score(vectors, section, questions))
    bar.empty()
    return scores


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
