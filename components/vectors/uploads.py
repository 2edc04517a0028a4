"""Read the word vectors that a learner uploads: word2vec's text or binary, or GloVe's text, each plain or gzip.

Nothing in an upload is unpickled or executed.
"""

from io import BufferedIOBase
from threading import Lock

import numpy as np
from gensim.models import KeyedVectors

from components.base.field_types import quote
from components.base.text_format import readable_bytes
from components.vectors.layout import layout_in
from components.vectors.limits import MAX_UPLOAD_BYTES, MAX_UPLOAD_CELLS, MAX_UPLOAD_DIM, MAX_UPLOAD_WORDS
from components.vectors.load import fill_norms
from components.vectors.rows import rows_of
from components.vectors.unpack import open_upload

_reading = Lock()  # one file at a time, so that the memory for reading is needed only once


def read_upload(data: bytes) -> KeyedVectors:
    """Return the words of a file in its order, with their vectors [N, D] as float32 and the `layout` of the file.

    The format is detected from the content. Raises ValueError if the file is invalid or exceeds the limits of uploads;
    the message names the location and the fix, and is shown to learners. Zero vectors are accepted; they have no
    direction to compare.

    >>> vectors = read_upload(b"2 3\\nking 0.5 0.25 1\\nqueen 0.5 0.75 1\\n")
    >>> vectors.index_to_key, vectors["queen"]
    (['king', 'queen'], array([0.5 , 0.75, 1.  ], dtype=float32))
    >>> read_upload(b"king 0.5 0.25 1\\nqueen 0.5 O.75 1\\n")
    Traceback (most recent call last):
    ValueError: In line 2 'O.75' is not a number: write it like -0.25 or 1e-3, with one space or tab before it.
    """
    if len(data) > MAX_UPLOAD_BYTES:
        size, limit = readable_bytes(len(data)), readable_bytes(MAX_UPLOAD_BYTES)
        raise ValueError(f"The file has {size} ({len(data):,} bytes), and {limit} is the limit: upload fewer words.")
    try:
        with _reading, open_upload(data) as file:
            return _read(file)
    except OSError as error:
        raise ValueError(
            f"The server cannot write the temporary file from which an upload is read ({error.strerror}): tell whoever "
            f"runs it, or try again later."
        ) from None


def _read(file: BufferedIOBase) -> KeyedVectors:
    layout = layout_in(file)
    _check_size(layout.words or 1, layout.dim, "line 1")
    key_to_index: dict[str, int] = {}
    numbers = bytearray()
    for index, (word, vector) in enumerate(rows_of(file, layout)):
        location = layout.location(index)
        if word in key_to_index:
            first = layout.location(key_to_index[word])
            raise ValueError(f"The word {quote(word)} occurs in {first} and again in {location}: remove one of them.")
        _check_size(index + 1, layout.dim, location)
        key_to_index[word] = index
        numbers += vector.tobytes()
    # add_vectors would copy the numbers.
    keyed = KeyedVectors(layout.dim)
    keyed.vectors = np.frombuffer(numbers, np.float32).reshape(-1, layout.dim)
    keyed.index_to_key, keyed.key_to_index, keyed.next_index = list(key_to_index), key_to_index, len(key_to_index)
    keyed.layout = layout
    with np.errstate(over="ignore"):
        fill_norms(keyed)
    if not np.isfinite(keyed.norms).all():
        word = keyed.index_to_key[int(np.argmin(np.isfinite(keyed.norms)))]
        raise ValueError(
            f"The vector of {quote(word)} has a norm too large for float32: divide all numbers by the same factor."
        )
    return keyed


def _check_size(words: int, dim: int, location: str) -> None:
    if dim > MAX_UPLOAD_DIM:
        raise ValueError(
            f"By {location} each word has {dim:,} numbers, and {MAX_UPLOAD_DIM:,} is the limit: upload vectors of "
            f"fewer dimensions."
        )
    limit = min(MAX_UPLOAD_WORDS, MAX_UPLOAD_CELLS // dim)
    if words > limit:
        raise ValueError(
            f"By {location} the file has {words:,} words or more, and {limit:,} is the limit with {dim:,} numbers "
            f"each: upload the first {limit:,}, which are the most frequent in most files."
        )
