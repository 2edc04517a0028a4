"""Rows of word vectors in word2vec's binary format: a word, a space, then D little-endian float32 numbers.

The original program ends every row with a line end, gensim does not: one line end before a word is left out.
"""

from collections.abc import Iterator
from io import BufferedIOBase

import numpy as np
from jaxtyping import Float32

from components.core.word_checks import read_word, shown
from components.core.word_layout import BYTES_PER_NUMBER, Layout

BLOCK_BYTES = 2**20
BYTES_PER_CHARACTER = 4  # at most, in UTF-8


def binary_rows(
    file: BufferedIOBase, layout: Layout, longest: int
) -> Iterator[tuple[str, Float32[np.ndarray, " dim"]]]:
    """Yield every word with its D numbers from `file`, which stands at the first row.

    Raises ValueError, in one sentence with the byte, for a row that is not a word of at most `longest` characters and
    D finite numbers, and for a file that ends before or goes on after the last row that the header promises.

    >>> from io import BytesIO
    >>> file, layout = BytesIO(b"king \\0\\0\\0\\x3f\\0\\0\\x80\\x3f"), Layout(binary=True, dim=2, words=1, start=0)
    >>> list(binary_rows(file, layout, longest=200))
    [('king', array([0.5, 1. ], dtype=float32))]
    """
    vector_bytes = BYTES_PER_NUMBER * layout.dim
    row_bytes = len(b"\n") + BYTES_PER_CHARACTER * longest + len(b" ") + vector_bytes
    buffer, at, before = b"", 0, layout.start  # `at` counts in the buffer, `before` are the bytes in front of it
    words = layout.words or 0
    for index in range(words):
        if len(buffer) - at < row_bytes:
            buffer, at, before = buffer[at:] + file.read(max(BLOCK_BYTES, row_bytes)), 0, before + at
        at += buffer.startswith(b"\n", at)
        space = buffer.find(b" ", at, at + BYTES_PER_CHARACTER * longest + 1)
        if space < 0 and len(buffer) - at > BYTES_PER_CHARACTER * longest:
            raise ValueError(
                f"In {layout.place(index)}, at byte {before + at:,}, no space ends {shown(buffer[at:])} within "
                f"{longest:,} characters: check that the header's dimensions are those of the file."
            )
        if space < 0 or len(buffer) < space + 1 + vector_bytes:
            raise ValueError(
                f"The file ends at byte {before + len(buffer):,} in the middle of a row, with {index:,} words read of "
                f"{words:,} promised: upload the whole file."
            )
        word = read_word(buffer[at:space], layout.place(index), before + at, longest)
        vector = np.frombuffer(buffer, "<f4", layout.dim, space + 1).astype(np.float32, copy=False)
        if not np.isfinite(vector).all():
            column = int(np.argmin(np.isfinite(vector)))
            raise ValueError(
                f"At byte {before + space + 1 + BYTES_PER_NUMBER * column:,} the word {shown(word)} has the number "
                f"{vector[column]}: give it finite numbers, or leave it out."
            )
        yield word, vector
        at = space + 1 + vector_bytes
    rest = buffer[at:] + file.read(BLOCK_BYTES)
    if rest.strip():
        raise ValueError(
            f"The header promises {words:,} words, and the file goes on after them at byte {before + at:,}: correct "
            f"the header."
        )
