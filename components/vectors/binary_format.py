"""Check rows in word2vec's binary format: a word, a space, then D little-endian float32 numbers.

The original program writes a newline after every row, gensim does not: one newline before a word is skipped.
"""

from collections.abc import Iterator
from io import BufferedIOBase

from components.vectors.checks import quote_raw, read_word
from components.vectors.layout import BYTES_PER_NUMBER, Layout, Row

BLOCK_BYTES = 2**20
BYTES_PER_CHARACTER = 4  # the maximum in UTF-8


def binary_rows(file: BufferedIOBase, layout: Layout, max_chars: int) -> Iterator[Row]:
    """Yield every row of `file`, which is positioned at the first one; the value of the numbers is not checked.

    Raises ValueError if a row is not a word of at most `max_chars` characters and D numbers, or if the number of rows
    differs from the header. The message contains the byte offset and is shown to learners.

    >>> from io import BytesIO
    >>> file, layout = BytesIO(b"king \\0\\0\\0\\x3f\\0\\0\\x80\\x3f"), Layout(binary=True, dim=2, words=1, start=0)
    >>> list(binary_rows(file, layout, max_chars=200))
    [Row(word='king', content=b'king \\x00\\x00\\x00?\\x00\\x00\\x80?', position=5)]
    """
    vector_bytes = BYTES_PER_NUMBER * layout.dim
    row_bytes = len(b"\n") + BYTES_PER_CHARACTER * max_chars + len(b" ") + vector_bytes
    buffer, at, offset = b"", 0, layout.start  # `at` is an index in the buffer, `offset` its first byte in the file
    words = layout.words or 0
    for index in range(words):
        if len(buffer) - at < row_bytes:
            buffer, at, offset = buffer[at:] + file.read(max(BLOCK_BYTES, row_bytes)), 0, offset + at
        at += buffer.startswith(b"\n", at)
        space = buffer.find(b" ", at, at + BYTES_PER_CHARACTER * max_chars + 1)
        if space < 0 and len(buffer) - at > BYTES_PER_CHARACTER * max_chars:
            raise ValueError(
                f"In {layout.location(index)}, at byte {offset + at:,}, no space ends {quote_raw(buffer[at:])} within "
                f"{max_chars:,} characters: check that the header's dimensions are those of the file."
            )
        if space < 0 or len(buffer) < space + 1 + vector_bytes:
            raise ValueError(
                f"The file ends at byte {offset + len(buffer):,} in the middle of a row, with {index:,} words read of "
                f"{words:,} in the header: upload the whole file."
            )
        word = read_word(buffer[at:space], layout.location(index), offset + at, max_chars)
        start, at = at, space + 1 + vector_bytes
        yield Row(word, buffer[start:at], offset + space + 1)
    rest = buffer[at:] + file.read(BLOCK_BYTES)
    if rest.strip():
        raise ValueError(
            f"The header states {words:,} words, and the file goes on after them at byte {offset + at:,}: correct "
            f"the header."
        )
