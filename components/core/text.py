"""Learner text is data: made safe to encode, held to a limit, and shown so that nothing in it stays invisible."""

import unicodedata

from components.core.limits import MAX_TEXT_CHARS

VISIBLE = {" ": "␣", "\n": "⏎", "\t": "⇥", "\r": "␍"}
HIDDEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zs", "Zl", "Zp"}  # categories of characters that draw nothing
BLANKS = frozenset("\u115f\u1160\u2800\u3164\uffa0")  # letters and symbols that draw nothing all the same


def clean_text(text: str) -> tuple[str, str | None]:
    """Return `text` cut to the limit and free of lone surrogates, with a sentence on what had to be changed, or None.

    >>> clean_text("naïve"), clean_text("a\\ud800b")
    (('naïve', None), ('a\\ufffdb', 'The text holds half a character (a lone surrogate): it is replaced by �.'))
    """
    problems = []
    if len(text) > MAX_TEXT_CHARS:
        problems.append(
            f"The text has {len(text):,} characters; the limit is {MAX_TEXT_CHARS:,}, so the first "
            f"{MAX_TEXT_CHARS:,} are kept. Work on the rest as a text of its own."
        )
        text = text[:MAX_TEXT_CHARS]
    whole = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if whole.count("\ufffd") > text.count("\ufffd"):
        problems.append("The text holds half a character (a lone surrogate): it is replaced by �.")
    return whole, " ".join(problems) or None


def decode_upload(content: bytes) -> str:
    """Return the text in an uploaded file; raises ValueError, in a plain sentence, for a file that is not text.

    >>> decode_upload(b"caf\\xc3\\xa9")
    'café'
    >>> decode_upload(b"\\x89PNG\\r\\n")
    Traceback (most recent call last):
    ...
    ValueError: The file is not text in UTF-8: byte 0 is 0x89. Save it as plain text (UTF-8) and try again.
    """
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        # Behind a byte order mark the error counts from the mark's end.
        place, byte = error.start + len(content) - len(error.object), error.object[error.start]
        raise ValueError(
            f"The file is not text in UTF-8: byte {place:,} is 0x{byte:02X}. "
            "Save it as plain text (UTF-8) and try again."
        ) from None


def visible(token: bytes) -> str:
    """Return the bytes of a token as something to look at: spaces drawn, bare bytes and hidden characters named.

    >>> visible(b" caf\\xc3\\xa9"), visible(b"\\n"), visible(b"\\xf0\\x9f"), visible("\\u200d".encode())
    ('␣café', '⏎', 'bytes F0 9F', 'U+200D')
    """
    try:
        text = token.decode("utf-8")
    except UnicodeDecodeError:
        return "bytes " + token.hex(" ").upper()
    return "".join(map(_visible_character, text)) or "(empty)"


def _visible_character(character: str) -> str:
    category = unicodedata.category(character)
    if character in VISIBLE:
        return VISIBLE[character]
    if category in HIDDEN or character in BLANKS:
        return f"U+{ord(character):04X}"
    return "◌" + character if category.startswith("M") else character


def whole_character(token: bytes) -> bool:
    """Return whether the bytes of a token decode by themselves; a fragment of a character does not.

    >>> whole_character(b" the"), whole_character(b"\\xf0\\x9f")
    (True, False)
    """
    try:
        token.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
