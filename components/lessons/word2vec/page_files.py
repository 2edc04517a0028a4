"""Vectors that are not trained here: published ones, and those of the learner's file, for their session alone."""

from uuid import uuid4

import streamlit as st
from gensim.models import KeyedVectors

from components.base.limits import MAX_UPLOAD_BYTES, MAX_UPLOAD_CELLS, MAX_UPLOAD_DIM, MAX_UPLOAD_WORDS
from components.base.text_format import pluralize, readable_bytes
from components.lessons.word2vec.trained import open_vectors
from components.ui.blocks import show_error
from components.ui.download_offer import offer_download
from components.ui.markdown import escape_markdown
from components.vectors.session_vectors import SessionVectors
from components.vectors.sources import SOURCES


def published_or_offer(name: str) -> KeyedVectors | None:
    """Return the vectors called `name` if they are on this server; else offer to download them and return None."""
    source = SOURCES[name]
    st.caption(f"{source.note} {source.words:,} words, {source.dim} numbers each.")
    if not source.ready:
        memory, disk = readable_bytes(source.memory_bytes), readable_bytes(source.converted_bytes)
        note = f"Preparing it takes {memory} of memory, once; afterwards it takes {disk} on the disk."
        license_name = source.license or "none stated with the file"
        offer_download(source, f"{note} The file is read only as numbers and words. License: {license_name}.")
        st.caption("The vectors that are trained here need no download.")
        return None
    try:
        return open_vectors(source.target)
    except ValueError as error:
        show_error(str(error))
        return None


@st.cache_resource(scope="session", on_release=SessionVectors.end, show_spinner=False)
def _session_vectors(key: str) -> SessionVectors:
    return SessionVectors()


def session_vectors() -> SessionVectors:
    """Return the uploaded vectors of this session; Streamlit ends them as soon as its browser disconnects."""
    return _session_vectors(_uploader_key())


def _uploader_key() -> str:
    # The same key for a whole session: only then does the browser delete a replaced file from Streamlit's store.
    return st.session_state.setdefault("vectors_upload", f"vectors_{uuid4()}")


def _remove_with_file() -> None:
    # Not called when the field is empty because another page was visited.
    if st.session_state[_uploader_key()] is None:
        session_vectors().remove()


def vectors_from_uploader() -> KeyedVectors | None:
    """Render the uploader; return the vectors of this session, or None if there are none."""
    session = session_vectors()
    file = st.file_uploader(
        f"Word vectors: word2vec's text or binary format, or GloVe's text; plain or gzip; at most "
        f"{readable_bytes(MAX_UPLOAD_BYTES)}, {MAX_UPLOAD_WORDS:,} words, {MAX_UPLOAD_DIM:,} dimensions and "
        f"{MAX_UPLOAD_CELLS:,} numbers",
        key=_uploader_key(),
        on_change=_remove_with_file,
    )
    with st.container():  # always rendered, so that an error does not move what is below
        if file is not None and file.file_id != session.file_id:
            with st.spinner("Reading the file …"):
                session.read(file.file_id, file.name, file.getvalue())
        if file is not None:
            # Python may collect the state of a session long after its end: it must not contain the file until then.
            st.session_state[_uploader_key()].truncate(0)
            if session.problem:
                show_error(session.problem)
    if session.vectors is None:
        if file is None:
            st.caption(
                "No file yet: neither a link nor a reload carries one. It is read as numbers and words, nothing in it "
                "is run, and nobody else sees it."
            )
        return None
    words = pluralize(len(session.vectors), "word")
    st.caption(f"{words} of your file {escape_markdown(session.name)}, for this session alone.")
    if file is None:
        st.button("Remove these vectors", on_click=session.remove)
    return session.vectors
