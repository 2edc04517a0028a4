"""Where the word vectors come from: trained here, fetched once, or the learner's own."""

import streamlit as st
from gensim.models import KeyedVectors

from components.core.choices import VECTORS
from components.core.link import State
from components.core.vector_sources import SOURCES
from components.ui.state import among, choice
from components.ui.word_download import fetched_vectors
from components.ui.word_training import show_training, train_here
from components.ui.word_upload import uploaded_vectors

NAMES = {
    "grammar": "Trained here, from a grammar",
    "news": "Trained here, on 300 news documents",
    "glove-wiki-gigaword-50": "GloVe, from Wikipedia and news (download)",
    "word2vec_sample": "A sample of Google News (download)",
    "word2vec-google-news-300": "All of Google News (large download)",
    "upload": "Your own file",
}


def choose_vectors(state: State) -> KeyedVectors | None:
    """Let the learner choose vectors; return them, or None where there are none yet and the page has said why."""
    st.selectbox("Vectors", VECTORS, format_func=NAMES.get, **among(VECTORS, choice("vectors")))
    name = state.choices.vectors
    if name == "upload":
        return uploaded_vectors()
    if name in SOURCES:
        return fetched_vectors(name)
    trained = train_here(state.choices)
    if trained is None:
        return None
    st.caption(f"{len(trained.vectors):,} words, each a vector of {trained.vectors.vector_size} numbers.")
    show_training(trained, state.choices)
    return trained.vectors
