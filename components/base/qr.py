"""A link as a QR code that a phone can read from the back row of a classroom.

Follows ISO/IEC 18004, as implemented by segno: https://segno.readthedocs.io/
"""

import segno

MAX_QR_BYTES = 1_000  # more data needs modules too small to read across a room
QUIET_ZONE = 4  # modules of white on each side, as the standard requires


def qr_svg(link: str) -> str:
    """Return a QR code of `link` as SVG, black on white in either theme.

    Raises ValueError if the link is too long. The message is shown to learners.
    """
    size = len(link.encode("utf-8"))
    if size > MAX_QR_BYTES:
        raise ValueError(
            f"This link has {size:,} characters; a QR code that can be read across a room has at most "
            f"{MAX_QR_BYTES:,}. Shorten the text, or share the link itself."
        )
    code = segno.make_qr(link, error="l", boost_error=False)
    return code.svg_inline(border=QUIET_ZONE, dark="#000", light="#fff", omitsize=True)
