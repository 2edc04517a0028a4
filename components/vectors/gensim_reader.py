"""Let gensim read checked rows from a temporary file, and check the words and numbers that it returns."""

import os
from array import array
from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from gensim.models import KeyedVectors
from jaxtyping import Float32

from components.vectors.checks import quote_raw
from components.vectors.layout import BYTES_PER_NUMBER, SPACE_IN_WORD, Layout, Row

HEADER = b"%12d %12d\n"  # of a fixed length: the number of rows is written when they have been counted
SPACE_READ = SPACE_IN_WORD.decode("utf-8", "surrogateescape")


def read_rows(
    rows: Iterable[Row], layout: Layout, folder: Path | None = None
) -> tuple[list[str], Float32[np.ndarray, "rows dim"]]:
    """Return the words of `rows`, all different, and their vectors as gensim reads them from a temporary file.

    The file is in `folder`, or in the system's folder for such files, and is deleted in any case. Raises ValueError if
    a number is not finite as float32; the message contains the line or the byte and is shown to learners. Raises
    OSError if the file cannot be written.

    >>> rows = [Row("king", b"king 0.5 1\\n", 1), Row("at home", b"at\\xffhome 2 3e-1\\n", 2)]
    >>> words, vectors = read_rows(rows, Layout(binary=False, dim=2, words=None, start=0))
    >>> words, vectors.tolist()
    (['king', 'at home'], [[0.5, 1.0], [2.0, 0.30000001192092896]])
    """
    words: list[str] = []
    positions = array("q")
    with TemporaryDirectory(prefix="vectors-", dir=folder, ignore_cleanup_errors=True) as work:
        path = Path(work, "rows")
        with path.open("wb") as file:
            file.write(HEADER % (0, layout.dim))
            for word, content, position in rows:
                file.write(content)
                words.append(word)
                positions.append(position)
            file.seek(0)
            file.write(HEADER % (len(words), layout.dim))
        if not words:
            return words, np.empty((0, layout.dim), dtype=np.float32)
        with np.errstate(over="ignore"):
            read = KeyedVectors.load_word2vec_format(
                os.fspath(path), binary=layout.binary, unicode_errors="surrogateescape"
            )
        if [word.replace(SPACE_READ, " ") for word in read.index_to_key] != words:
            raise ValueError("gensim reads other words than the file has: save it again with gensim, and take that.")
        finite = np.isfinite(read.vectors)
        if not finite.all():
            row, column = (int(index) for index in np.argwhere(~finite)[0])
            number = read.vectors[row, column]
            word, position = quote_raw(words[row]), positions[row]
            if layout.binary:
                byte = position + BYTES_PER_NUMBER * column
                raise ValueError(
                    f"At byte {byte:,} the word {word} has the number {number}: give it finite numbers, or remove it."
                )
            with path.open("rb") as file:
                text = next(islice(file, row + 1, None)).split(b" ")[column + 1].strip()
            raise ValueError(
                f"In line {position:,}, column {column + 2:,}, {quote_raw(text)} is not a finite float32 number: give "
                f"the word {word} finite numbers, or remove it."
            )
    return words, read.vectors


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
