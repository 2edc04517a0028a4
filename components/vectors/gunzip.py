"""Uploads compressed with gzip: decompressed in blocks and limited in size, so that a gzip bomb takes no memory."""

import gzip
import zlib
from io import BufferedIOBase, BytesIO

from components.base.text_format import readable_bytes
from components.vectors.limits import MAX_UPLOAD_UNPACKED_BYTES

GZIP = b"\x1f\x8b"
BLOCK_BYTES = 2**18
MEMBER = GZIP + b"\x08"  # the first bytes of each member of a gzip file
MAX_MEMBERS = 10_000  # a small file of countless empty members would take a minute; block-wise compressors write 1,000


def open_upload(data: bytes) -> BufferedIOBase:
    """Return an upload as a file to read from, decompressed if it is a gzip.

    Raises ValueError if a gzip is damaged, truncated, compressed twice, or larger than MAX_UPLOAD_UNPACKED_BYTES when
    decompressed. The message is shown to learners.

    >>> open_upload(gzip.compress(b"king 0.1 -0.2")).read()
    b'king 0.1 -0.2'
    >>> open_upload(gzip.compress(b"king 0.1 -0.2")[:-9])
    Traceback (most recent call last):
    ValueError: The gzip ends too early, after 13 bytes unpacked: upload the whole file.
    """
    if not data.startswith(GZIP):
        return BytesIO(data)
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
    except EOFError:
        raise ValueError(
            f"The gzip ends too early, after {unpacked:,} bytes unpacked: upload the whole file."
        ) from None
    except (OSError, zlib.error):
        raise ValueError(f"The gzip is damaged after {unpacked:,} bytes unpacked: pack or download it again.") from None
    return gzip.GzipFile(fileobj=BytesIO(data))
