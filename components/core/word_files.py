"""Word vectors that a learner uploads: word2vec as text or binary, or GloVe's text, each plain or gzip.

Text: one row a line, a word and its D numbers separated by single spaces or tabs; word2vec's starts with a line "N D".
Words with spaces are read where the last D columns are the numbers. Nothing is unpickled or executed.
"""

import numpy as np
from gensim.models import KeyedVectors

from components.core.limits import readable_bytes
from components.core.word_checks import shown
from components.core.word_disguises import refuse_disguise
from components.core.word_gzip import open_upload
from components.core.word_layout import layout_of
from components.core.word_limits import (
    MAX_LINE_BYTES,
    MAX_UPLOAD_BYTES,
    MAX_UPLOAD_CELLS,
    MAX_UPLOAD_DIM,
    MAX_UPLOAD_WORDS,
    MAX_WORD_CHARS,
)
from components.core.word_rows import keyed_vectors, rows_of


def read_upload(data: bytes) -> KeyedVectors:
    """Return the words of a file in its order, with their vectors [N, D] as float32; the content tells the format.

    Raises ValueError, in one sentence that names the place and the repair, for whatever is wrong with the file, and for
    what is beyond the limits of uploads. A vector of zeros is accepted; it has no direction to compare.

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
    file = open_upload(data)
    head = file.read(MAX_LINE_BYTES)
    refuse_disguise(head)
    layout = layout_of(head)
    _check_size(layout.words or 1, layout.dim, "line 1")
    key_to_index: dict[str, int] = {}
    cells = bytearray()  # grows with what is there, not with what the header promises
    for word, vector in rows_of(file, layout, MAX_WORD_CHARS):
        index = len(key_to_index)
        place = layout.place(index)
        if word in key_to_index:
            first = layout.place(key_to_index[word])
            raise ValueError(f"The word {shown(word)} stands in {first} and again in {place}: leave out one of them.")
        _check_size(index + 1, layout.dim, place)
        key_to_index[word] = index
        cells += vector.tobytes()
    vectors = keyed_vectors(key_to_index, np.frombuffer(cells, np.float32).reshape(-1, layout.dim))
    _measure(vectors)
    return vectors


def _measure(vectors: KeyedVectors) -> None:
    # A vector of zeros has no direction: with a length of 1 it gets the cosine 0 with everything, instead of no number.
    with np.errstate(over="ignore"):
        vectors.fill_norms()
    if not np.isfinite(vectors.norms).all():
        word = vectors.index_to_key[int(np.argmin(np.isfinite(vectors.norms)))]
        raise ValueError(f"The vector of {shown(word)} is too long for float32 to measure: divide all numbers alike.")
    vectors.norms[vectors.norms == 0] = 1


def _check_size(words: int, dim: int, place: str) -> None:
    if dim > MAX_UPLOAD_DIM:
        raise ValueError(
            f"By {place} each word has {dim:,} numbers, and {MAX_UPLOAD_DIM:,} is the limit: upload vectors of fewer "
            f"dimensions."
        )
    limit = min(MAX_UPLOAD_WORDS, MAX_UPLOAD_CELLS // dim)
    if words > limit:
        raise ValueError(
            f"By {place} the file has {words:,} words or more, and {limit:,} is the limit with {dim:,} numbers each: "
            f"upload the first {limit:,}, which are the most frequent in most files."
        )
