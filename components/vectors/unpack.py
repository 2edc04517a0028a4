"""Unpack an upload that is a gzip into a temporary file, within limits."""

import gzip
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedIOBase, BytesIO
from tempfile import TemporaryFile

from components.base.text_format import readable_bytes
from components.vectors.limits import MAX_UPLOAD_UNPACKED_BYTES

GZIP = b"\x1f\x8b"
BLOCK_BYTES = 2**18
MEMBER = GZIP + b"\x08"  # the first bytes of each member of a gzip file
MAX_MEMBERS = 10_000  # a small file of countless empty members would take a minute; block-wise compressors write 1,000


@contextmanager
def open_upload(data: bytes) -> Iterator[BufferedIOBase]:
    """Open an upload for reading; a gzip is first unpacked to a temporary file, which is deleted at the end.

    Raises ValueError if a gzip is damaged, truncated, compressed twice, or larger than MAX_UPLOAD_UNPACKED_BYTES when
    unpacked. The message is shown to learners. Raises OSError if the temporary file cannot be written.

    >>> with open_upload(gzip.compress(b"king 0.1 -0.2")) as file:
    ...     file.read()
    b'king 0.1 -0.2'
    >>> with open_upload(gzip.compress(b"king 0.1 -0.2")[:-9]) as file:
    ...     pass
    Traceback (most recent call last):
    ValueError: The gzip ends too early, after 13 bytes unpacked: upload the whole file.
    """
    if not data.startswith(GZIP):
        yield BytesIO(data)
        return
    with TemporaryFile() as file:
        _unpack(data, file)
        file.seek(0)
        yield file


def _unpack(data: bytes, target: BufferedIOBase) -> None:
    if (members := data.count(MEMBER)) > MAX_MEMBERS:
        raise ValueError(f"The gzip has {members:,} parts, and {MAX_MEMBERS:,} is the limit: pack it again in one.")
    unpacked = 0
    try:
        with gzip.GzipFile(fileobj=BytesIO(data)) as file:
            while block := file.read1(BLOCK_BYTES):
                if unpacked == 0 and block.startswith(GZIP):
                    raise ValueError("Inside this gzip is another gzip: unpack it once, and upload what is inside.")
                unpacked += len(block)
                if unpacked > MAX_UPLOAD_UNPACKED_BYTES:
                    limit = readable_bytes(MAX_UPLOAD_UNPACKED_BYTES)
                    raise ValueError(f"The gzip unpacks to more than {limit}, the limit: upload fewer words.")
                target.write(block)
    except EOFError:
        raise ValueError(
            f"The gzip ends too early, after {unpacked:,} bytes unpacked: upload the whole file."
        ) from None
    except (gzip.BadGzipFile, zlib.error):
        raise ValueError(f"The gzip is damaged after {unpacked:,} bytes unpacked: pack or download it again.") from None
