"""Rows of word vectors in any format, and gensim's KeyedVectors made of them."""

from collections.abc import Iterator
from io import BufferedIOBase

import numpy as np
from gensim.models import KeyedVectors
from jaxtyping import Float32

from components.core.word_binary import binary_rows
from components.core.word_layout import Layout
from components.core.word_text import text_rows


def rows_of(file: BufferedIOBase, layout: Layout, longest: int) -> Iterator[tuple[str, Float32[np.ndarray, " dim"]]]:
    """Yield every word of `file` with its D numbers, from the first row on; raises ValueError as the formats do.

    >>> from io import BytesIO
    >>> [word for word, _ in rows_of(BytesIO(b"2 1\\nking 1\\nqueen 2\\n"), Layout(False, 1, 2, start=4), longest=200)]
    ['king', 'queen']
    """
    file.seek(layout.start)
    return (binary_rows if layout.binary else text_rows)(file, layout, longest)


def keyed_vectors(key_to_index: dict[str, int], vectors: Float32[np.ndarray, "rows dim"]) -> KeyedVectors:
    """Return KeyedVectors of the words in `key_to_index`, whose vectors are the rows [N, D]; nothing is copied.

    >>> keyed_vectors({"king": 0, "queen": 1}, np.eye(2, dtype=np.float32))["queen"]
    array([0., 1.], dtype=float32)
    """
    keyed = KeyedVectors(vectors.shape[1])
    keyed.key_to_index = key_to_index
    keyed.index_to_key = list(key_to_index)
    keyed.next_index = len(key_to_index)
    keyed.vectors = vectors
    keyed.lifecycle_events = None  # keeps gensim from noting the time and the machine
    return keyed
