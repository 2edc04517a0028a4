"""Read the word vectors that a learner uploads: word2vec's text or binary, or GloVe's text, each plain or gzip.

Their rows are checked, then gensim reads them. Nothing in an upload is unpickled or executed.
"""

from collections.abc import Iterable, Iterator
from threading import Lock

import numpy as np
from gensim.models import KeyedVectors

from components.base.text_format import readable_bytes
from components.vectors.checks import quote_raw
from components.vectors.gensim_reader import keyed_vectors, read_vectors
from components.vectors.layout import Layout, Row
from components.vectors.limits import (
    MAX_UPLOAD_BYTES,
    MAX_UPLOAD_CELLS,
    MAX_UPLOAD_DIM,
    MAX_UPLOAD_WORDS,
    MAX_WORD_CHARS,
)
from components.vectors.rows import layout_in, rows_of
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
    ValueError: In line 2, column 3, 'O.75' is not a number: write it like -0.25 or 1e-3.
    """
    if len(data) > MAX_UPLOAD_BYTES:
        size, limit = readable_bytes(len(data)), readable_bytes(MAX_UPLOAD_BYTES)
        raise ValueError(f"The file has {size} ({len(data):,} bytes), and {limit} is the limit: upload fewer words.")
    key_to_index: dict[str, int] = {}
    try:
        with _reading, open_upload(data) as file:
            layout = layout_in(file)
            _check_size(layout.words or 1, layout.dim, "line 1")
            rows = rows_of(file, layout, MAX_WORD_CHARS)
            vectors = read_vectors(_within_limits(rows, layout, key_to_index), layout)
    except OSError as error:
        raise ValueError(
            f"The server cannot write the temporary file from which an upload is read ({error.strerror}): tell whoever "
            f"runs it, or try again later."
        ) from None
    keyed = keyed_vectors(key_to_index, vectors)
    keyed.layout = layout
    _fill_norms(keyed)
    return keyed


def _within_limits(rows: Iterable[Row], layout: Layout, key_to_index: dict[str, int]) -> Iterator[Row]:
    """Yield the rows, and add their words to `key_to_index`.

    Raises ValueError if a word is repeated, or if there are more rows than an upload may have.
    """
    for index, row in enumerate(rows):
        location = layout.location(index)
        if row.word in key_to_index:
            first = layout.location(key_to_index[row.word])
            raise ValueError(
                f"The word {quote_raw(row.word)} occurs in {first} and again in {location}: remove one of them."
            )
        _check_size(index + 1, layout.dim, location)
        key_to_index[row.word] = index
        yield row


def _fill_norms(vectors: KeyedVectors) -> None:
    # A zero vector has no direction: with a norm of 1 it gets the cosine 0 with every other one, instead of NaN.
    with np.errstate(over="ignore"):
        vectors.fill_norms()
    if not np.isfinite(vectors.norms).all():
        word = vectors.index_to_key[int(np.argmin(np.isfinite(vectors.norms)))]
        raise ValueError(
            f"The vector of {quote_raw(word)} has a norm too large for float32: divide all numbers by the same factor."
        )
    vectors.norms[vectors.norms == 0] = 1


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
