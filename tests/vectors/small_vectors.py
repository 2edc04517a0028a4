"""Small word vectors for tests."""

from collections.abc import Sequence

import numpy as np
from gensim.models import KeyedVectors


def keyed(words: Sequence[str], rows: Sequence) -> KeyedVectors:
    """Return vectors with these rows [words, D]."""
    vectors = KeyedVectors(len(rows[0]))
    vectors.add_vectors([*words], np.asarray(rows, dtype=np.float32))
    return vectors
