"""Files of word vectors from a source that is trusted: of any size, plain, gzip, or a zip that holds just one file."""

import gzip
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedIOBase
from pathlib import Path
from zipfile import BadZipFile, ZipFile

from components.core.kinds import quote
from components.core.word_disguises import refuse_disguise
from components.core.word_gzip import GZIP
from components.core.word_layout import Layout, layout_of
from components.core.word_limits import MAX_LINE_BYTES

ZIP = b"PK\x03\x04"
BLOCK_BYTES = 2**20


@contextmanager
def open_source(path: Path) -> Iterator[BufferedIOBase]:
    """Open a file for reading, unpacked on the way; its first bytes tell whether it is packed.

    Raises ValueError, in one sentence, for a file that is missing, a zip of more or fewer than one file, and, while
    it is being read, for one that is damaged.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     _ = Path(folder, "two.txt.gz").write_bytes(gzip.compress(b"king 1\\nqueen 2\\n"))
    ...     with open_source(Path(folder, "two.txt.gz")) as file:
    ...         file.read()
    b'king 1\\nqueen 2\\n'
    """
    if not path.is_file():
        raise ValueError(f"There is no file {quote(path, 200)}: name one with word vectors.")
    with path.open("rb") as plain:
        start = plain.read(len(ZIP))
        plain.seek(0)
        try:
            if start.startswith(GZIP):
                with gzip.GzipFile(fileobj=plain) as file:
                    yield file
            elif start == ZIP:
                with ZipFile(plain) as archive, archive.open(_only_member(archive, path)) as file:
                    yield file
            else:
                yield plain
        except (EOFError, gzip.BadGzipFile, BadZipFile, zlib.error) as error:
            problem = f"{quote(path.name)} cannot be unpacked ({type(error).__name__})"
            raise ValueError(f"{problem}: download it again.") from None


def _only_member(archive: ZipFile, path: Path) -> str:
    members = [member for member in archive.infolist() if not member.is_dir()]
    if len(members) != 1:
        raise ValueError(f"{quote(path.name)} holds {len(members):,} files: use a zip of just one, the word vectors.")
    if members[0].flag_bits & 1:
        raise ValueError(f"{quote(path.name)} is locked by a password: unpack it first.")
    return members[0].filename


def layout_in(file: BufferedIOBase) -> Layout:
    """Return the layout of the vectors in `file`, read from its start; raises ValueError for what holds none.

    >>> from io import BytesIO
    >>> layout_in(BytesIO(b"2 1\\nking 1\\nqueen 2\\n"))
    Layout(binary=False, dim=1, words=2, start=4)
    """
    file.seek(0)
    head = file.read(MAX_LINE_BYTES)
    refuse_disguise(head)
    return layout_of(head)


def count_lines(file: BufferedIOBase) -> int:
    """Return the number of lines in `file`, read from its start in small blocks; empty ones at the end do not count.

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
