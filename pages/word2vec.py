"""Word2vec: vectors that have learned, and what analogies say when nothing is struck out."""

import streamlit as st

from components.ui.blocks import predict
from components.ui.frame import frame
from components.ui.state import choice
from components.ui.word_analogy import analogy_view
from components.ui.word_exams import gallery_view, questions_view
from components.ui.word_sources import choose_vectors
from components.ui.word_views import map_view, neighbours_view, similarity_view

VIEWS = {
    "analogy": ("Analogy", analogy_view),
    "neighbours": ("Neighbours", neighbours_view),
    "similarity": ("Similarity", similarity_view),
    "map": ("Map", map_view),
    "gallery": ("Gallery", gallery_view),
    "questions": ("19,544 questions", questions_view),
}


def lesson(state):
    """Tell the lesson from top to bottom."""
    predict(
        "In real vectors: which word is nearest to king − man + woman, when nothing is struck out?",
        "**king** itself, as a rule. In the thousand words of a well-known demonstration (word2vecjson) its cosine is "
        "0.80, and *queen* has 0.55. Demonstrations strike the three inputs out of the answers and do not say so. Here "
        "you see both.",
    )
    vectors = choose_vectors(state)
    if vectors is None:
        return
    names = {name: label for name, (label, _) in VIEWS.items()}
    st.segmented_control("Ask", list(names), format_func=names.get, required=True, **choice("view", default="default"))
    VIEWS[state.choices.view][1](vectors, state.choices)


with frame("word2vec", settings=False) as state:
    lesson(state)
