"""Check rows of word vectors as text: a word, then its numbers, separated by single spaces or tabs.

The last D columns of a row are its numbers, everything before them is the word: a few files have words with spaces
("at name@domain.com"). Such a word must not end in a number, because then the row has one number too many. Spaces and
tabs at the end of a row, and empty lines at the end of the file, are ignored. gensim takes none of this but single
spaces and words without them, so each row is rewritten for it.
"""

import re
from collections.abc import Iterator
from io import BufferedIOBase
from itertools import takewhile

from components.vectors.checks import NUMBER, is_number, quote_raw, read_word
from components.vectors.layout import SPACE_IN_WORD, Layout, Row, columns_of
from components.vectors.limits import MAX_LINE_BYTES

BLOCK_BYTES = 2**16
NUMBERS = re.compile(rb"%b(?: %b)*+" % (NUMBER.pattern, NUMBER.pattern))  # possessive: a failure takes linear time


def text_rows(file: BufferedIOBase, layout: Layout, max_chars: int) -> Iterator[Row]:
    """Yield every row of `file`, which is positioned at the first one; the value of the numbers is not checked.

    Raises ValueError if a row is not a word of at most `max_chars` characters and D numbers, or if the number of rows
    differs from the header. The message contains the line and is shown to learners.

    >>> from io import BytesIO
    >>> layout = Layout(binary=False, dim=2, words=None, start=0)
    >>> list(text_rows(BytesIO(b"king\\t0.5\\t1 \\r\\n"), layout, max_chars=200))
    [Row(word='king', content=b'king 0.5 1\\n', position=1)]
    """
    index = 0
    while line := file.readline(MAX_LINE_BYTES + 1):
        location = layout.location(index)
        if not line.strip():
            if _is_blank(file):
                break
            raise ValueError(f"{location.capitalize()} is empty, but more lines follow: remove the empty line.")
        if index == layout.words:
            raise ValueError(
                f"The header states {layout.words:,} words, and in {location} there is one more, "
                f"{quote_raw(line.strip())}: correct the header."
            )
        if len(line) > MAX_LINE_BYTES:
            raise ValueError(
                f"In {location} there are more than {MAX_LINE_BYTES:,} bytes: shorten it to a word and numbers."
            )
        yield _checked_row(line, index, layout, max_chars)
        index += 1
    if layout.words is not None and index < layout.words:
        raise ValueError(
            f"The header states {layout.words:,} words, and the file ends after {layout.location(index - 1)} with "
            f"{index:,} of them: correct the header, or upload the whole file."
        )


def _is_blank(file: BufferedIOBase) -> bool:
    while block := file.read(BLOCK_BYTES):
        if block.strip():
            return False
    return True


def _checked_row(line: bytes, index: int, layout: Layout, max_chars: int) -> Row:
    location = layout.location(index)
    raw, *columns = columns_of(line, layout.dim)
    if len(columns) != layout.dim or b" " in raw:
        _check_columns(raw, columns, location, layout)
    word = read_word(raw, location, 1, max_chars)
    numbers = b" ".join(columns)
    if not NUMBERS.fullmatch(numbers):
        _check_columns(raw, columns, location, layout)
        _check_numbers(columns, location)
    return Row(word, b"%b %b\n" % (raw.replace(b" ", SPACE_IN_WORD), numbers), layout.line(index))


def _check_columns(raw: bytes, columns: list[bytes], location: str, layout: Layout) -> None:
    """Raise ValueError if a column is empty, or if the row has too few or too many numbers."""
    pieces = raw.split(b" ") if raw else []
    if b"" in [*pieces, *columns]:
        column = [*pieces, *columns].index(b"") + 1
        raise ValueError(f"In {location}, column {column:,} is empty: put one space or tab between two columns.")
    found = len(columns) + sum(1 for _ in takewhile(is_number, reversed(pieces[1:])))
    if found != layout.dim:
        source = "line 1 has" if layout.words is None else "the header states"
        word = quote_raw(pieces[0] if pieces else raw)
        raise ValueError(
            f"In {location} the word {word} has {found:,} instead of the {layout.dim:,} numbers that {source}: give "
            f"every word the same number of them."
        )


def _check_numbers(columns: list[bytes], location: str) -> None:
    for column, number in enumerate(columns, start=2):
        if not is_number(number):
            raise ValueError(
                f"In {location}, column {column:,}, {quote_raw(number)} is not a number: write it like -0.25 or 1e-3."
            )
