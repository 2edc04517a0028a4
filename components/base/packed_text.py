"""A text compressed into a link: DEFLATE (RFC 1951), written in the URL-safe base64 of RFC 4648."""

import base64
import binascii
import zlib
from functools import lru_cache

from components.base.field_types import quote
from components.base.limits import MAX_TEXT_CHARS

RAW_DEFLATE = -15  # window bits: no header and no checksum, 6 bytes less
MAX_UNPACKED_BYTES = 4 * MAX_TEXT_CHARS  # a character takes at most 4 bytes in UTF-8


@lru_cache(16)
def pack(text: str) -> str:
    """Return a text compressed to letters, digits, - and _, which need no escaping in a link."""
    compressor = zlib.compressobj(9, zlib.DEFLATED, RAW_DEFLATE)
    packed = compressor.compress(text.encode("utf-8", "replace")) + compressor.flush()
    return base64.urlsafe_b64encode(packed).decode("ascii").rstrip("=")


def unpack(packed: str) -> str:
    """Return the text that `pack` compressed. Raises ValueError if it cannot be unpacked. Learners see the message.

    Unpacking stops one byte after the size of the longest text, so a small link cannot fill the memory.
    """
    try:
        content = base64.b64decode(packed.encode("ascii") + b"=" * (-len(packed) % 4), altchars=b"-_", validate=True)
        decompressor = zlib.decompressobj(RAW_DEFLATE)
        text = decompressor.decompress(content, MAX_UNPACKED_BYTES + 1)
        if decompressor.eof or len(text) > MAX_UNPACKED_BYTES:
            return text.decode("utf-8", "replace")
    except (binascii.Error, UnicodeEncodeError, zlib.error):
        pass
    raise ValueError(f"The link's compressed text {quote(packed, 20)} cannot be read: copy the whole link again.")
