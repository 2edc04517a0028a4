"""A text compressed into the address of a page: DEFLATE (RFC 1951), written in the URL-safe base64 of RFC 4648."""

import base64
import binascii
import zlib
from functools import lru_cache

from components.core.kinds import quote
from components.core.limits import MAX_TEXT_CHARS

RAW = -15  # no header, no checksum: 6 bytes less
LONGEST = 4 * MAX_TEXT_CHARS  # bytes of UTF-8 that the longest text can take


@lru_cache(16)
def pack(text: str) -> str:
    """Return a text as letters, digits, - and _ that an address carries as they stand.

    >>> len(pack("the river bank " * 100)), pack("")
    (40, 'AwA')
    """
    squeeze = zlib.compressobj(9, zlib.DEFLATED, RAW)
    packed = squeeze.compress(text.encode("utf-8", "replace")) + squeeze.flush()
    return base64.urlsafe_b64encode(packed).decode("ascii").rstrip("=")


def unpack(packed: str) -> str:
    """Return the text that `pack` made this of; raises ValueError, in a plain sentence, for what it did not make.

    Unpacking stops one byte past what the longest text can take, whatever is packed.

    >>> unpack(pack("naïve"))
    'naïve'
    """
    problem = f"The link's packed text {quote(packed, 20)} cannot be unpacked: copy the link once more, as a whole."
    try:
        content = base64.b64decode(packed.encode("ascii") + b"=" * (-len(packed) % 4), altchars=b"-_", validate=True)
        open_up = zlib.decompressobj(RAW)
        text = open_up.decompress(content, LONGEST + 1)
        if open_up.eof or len(text) > LONGEST:
            return text.decode("utf-8", "replace")
    except (binascii.Error, UnicodeEncodeError, zlib.error):
        pass
    raise ValueError(problem)
