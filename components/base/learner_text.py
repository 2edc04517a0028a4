"""The learner's text as data: cut to the limit, safe to encode, and shown so that nothing in it is invisible."""

import unicodedata
from string import punctuation

from components.base.limits import MAX_TEXT_CHARS, MAX_TEXT_FILE_BYTES

VISIBLE = {" ": "␣", "\n": "⏎", "\t": "⇥", "\r": "␍"}
HIDDEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zs", "Zl", "Zp"}  # Unicode categories without a visible glyph
REORDERING = HIDDEN - {"Zs"}  # and what acts on the text around it: control characters, marks of direction
BLANKS = frozenset("\u115f\u1160\u2800\u3164\uffa0")  # letters and symbols without a visible glyph
JOINERS = frozenset("\u200c\u200d")  # shape what is written before and after them, in emoji and in many scripts
ESCAPED = str.maketrans({character: f"\\{character}" for character in punctuation})


def clean_text(text: str) -> tuple[str, str | None]:
    """Return `text` cut to the limit and without lone surrogates, and a message on what was changed, or None."""
    problems = []
    if len(text) > MAX_TEXT_CHARS:
        problems.append(
            f"The text has {len(text):,} characters; the limit is {MAX_TEXT_CHARS:,}: using the first "
            f"{MAX_TEXT_CHARS:,}."
        )
        text = text[:MAX_TEXT_CHARS]
    whole = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if whole.count("\ufffd") > text.count("\ufffd"):
        problems.append("The text contains incomplete characters (lone surrogates): replaced by �.")
    return whole, " ".join(problems) or None


def decode_upload(content: bytes) -> str:
    """Return the text of an uploaded file. The message of an error is shown to learners.

    Raises ValueError if the file is not UTF-8, or contains nothing but spaces and line breaks. Too large a file is
    refused here as well: not every client is a browser.
    """
    if len(content) > MAX_TEXT_FILE_BYTES:
        raise ValueError(
            f"The file has {len(content):,} bytes, and {MAX_TEXT_FILE_BYTES:,} is the limit: upload a part of it."
        )
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        # After a byte order mark the error's offset counts from the end of the mark.
        offset, byte = error.start + len(content) - len(error.object), error.object[error.start]
        raise ValueError(
            f"The file is not text in UTF-8: byte {offset:,} is 0x{byte:02X}. "
            "Save it as plain text (UTF-8) and try again."
        ) from None
    if not text.strip():
        raise ValueError("The file is empty: upload one with at least one word. Your text is unchanged.")
    return text


def visible(token: bytes) -> str:
    """Return the bytes of a token as visible text: spaces as symbols, incomplete or hidden characters as codes."""
    if not whole_character(token):
        return "bytes " + token.hex(" ").upper()
    return "".join(map(_visible_character, token.decode("utf-8"))) or "(empty)"


def visible_text(text: str) -> str:
    """Return a string of the learner with its spaces and hidden characters made visible."""
    return visible(text.encode("utf-8", "replace"))


def _visible_character(character: str) -> str:
    category = unicodedata.category(character)
    if character in VISIBLE:
        return VISIBLE[character]
    if category in HIDDEN or character in BLANKS:
        return f"U+{ord(character):04X}"
    return "◌" + character if category.startswith("M") else character


def show_hidden(text: str) -> str:
    """Return text with its control characters and those of direction as codes.

    Spaces and line ends stay, and joiners of what is not Latin, which are seen by how they shape it.

    >>> show_hidden("a\u200db, \u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645")
    'aU+200Db, می\u200cخواهم'
    """
    if text.isprintable():
        return text

    def is_seen(each: str, before: str) -> bool:
        joins = each in JOINERS and before > "\u024f" and before not in JOINERS
        return joins or each == "\n" or unicodedata.category(each) not in REORDERING

    pairs = zip(text, " " + text, strict=False)
    return "".join(each if is_seen(each, before) else f"U+{ord(each):04X}" for each, before in pairs)


def isolated(text: str, mark: str = "\u2068") -> str:
    """Return a text so that writing from right to left in it does not reorder what is around it.

    It has the direction of its first letter, or with the `mark` U+2066 that from left to right.

    >>> isolated("the"), isolated("אב") == "\\u2068אב\\u2069"
    ('the', True)
    """
    return f"{mark}{text}\u2069" if any(unicodedata.bidirectional(each) in ("R", "AL") for each in text) else text


def escape_punctuation(text: str) -> str:
    """Return text with a backslash before every character that may have a meaning in Markdown."""
    return text.translate(ESCAPED)


def whole_character(token: bytes) -> bool:
    """Return whether the bytes of a token decode alone; an incomplete character does not.

    >>> whole_character(b" the"), whole_character(b"\\xf0\\x9f")
    (True, False)
    """
    try:
        token.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
