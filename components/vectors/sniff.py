"""Open trusted vector files of any size: plain, gzip, or a zip with a single file."""

import gzip
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedIOBase
from pathlib import Path
from zipfile import BadZipFile, ZipFile

from components.base.field_types import quote
from components.vectors.file_signatures import reject_other_formats
from components.vectors.gunzip import GZIP
from components.vectors.layout import Layout, layout_of
from components.vectors.limits import MAX_LINE_BYTES

ZIP = b"PK\x03\x04"
BLOCK_BYTES = 2**20


@contextmanager
def open_source(path: Path) -> Iterator[BufferedIOBase]:
    """Open a file for reading, decompressed if its first bytes are those of a gzip or zip.

    Raises ValueError if the file is missing, if a zip does not contain exactly one file, and, during reading, if it is
    damaged. The message is shown to learners.

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
        raise ValueError(f"{quote(path.name)} contains {len(members):,} files: use a zip of a single file.")
    if members[0].flag_bits & 1:
        raise ValueError(f"{quote(path.name)} is encrypted: unpack it first.")
    return members[0].filename


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
