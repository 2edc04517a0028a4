"""The layout of a vector file, detected from its first bytes and never from its name.

The two formats of word2vec start with a line "N D", that of GloVe has none:
https://code.google.com/archive/p/word2vec and https://nlp.stanford.edu/projects/glove.
"""

import re
from dataclasses import dataclass
from io import BufferedIOBase

from components.base.field_types import quote
from components.base.limits import BYTES_PER_FLOAT

MAX_LINE_BYTES = 2**17  # of one row of text; also the number of bytes that determine the layout
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1f\x7f]")  # bytes that do not occur in text, but in most float32 numbers
# Of formats other than word vectors: only bytes that cannot be the first word of a text file.
SIGNATURES = (
    (rb"\x80[\x02-\x05]", "a Python pickle"),
    (rb"\(?c(copy_?reg|builtins|__builtin__|os|posix|nt|sys|subprocess|numpy[\w.]*|gensim[\w.]*)\n", "a Python pickle"),
    (rb"\([dl]p[0-9]+\n", "a Python pickle"),
    (rb"\x93NUMPY", "a NumPy array (.npy)"),
    (rb"PK\x03\x04.{22}[^\n]{4}[\w/.-]+\.npy", "a NumPy archive (.npz)"),
    (rb"PK(\x03\x04|\x05\x06|\x07\x08)", "a zip archive"),
    (rb"%PDF-", "a PDF"),
    (rb"\s*<(!doctype|html|head|body|script|\?xml|svg)[\s>]", "a page of HTML or XML"),
    (rb"\x89PNG\r\n|\xff\xd8\xff|GIF8[79]a|RIFF.{4}WEBP|BM.{4}\0\0\0\0|II\*\0|MM\0\*", "an image"),
    (rb"\xff\xfe|\xfe\xff", "text in UTF-16 instead of UTF-8"),
    (rb"\xba\x16\x4f\x2f", "a fastText model"),
    (rb"\x89HDF\r\n", "an HDF5 file"),
    (rb"BZh[1-9]1AY&SY|\xfd7zXZ\0|\x28\xb5\x2f\xfd|7z\xbc\xaf\x27\x1c|Rar!\x1a", "an archive other than gzip"),
    (rb".{257}ustar", "a tar archive"),
    (rb"\x7fELF|MZ[\x90\x00]\0", "a program"),
)


@dataclass(frozen=True)
class Layout:
    """Rows of a word and `dim` numbers from byte `start` on; `words` is their number in the header, or None."""

    binary: bool
    dim: int
    words: int | None
    start: int

    def location(self, index: int) -> str:
        """Return the location of the row `index` in the file, for messages."""
        return f"word {index + 1:,}" if self.binary else f"line {index + (1 if self.words is None else 2):,}"


def layout_in(file: BufferedIOBase) -> Layout:
    """Return the layout of the vectors in `file`, which is at its start.

    A first line of two columns that starts with a digit is a header, any other is GloVe's first row: one word without
    spaces and D numbers. Raises ValueError if the file starts with neither, or with the signature of another format.
    The message is shown to learners.
    """
    head = file.read(MAX_LINE_BYTES)
    for pattern, name in SIGNATURES:
        if re.match(pattern, head, re.DOTALL | re.IGNORECASE if b"<" in pattern else re.DOTALL):
            raise ValueError(
                f"By its first bytes this is {name}, and nothing in it was opened or executed: upload word vectors as "
                f"text in UTF-8 or binary of word2vec, or text of GloVe, plain or gzip."
            )
    start = len(BYTE_ORDER_MARK) if head.startswith(BYTE_ORDER_MARK) else 0
    if not head[start:].strip():
        raise ValueError("The file is empty: upload one with at least one word and its numbers.")
    line, line_end, rows = head[start:].partition(b"\n")
    if not line_end and len(head) == MAX_LINE_BYTES:
        raise ValueError(
            f"Line 1 has {MAX_LINE_BYTES:,} bytes or more, too many for a word and its numbers: shorten it."
        )
    columns = line.split()
    if len(columns) == 2 and columns[0][:1].isdigit():
        if not all(re.fullmatch(rb"[1-9][0-9]{0,8}", column) for column in columns):
            raise ValueError(
                f"The header {quote_raw(line)} in line 1 must be two whole numbers from 1 to 999,999,999, the words "
                f"and the dimensions: write for example '1000 300'."
            )
        words, dim = map(int, columns)
        return Layout(_is_binary(rows, dim), dim, words, start + len(line + line_end))
    columns = columns_of(line)
    if not any(map(is_number, columns[1:])):
        raise ValueError(
            f"Line 1, {quote_raw(line)}, is neither word2vec's header, two whole numbers such as '1000 300', nor a "
            f"word and its numbers such as 'king 0.1 -0.2': start the file with one of them, without commas between "
            "the columns."
        )
    return Layout(False, len(columns) - 1, None, start)


def columns_of(line: bytes, dim: int = -1) -> list[bytes]:
    """Return the columns of a row, separated by single spaces or tabs; with `dim`, the word and the last `dim` columns.

    The word may have spaces then, such as b"at name@domain.com 0.1 0.2".
    """
    return line.rstrip().replace(b"\t", b" ").rsplit(b" ", dim)


def is_number(column: bytes) -> bool:
    """Return whether `column` is a number; NaN and infinity count as numbers."""
    try:
        float(column)
    except ValueError:
        return False
    return True


def quote_raw(raw: bytes) -> str:
    """Return the start of `raw` in quotation marks on one line, with � for what is not UTF-8."""
    return quote(raw[:400].decode("utf-8", "replace"))  # more than the characters that `quote` keeps


def _is_binary(rows: bytes, dim: int) -> bool:
    """Return whether float32 bytes, which rarely look like text, follow the first word, and not numbers as text."""
    columns = columns_of(rows.partition(b"\n")[0], dim)
    if len(columns) == dim + 1 and all(map(is_number, columns[1:])):
        return False
    _, _, numbers = rows.partition(b" ")
    return CONTROL.search(rows) is not None or not numbers[: BYTES_PER_FLOAT * dim].isascii()
