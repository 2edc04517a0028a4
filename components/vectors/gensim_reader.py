"""Let gensim read checked rows, a block at a time, and check the words and numbers that it returns."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from tempfile import TemporaryFile

import numpy as np
from gensim.models import KeyedVectors
from jaxtyping import Float32

from components.vectors.checks import quote_raw
from components.vectors.layout import BYTES_PER_NUMBER, SPACE_IN_WORD, Layout, Row

BLOCK_CELLS = 2**17  # 0.5 MB as float32
SPACE_READ = SPACE_IN_WORD.decode("utf-8", "surrogateescape")


def read_vectors(rows: Iterable[Row], layout: Layout) -> Float32[np.ndarray, "rows dim"]:
    """Return the vectors of `rows`, whose words are all different, as gensim reads them. Raises as `read_blocks` does.

    >>> rows = [Row("king", b"king 0.5 1\\n", 1), Row("at home", b"at\\xffhome 2 3e-1\\n", 2)]
    >>> read_vectors(rows, Layout(binary=False, dim=2, words=None, start=0)).tolist()
    [[0.5, 1.0], [2.0, 0.30000001192092896]]
    """
    numbers = bytearray()
    for block in read_blocks(rows, layout):
        numbers += block.tobytes()
    return np.frombuffer(numbers, np.float32).reshape(-1, layout.dim)


def read_blocks(rows: Iterable[Row], layout: Layout) -> Iterator[Float32[np.ndarray, "rows dim"]]:
    """Yield the vectors of `rows` in blocks, so that little of the file is in memory.

    Raises ValueError if a number is not finite as float32; the message contains the line or the byte and is shown to
    learners. Raises OSError if a temporary file cannot be written.
    """
    rest = iter(rows)
    while block := list(islice(rest, max(1, BLOCK_CELLS // layout.dim))):
        read = _read_block(block, layout)
        if [word.replace(SPACE_READ, " ") for word in read.index_to_key] != [row.word for row in block]:
            raise ValueError("gensim reads other words than the file has: save it again with gensim, and take that.")
        finite = np.isfinite(read.vectors)
        if not finite.all():
            index, column = np.argwhere(~finite)[0].tolist()
            raise ValueError(_not_finite(block[index], column, read.vectors[index, column], layout))
        yield read.vectors


def _read_block(block: Sequence[Row], layout: Layout) -> KeyedVectors:
    with TemporaryFile() as file, np.errstate(over="ignore"):
        file.write(b"%d %d\n" % (len(block), layout.dim))
        file.writelines(row.content for row in block)
        file.seek(0)
        return KeyedVectors.load_word2vec_format(file.fileno(), binary=layout.binary, unicode_errors="surrogateescape")


def _not_finite(row: Row, column: int, number: np.float32, layout: Layout) -> str:
    if layout.binary:
        byte = row.position + BYTES_PER_NUMBER * column
        return (
            f"At byte {byte:,} the word {quote_raw(row.word)} has the number {number}: give it finite numbers, or "
            f"remove it."
        )
    text = row.content.split(b" ")[column + 1].strip()
    return (
        f"In line {row.position:,}, column {column + 2:,}, {quote_raw(text)} is not a finite float32 number: give the "
        f"word {quote_raw(row.word)} finite numbers, or remove it."
    )


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
