"""Word2vec: vectors that have learned, and what analogies say when nothing is struck out."""

from weakref import ref

import streamlit as st

from components.ui.frame import frame


def word_table(vectors):
    """Return the vectors and their words, for files."""
    if vectors is None:
        return {}
    words = [{"row": row, "word": word} for row, word in enumerate(vectors.index_to_key)]
    return {"vectors": Named(np.asarray(vectors.vectors), ("row", "d")), "words": words}


def lesson(state):
    """Tell the lesson from top to bottom."""
    predict_first()
    vectors = choose_vectors(state)
    if vectors is None:
        return
    shown = ref(vectors)  # what had to make room for others is not held on to
    offer(lambda: word_table(shown()))
    views = {
        "analogy": ("Analogy", analogy_view),
        "neighbours": ("Neighbours", neighbours_view),
        "similarity": ("Similarity", similarity_view),
        "map": ("Map", map_view),
        "gallery": ("Gallery", gallery_view),
        "questions": ("19,544 questions", questions_view),
    }
    names = {name: label for name, (label, _) in views.items()}
    st.segmented_control("Ask", list(names), format_func=names.get, required=True, **choice("view", default="default"))
    views[state.choices.view][1](vectors, state.choices)


with frame("word2vec", settings=False) as state:
    import numpy as np

    from components.core.tensors import Named
    from components.ui.checks import predict_first
    from components.ui.offers import offer
    from components.ui.state import choice
    from components.ui.word_analogy import analogy_view
    from components.ui.word_exams import gallery_view, questions_view
    from components.ui.word_sources import choose_vectors
    from components.ui.word_views import map_view, neighbours_view, similarity_view

    lesson(state)
