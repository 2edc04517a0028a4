"""A link as a QR code, drawn so that a phone reads it from the back row.

Follows ISO/IEC 18004 by segno: https://segno.readthedocs.io/
"""

import segno

MAX_QR_BYTES = 1_000  # more would need squares too small to tell apart across a room
QUIET_ZONE = 4  # squares of white all around, as the standard asks for


def qr_svg(link: str) -> str:
    """Return a QR code of `link` as SVG: black on white in either theme. Raises ValueError, in a plain sentence.

    >>> qr_svg("https://example.org").startswith("<svg")
    True
    """
    size = len(link.encode("utf-8"))
    if size > MAX_QR_BYTES:
        raise ValueError(
            f"This link has {size:,} characters; a QR code that can be read across a room holds {MAX_QR_BYTES:,}. "
            "Shorten the text, or hand out the link itself."
        )
    code = segno.make_qr(link, error="l", boost_error=False)
    return code.svg_inline(border=QUIET_ZONE, dark="#000", light="#fff", omitsize=True)
