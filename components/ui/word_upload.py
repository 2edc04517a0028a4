"""The learner's own word vectors: read once, kept for their session alone, and bounded for all sessions together."""

from dataclasses import dataclass, field
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
from components.ui.learner import known, session
from components.ui.markdown import plain

BYTES_PER_WORD = 150  # of Python's own, for the word and its place in the dictionary

_kept: LRUCache = LRUCache(
    MAX_UPLOADED_VECTOR_BYTES,
    getsizeof=lambda vectors: vectors.vectors.nbytes + BYTES_PER_WORD * len(vectors),
)
_lock = Lock()


@dataclass
class Upload:
    """What a session knows of its file: a new key after every one, so that browser and Streamlit forget it."""

    key: str = field(default_factory=lambda: f"vectors_{uuid4()}")
    token: str = ""
    name: str = ""
    problem: str = ""


def session_upload() -> Upload:
    """Return what this session knows of its file."""
    return session.setdefault("vectors_upload", Upload())


def uploaded_vectors() -> KeyedVectors | None:
    """Draw the upload; return the vectors of this session, or None where there are none."""
    upload = session_upload()
    st.file_uploader(
        f"Word vectors: word2vec's text or binary format, or GloVe's text; plain or gzip; at most "
        f"{readable_bytes(MAX_UPLOAD_BYTES)}, {MAX_UPLOAD_WORDS:,} words and {MAX_UPLOAD_DIM:,} dimensions",
        key=upload.key,
        on_change=read_file,
        args=(upload,),
    )
    with st.container():  # always there, so that a refusal does not move what stands below
        if upload.problem:
            refuse(upload.problem)
            upload.problem = ""
    with _lock:
        vectors = _kept.get(upload.token)
    if vectors is None:
        st.caption(
            "Your vectors had to make room for those of others: upload them again."
            if upload.token
            else "No file yet: neither a link nor a reload carries one. It is read as numbers and words, nothing in it "
            "is run, and nobody else sees it."
        )
        return None
    st.caption(f"{len(vectors):,} words of your file {plain(upload.name)}, for this session alone.")
    return vectors


def read_file(upload: Upload) -> None:
    """Read the file that has just arrived, or say what is wrong with it, and let go of its bytes."""
    file = known(upload.key)  # none where it was taken out of its field again
    if file is None:
        return
    upload.key = Upload().key
    try:
        vectors, token = read_upload(file.getvalue()), str(uuid4())
        with _lock:
            _kept[token] = vectors
    except ValueError as error:
        still = f" The vectors of {upload.name} are still in use." if upload.token else ""
        upload.problem = f"{file.name[:60]}: {error}{still}"
    else:
        upload.token, upload.name = token, file.name[:60]
    finally:
        context = get_script_run_ctx()
        context.uploaded_file_mgr.remove_file(context.session_id, file.file_id)
