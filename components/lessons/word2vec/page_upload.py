"""The learner's own word vectors: read once, stored for their session alone, and bounded for all sessions together."""

from dataclasses import dataclass, field
from threading import Lock
from uuid import uuid4

import streamlit as st
from cachetools import LRUCache
from gensim.models import KeyedVectors

from components.base.limits import MAX_UPLOADED_VECTOR_BYTES
from components.base.text_format import readable_bytes
from components.ui.blocks import show_error
from components.ui.markdown import escape_markdown
from components.ui.session import session_value
from components.vectors.limits import MAX_UPLOAD_BYTES, MAX_UPLOAD_DIM, MAX_UPLOAD_WORDS
from components.vectors.uploads import read_upload

BYTES_PER_WORD = 150  # of Python's own, for the word and its entry in the dictionary

_stored: LRUCache = LRUCache(
    MAX_UPLOADED_VECTOR_BYTES,
    getsizeof=lambda vectors: vectors.vectors.nbytes + BYTES_PER_WORD * len(vectors),
)
_lock = Lock()


@dataclass
class Upload:
    """The uploaded file of a session; a new widget key after each file makes Streamlit free its bytes."""

    key: str = field(default_factory=lambda: f"vectors_{uuid4()}")
    token: str = ""
    name: str = ""
    problem: str = ""


def session_upload() -> Upload:
    """Return the upload of this session."""
    return st.session_state.setdefault("vectors_upload", Upload())


def uploaded_vectors() -> KeyedVectors | None:
    """Render the uploader; return the vectors of this session, or None if there are none."""
    upload = session_upload()
    st.file_uploader(
        f"Word vectors: word2vec's text or binary format, or GloVe's text; plain or gzip; at most "
        f"{readable_bytes(MAX_UPLOAD_BYTES)}, {MAX_UPLOAD_WORDS:,} words and {MAX_UPLOAD_DIM:,} dimensions",
        key=upload.key,
        on_change=read_file,
        args=(upload,),
    )
    with st.container():  # always rendered, so that an error does not move what is below
        if upload.problem:
            show_error(upload.problem)
            upload.problem = ""
    with _lock:
        vectors = _stored.get(upload.token)
    if vectors is None:
        st.caption(
            "Your vectors were removed to free memory. Upload them again."
            if upload.token
            else "No file yet: neither a link nor a reload carries one. It is read as numbers and words, nothing in it "
            "is run, and nobody else sees it."
        )
        return None
    st.caption(f"{len(vectors):,} words of your file {escape_markdown(upload.name)}, for this session alone.")
    return vectors


def read_file(upload: Upload) -> None:
    """Read the uploaded file, or store the error to show, and free the bytes of the file."""
    file = session_value(upload.key)  # None if the learner removed it from its field
    if file is None:
        return
    upload.key = Upload().key
    try:
        vectors, token = read_upload(file.getvalue()), str(uuid4())
        with _lock:
            _stored[token] = vectors
    except ValueError as error:
        still = f" The vectors of {upload.name} are still in use." if upload.token else ""
        upload.problem = f"{file.name[:60]}: {error}{still}"
    else:
        upload.token, upload.name = token, file.name[:60]
