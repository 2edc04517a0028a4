"""Load vectors that are trusted: a file that gensim reads, or a folder that `convert` made, which is memory-mapped."""

import pickle
from pathlib import Path

import numpy as np
from gensim.models import KeyedVectors
from gensim.utils import open as open_unpacked

from components.base.field_types import quote
from components.vectors.layout import layout_in

SUFFIX = ".kv"
NATIVE_FILE = "vectors.kv"
ROWS_PER_BLOCK = 10_000


def load_vectors(path: str | Path) -> KeyedVectors:
    """Return the vectors in `path`: word2vec's text or binary, GloVe's text, plain or .gz, or a folder by `convert`.

    The name of a folder ends in .kv. Its arrays are memory-mapped read-only, shared by sessions and processes. Its
    words are a pickle, which can execute code: load only what this app wrote itself, never an upload. Raises ValueError
    if a folder is damaged or a file has none of the formats; the message is shown to learners. Errors in the rows of a
    file are those of gensim.
    """
    path = Path(path)
    if path.suffix == SUFFIX:
        try:
            return KeyedVectors.load(str(path / NATIVE_FILE), mmap="r")
        except (ValueError, EOFError, OSError, AttributeError, ImportError, pickle.UnpicklingError) as error:
            problem = f"{quote(path.name)} is damaged ({type(error).__name__})"
            raise ValueError(f"{problem}: delete it, and download it again.") from None
    with open_unpacked(str(path), "rb") as file:
        layout = layout_in(file)
    return read_by_gensim(str(path), layout.binary, no_header=layout.words is None)


def read_by_gensim(file: str | int, binary: bool, no_header: bool = False) -> KeyedVectors:
    """Return the vectors in a file, a path or a descriptor, with their norms; of a repeated word the first row counts.

    Raises what gensim raises.
    """
    vectors = KeyedVectors.load_word2vec_format(file, binary=binary, no_header=no_header)
    # For every repeated word gensim leaves a word None and a zero vector at the end.
    del vectors.index_to_key[vectors.next_index :]
    vectors.vectors = vectors.vectors[: vectors.next_index]
    fill_norms(vectors)
    return vectors


def fill_norms(vectors: KeyedVectors) -> None:
    """Store the norm of each vector; a zero vector gets 1, so that its cosine with every other one is 0, not NaN."""
    # gensim's fill_norms squares all vectors at once, which takes as much memory again as they do.
    starts = range(0, len(vectors), ROWS_PER_BLOCK)
    blocks = [np.linalg.norm(vectors.vectors[start : start + ROWS_PER_BLOCK], axis=1) for start in starts]
    vectors.norms = np.concatenate(blocks)
    vectors.norms[vectors.norms == 0] = 1
