"""The page of the lesson on word2vec: choose word vectors, then explore them in one of six views."""

from weakref import ref

import numpy as np
import streamlit as st
from gensim.models import KeyedVectors

from components.base.export import NamedArray
from components.base.link import State
from components.lessons.word2vec.choices import VECTORS
from components.lessons.word2vec.page_analogy import analogy_view
from components.lessons.word2vec.page_download import downloaded_vectors
from components.lessons.word2vec.page_neighbours import map_view, neighbours_view, similarity_view
from components.lessons.word2vec.page_tests import gallery_view, questions_view
from components.lessons.word2vec.page_training import show_training, train_here
from components.lessons.word2vec.page_upload import uploaded_vectors
from components.ui.download_registry import Table, register
from components.ui.quiz import predict_first
from components.ui.state import bind_choice, bind_options
from components.vectors.sources import SOURCES

VECTOR_NAMES = {
    "grammar": "Trained here, from a grammar",
    "news": "Trained here, on 300 news documents",
    "glove-wiki-gigaword-50": "GloVe, from Wikipedia and news (download)",
    "word2vec_sample": "A sample of Google News (download)",
    "word2vec-google-news-300": "All of Google News (large download)",
    "upload": "Your own file",
}
VIEWS = {
    "analogy": ("Analogy", analogy_view),
    "neighbours": ("Neighbours", neighbours_view),
    "similarity": ("Similarity", similarity_view),
    "map": ("Map", map_view),
    "gallery": ("Gallery", gallery_view),
    "questions": ("19,544 questions", questions_view),
}


def render(state: State) -> None:
    """Render the lesson from top to bottom."""
    predict_first()
    vectors = choose_vectors(state)
    if vectors is None:
        return
    shown = ref(vectors)  # a weak reference: evicted vectors are freed
    register(lambda: word_export(shown()))
    labels = {name: label for name, (label, _) in VIEWS.items()}
    st.segmented_control(
        "View", list(labels), format_func=labels.get, required=True, **bind_choice("view", default="default")
    )
    _, view = VIEWS[state.choices.view]
    view(vectors, state.choices)


def choose_vectors(state: State) -> KeyedVectors | None:
    """Render the choice of vectors; return them, or None if there are none yet and the page shows why."""
    st.selectbox("Vectors", VECTORS, format_func=VECTOR_NAMES.get, **bind_options(VECTORS, bind_choice("vectors")))
    name = state.choices.vectors
    if name == "upload":
        return uploaded_vectors()
    if name in SOURCES:
        return downloaded_vectors(name)
    trained = train_here(state.choices)
    if trained is None:
        return None
    st.caption(f"{len(trained.vectors):,} words, each a vector of {trained.vectors.vector_size} numbers.")
    show_training(trained, state.choices)
    return trained.vectors


def word_export(vectors: KeyedVectors | None) -> dict[str, NamedArray | Table]:
    """Return the vectors and their words, for files."""
    if vectors is None:
        return {}
    words = [{"row": row, "word": word} for row, word in enumerate(vectors.index_to_key)]
    return {"vectors": NamedArray(np.asarray(vectors.vectors), ("row", "d")), "words": words}
