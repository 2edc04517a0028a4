"""Read the rows of a vector file in any format, and create gensim's KeyedVectors from words and vectors."""

from collections.abc import Iterator
from io import BufferedIOBase

import numpy as np
from gensim.models import KeyedVectors
from jaxtyping import Float32

from components.vectors.binary_format import binary_rows
from components.vectors.layout import Layout
from components.vectors.text_format import text_rows


def rows_of(file: BufferedIOBase, layout: Layout, max_chars: int) -> Iterator[tuple[str, Float32[np.ndarray, " dim"]]]:
    """Yield every word of `file` with its D numbers. Raises ValueError if a row is invalid.

    >>> from io import BytesIO
    >>> file = BytesIO(b"2 1\\nking 1\\nqueen 2\\n")
    >>> [word for word, _ in rows_of(file, Layout(False, 1, 2, start=4), max_chars=200)]
    ['king', 'queen']
    """
    file.seek(layout.start)
    return (binary_rows if layout.binary else text_rows)(file, layout, max_chars)


def keyed_vectors(key_to_index: dict[str, int], vectors: Float32[np.ndarray, "rows dim"]) -> KeyedVectors:
    """Return KeyedVectors of the words in `key_to_index` with the rows [N, D] as vectors, without copying.

    >>> keyed_vectors({"king": 0, "queen": 1}, np.eye(2, dtype=np.float32))["queen"]
    array([0., 1.], dtype=float32)
    """
    keyed = KeyedVectors(vectors.shape[1])
    keyed.key_to_index = key_to_index
    keyed.index_to_key = list(key_to_index)
    keyed.next_index = len(key_to_index)
    keyed.vectors = vectors
    keyed.lifecycle_events = None  # prevents gensim from recording the time and the machine
    return keyed
