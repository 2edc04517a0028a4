"""The layout of a vector file, detected from its first bytes and never from its name.

The two formats of word2vec start with a line "N D", that of GloVe has none:
https://code.google.com/archive/p/word2vec and https://nlp.stanford.edu/projects/glove.
"""

import re
from dataclasses import dataclass
from typing import NamedTuple

from components.vectors.checks import is_number, quote_raw
from components.vectors.limits import MAX_HEADER_NUMBER, MAX_LINE_BYTES

BYTE_ORDER_MARK = b"\xef\xbb\xbf"
BYTES_PER_NUMBER = 4  # float32
LINE_END = b" \t\r\n"
CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1f\x7f]")  # bytes that do not occur in text, but in most float32 numbers


@dataclass(frozen=True)
class Layout:
    """Rows of a word and `dim` numbers from byte `start` on; `words` is their number in the header, None without one.

    >>> Layout(binary=False, dim=3, words=None, start=0).location(6), Layout(False, 3, 9, 4).location(6)
    ('line 7', 'line 8')
    >>> Layout(binary=True, dim=3, words=9, start=4).location(6)
    'word 7'
    """

    binary: bool
    dim: int
    words: int | None
    start: int

    def location(self, index: int) -> str:
        """Return the location of the row `index` in the file, for messages."""
        if self.binary:
            return f"word {index + 1:,}"
        return f"line {self.line(index):,}"

    def line(self, index: int) -> int:
        """Return the number of the line with the row `index` of a text file."""
        return index + (1 if self.words is None else 2)


SPACE_IN_WORD = b"\xff"  # for gensim, which ends a word at a space; UTF-8 has no such byte


class Row(NamedTuple):
    """A row: its word, its bytes as gensim reads them, and its line, or in binary the byte of its first number."""

    word: str
    content: bytes
    position: int


def columns_of(line: bytes, dim: int = -1) -> list[bytes]:
    """Return the columns of a row, separated by single spaces or tabs; with `dim`, the word and the last `dim` columns.

    >>> columns_of(b"at name@domain.com 0.1\\t0.2 \\r\\n", dim=2)
    [b'at name@domain.com', b'0.1', b'0.2']
    """
    return line.rstrip(LINE_END).replace(b"\t", b" ").rsplit(b" ", dim)


def layout_of(head: bytes) -> Layout:
    """Return the layout of the file that starts with `head`, its first MAX_LINE_BYTES bytes.

    A first line of two columns that starts with a number is a header, any other is GloVe's first row: one word without
    spaces and D numbers. Raises ValueError if the file starts with neither. The message is shown to learners.

    >>> layout_of(b"king 0.1 -0.2 0.3")
    Layout(binary=False, dim=3, words=None, start=0)
    >>> layout_of(b"1000 300\\nin \\x64\\xe8\\x58\\x3d")
    Layout(binary=True, dim=300, words=1000, start=9)
    >>> layout_of(b"0 300\\n")
    Traceback (most recent call last):
    ValueError: The header '0 300' in line 1 must be two whole numbers from 1 to 1,000,000,000, the words and the
    dimensions: write for example '1000 300'.
    """
    start = len(BYTE_ORDER_MARK) if head.startswith(BYTE_ORDER_MARK) else 0
    if not head[start:].strip():
        raise ValueError("The file is empty: upload one with at least one word and its numbers.")
    line, line_end, rows = head[start:].partition(b"\n")
    if not line_end and len(head) >= MAX_LINE_BYTES:
        raise ValueError(
            f"Line 1 has {MAX_LINE_BYTES:,} bytes or more, too many for a word and its numbers: shorten it."
        )
    header = line.split()
    if len(header) == 2 and re.match(rb"[+-]?\.?[0-9]", header[0]):
        words, dim = _read_header(line)
        return Layout(_is_binary(rows, dim, words), dim, words, start + len(line) + len(line_end))
    columns = columns_of(line)
    if not any(map(is_number, columns[1:])):
        raise ValueError(
            f"Line 1, {quote_raw(line)}, is neither word2vec's header, two whole numbers such as '1000 300', nor a "
            f"word and its numbers such as 'king 0.1 -0.2': start the file with one of them."
        )
    return Layout(False, len(columns) - 1, None, start)


def _read_header(line: bytes) -> tuple[int, int]:
    columns = line.split()
    if all(re.fullmatch(rb"\+?[0-9]{1,99}", column) for column in columns):
        words, dim = map(int, columns)
        if 1 <= words <= MAX_HEADER_NUMBER and 1 <= dim <= MAX_HEADER_NUMBER:
            return words, dim
    raise ValueError(
        f"The header {quote_raw(line)} in line 1 must be two whole numbers from 1 to {MAX_HEADER_NUMBER:,}, the words "
        f"and the dimensions: write for example '1000 300'."
    )


def _is_binary(rows: bytes, dim: int, words: int) -> bool:
    """Return whether float32 bytes, which rarely look like text, follow the first word, and not numbers as text."""
    _, _, numbers = rows.removeprefix(b"\n").partition(b" ")
    numbers = numbers[: BYTES_PER_NUMBER * dim]
    if CONTROL.search(numbers):
        return True
    columns = columns_of(rows.partition(b"\n")[0], dim)
    if len(columns) == dim + 1 and all(map(is_number, columns[1:])):
        return False
    return not numbers.isascii() or CONTROL.search(rows) is not None or _fits_binary(rows, dim, words)


def _fits_binary(rows: bytes, dim: int, words: int) -> bool:
    """Return whether `rows` has exactly the length of this number of binary rows."""
    at = 0
    for _ in range(words):
        space = rows.find(b" ", at)
        at = space + 1 + BYTES_PER_NUMBER * dim
        if space < 0 or at > len(rows):
            return False
        at += rows.startswith(b"\n", at)
    return at == len(rows)
