"""Load the folder of vectors that `convert` made, memory-mapped; store the norms of vectors."""

import pickle
from pathlib import Path

import numpy as np
from gensim.models import KeyedVectors

from components.base.field_types import quote

SUFFIX = ".kv"
NATIVE_FILE = "vectors.kv"
ROWS_PER_BLOCK = 10_000


def load_vectors(folder: Path) -> KeyedVectors:
    """Return the vectors in a folder by `convert`, mapped read-only: sessions and processes share their memory.

    The words are a pickle, which can execute code: load only what this app wrote itself, never an upload. Raises
    ValueError if the folder is damaged; the message is shown to learners.
    """
    try:
        return KeyedVectors.load(str(folder / NATIVE_FILE), mmap="r")
    except (ValueError, EOFError, OSError, AttributeError, ImportError, pickle.UnpicklingError) as error:
        problem = f"{quote(folder.name)} is damaged ({type(error).__name__})"
        raise ValueError(f"{problem}: delete it, and download it again.") from None


def fill_norms(vectors: KeyedVectors) -> None:
    """Store the norm of each vector; a zero vector gets 1, so that its cosine with every other one is 0, not NaN.

    >>> vectors = KeyedVectors(2)
    >>> vectors.add_vectors(["king", "<pad>"], np.array([[3, 4], [0, 0]], dtype=np.float32))
    >>> fill_norms(vectors)
    >>> vectors.norms.tolist()
    [5.0, 1.0]
    """
    # gensim's fill_norms squares all vectors at once, which takes as much memory again as they do.
    starts = range(0, len(vectors), ROWS_PER_BLOCK)
    blocks = [np.linalg.norm(vectors.vectors[start : start + ROWS_PER_BLOCK], axis=1) for start in starts]
    vectors.norms = np.concatenate(blocks)
    vectors.norms[vectors.norms == 0] = 1
