"""The rows of a vector file of any format, with the checks that gensim does not make."""

from collections.abc import Iterable, Iterator
from io import BufferedIOBase

from components.vectors.binary_format import binary_rows
from components.vectors.file_signatures import reject_other_formats
from components.vectors.layout import Layout, Row, layout_of
from components.vectors.limits import MAX_LINE_BYTES
from components.vectors.text_format import text_rows

BLOCK_BYTES = 2**20


def layout_in(file: BufferedIOBase) -> Layout:
    """Return the layout of the vectors in `file`, from its start. Raises ValueError if it is not a vector file.

    >>> from io import BytesIO
    >>> layout_in(BytesIO(b"2 1\\nking 1\\nqueen 2\\n"))
    Layout(binary=False, dim=1, words=2, start=4)
    """
    file.seek(0)
    head = file.read(MAX_LINE_BYTES)
    reject_other_formats(head)
    return layout_of(head)


def count_lines(file: BufferedIOBase) -> int:
    """Return the number of lines in `file`, without empty lines at the end.

    >>> from io import BytesIO
    >>> count_lines(BytesIO(b"king 1\\nqueen 2\\n\\n")), count_lines(BytesIO(b"king 1\\nqueen 2"))
    (2, 2)
    """
    file.seek(0)
    lines = line_ends = 0
    while block := file.read(BLOCK_BYTES):
        filled = block.rstrip()
        if filled:
            lines = line_ends + filled.count(b"\n") + 1
        line_ends += block.count(b"\n")
    return lines


def rows_of(file: BufferedIOBase, layout: Layout, max_chars: int) -> Iterator[Row]:
    """Yield every row of `file` in the form that gensim reads. Raises ValueError if a row is invalid.

    >>> from io import BytesIO
    >>> list(rows_of(BytesIO(b"2 1\\nking\\t1\\nqueen 2 \\n"), Layout(False, 1, 2, start=4), max_chars=200))
    [Row(word='king', content=b'king 1\\n', position=2), Row(word='queen', content=b'queen 2\\n', position=3)]
    """
    file.seek(layout.start)
    return (binary_rows if layout.binary else text_rows)(file, layout, max_chars)


def first_rows(rows: Iterable[Row], key_to_index: dict[str, int]) -> Iterator[Row]:
    """Yield the first row of each word, and add the word to `key_to_index`.

    >>> rows, key_to_index = [Row("a", b"a 1", 1), Row("a", b"a 2", 2), Row("b", b"b 3", 3)], {}
    >>> [row.position for row in first_rows(rows, key_to_index)], key_to_index
    ([1, 3], {'a': 0, 'b': 1})
    """
    for row in rows:
        if row.word not in key_to_index:
            key_to_index[row.word] = len(key_to_index)
            yield row
