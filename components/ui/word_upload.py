"""The learner's own word vectors: read once, kept for their session alone, and bounded for all sessions together."""

from threading import Lock
from uuid import uuid4

import streamlit as st
from cachetools import LRUCache
from gensim.models import KeyedVectors
from streamlit.runtime.scriptrunner import get_script_run_ctx

from components.core.limits import MAX_UPLOADED_VECTOR_BYTES, readable_bytes
from components.core.word_files import read_upload
from components.core.word_limits import MAX_UPLOAD_BYTES, MAX_UPLOAD_DIM, MAX_UPLOAD_WORDS
from components.ui.blocks import refuse
from components.ui.markdown import plain
from components.ui.state import session

BYTES_PER_WORD = 150  # of Python's own, for the word and its place in the dictionary

_kept: LRUCache = LRUCache(
    MAX_UPLOADED_VECTOR_BYTES,
    getsizeof=lambda vectors: vectors.vectors.nbytes + BYTES_PER_WORD * len(vectors),
)
_lock = Lock()


def uploaded_vectors() -> KeyedVectors | None:
    """Draw the upload; return the vectors of this session, or None where there are none."""
    number = session.setdefault("uploads", 0)
    # A new key after every file: the browser then forgets the file, and so does Streamlit.
    st.file_uploader(
        f"Word vectors: word2vec's text or binary format, or GloVe's text; plain or gzip; at most "
        f"{readable_bytes(MAX_UPLOAD_BYTES)}, {MAX_UPLOAD_WORDS:,} words and {MAX_UPLOAD_DIM:,} dimensions",
        key=f"vectors_{number}",
        on_change=read_file,
        args=(f"vectors_{number}",),
    )
    with st.container():  # always there, so that a refusal does not move what stands below
        if problem := session.pop("upload_problem", None):
            refuse(problem)
    with _lock:
        vectors = _kept.get(session.get("upload_token"))
    if vectors is None:
        lost = "upload_token" in session
        st.caption(
            "Your vectors had to make room for those of others: upload them again."
            if lost
            else "No file yet: neither a link nor a reload carries one. It is read as numbers and words, nothing in it "
            "is run, and nobody else sees it."
        )
        return None
    st.caption(f"{len(vectors):,} words of your file {plain(session.upload_name)}, for this session alone.")
    return vectors


def read_file(key: str) -> None:
    """Read the file that has just arrived, or say what is wrong with it, and let go of its bytes."""
    file = session[key]
    if file is None:
        return
    session.uploads += 1
    try:
        vectors = read_upload(file.getvalue())
        token = str(uuid4())
        with _lock:
            _kept[token] = vectors
    except ValueError as error:
        still = f" The vectors of {session.upload_name} are still in use." if "upload_token" in session else ""
        session.upload_problem = f"{file.name[:60]}: {error}{still}"
    else:
        session.upload_token, session.upload_name = token, file.name[:60]
    finally:
        context = get_script_run_ctx()
        if context is not None:
            context.uploaded_file_mgr.remove_file(context.session_id, file.file_id)
