"""Published vectors: the offer to download them, and the vectors, opened once for all sessions."""

import streamlit as st
from gensim.models import KeyedVectors

from components.base.text_format import readable_bytes
from components.lessons.word2vec.trained import open_vectors
from components.ui.blocks import show_error
from components.ui.download_offer import offer_download
from components.vectors.sources import SOURCES


def downloaded_vectors(name: str) -> KeyedVectors | None:
    """Return the vectors called `name` if they are on this server; else offer to download them and return None."""
    source = SOURCES[name]
    st.caption(f"{source.note} {source.words:,} words, {source.dim} numbers each.")
    if not source.ready:
        note = f"{readable_bytes(source.converted_bytes)} on the disk afterwards, only ever read as numbers and words."
        offer_download(source, f"{note} Licence: {source.licence or 'none stated with the file'}.")
        st.caption("The vectors that are trained here need no download.")
        return None
    try:
        return open_vectors(source.target)
    except ValueError as error:
        show_error(str(error))
        return None
