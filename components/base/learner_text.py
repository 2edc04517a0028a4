"""The learner's text as data: cut to the limit, safe to encode, and shown so that nothing in it is invisible."""

import re
import unicodedata

from components.base.limits import MAX_TEXT_CHARS, MAX_TEXT_FILE_BYTES

VISIBLE = {" ": "␣", "\n": "⏎", "\t": "⇥", "\r": "␍"}
HIDDEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zs", "Zl", "Zp"}  # Unicode categories without a visible glyph
REORDERING = HIDDEN - {"Zs"}  # and what acts on the text around it: control characters, marks of direction
BLANKS = frozenset("\u115f\u1160\u2800\u3164\uffa0")  # letters and symbols without a visible glyph
# Between characters that are not Latin, joiners are seen by how they shape them: in emoji and in many scripts.
JOINERS = re.compile("(?<=[^\0-\u036f\u200c\u200d])[\u200c\u200d](?=[^\0-\u036f\u200c\u200d])")


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
            f"The file is not text in UTF-8: byte {offset + 1:,} is 0x{byte:02X}. "
            "Save it as plain text (UTF-8) and try again."
        ) from None
    if not text.strip():
        problem = "nothing but white space" if text else "no text"
        raise ValueError(f"The file has {problem}: upload one with at least one word. Your text is unchanged.")
    return text


def visible(token: bytes) -> str:
    """Return the bytes of a token as visible text: spaces as symbols, incomplete or hidden characters as codes.

    A combining mark without a character that carries it has a dotted circle.

    >>> visible("e\u0301 \u0301".encode()) == "e\u0301␣◌\u0301"
    True
    """
    if not whole_character(token):
        return "bytes " + token.hex(" ").upper()
    text, carried, found = token.decode("utf-8"), False, []
    joiners = _joiners(text)
    for n, each in enumerate(text):
        category = unicodedata.category(each)
        hidden = (category in HIDDEN or each in BLANKS) and n not in joiners
        hidden = hidden or (unicodedata.name(each, "").startswith("VARIATION SELECTOR") and not carried)
        circle = "◌" if category.startswith("M") and not carried else ""
        found.append(VISIBLE.get(each) or (_code(each) if hidden else circle + each))
        carried = not hidden
    return "".join(found) or "(empty)"


def visible_text(text: str) -> str:
    """Return a string of the learner with its spaces and hidden characters made visible."""
    return visible(text.encode("utf-8", "replace"))


def show_hidden(text: str) -> str:
    """Return text with its control characters and those of direction as codes.

    Spaces and line ends stay, and joiners between characters that are not Latin.

    >>> show_hidden("a\u200db, \u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645")
    'a‹U+200D›b, می\u200cخواهم'
    """
    if text.isprintable():
        return text
    joiners = _joiners(text)
    return "".join(
        _code(each) if unicodedata.category(each) in REORDERING and each != "\n" and n not in joiners else each
        for n, each in enumerate(text)
    )


def _joiners(text: str) -> set[int]:
    return {found.start() for found in JOINERS.finditer(text)}


def _code(character: str) -> str:
    return f"‹U+{ord(character):04X}›"


def isolated(text: str, mark: str = "\u2068") -> str:
    """Return a text so that writing from right to left in it does not reorder what is around it.

    It has the direction of its first letter, or with the `mark` U+2066 that from left to right.

    >>> isolated("the"), isolated("אב") == "\\u2068אב\\u2069", isolated("سفينة") == "\\u2068سفينة\\u2069"
    ('the', True, True)
    """
    return f"{mark}{text}\u2069" if any(unicodedata.bidirectional(each) in ("R", "AL") for each in text) else text


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
