"""What a word in a file of vectors must be, in text and in binary files alike, and how it is shown in a sentence."""

from components.core.kinds import quote

SHOWN_BYTES = 400  # enough for the characters that `quote` keeps, at up to four bytes each


def shown(raw: bytes | str) -> str:
    """Return the start of `raw` in quotation marks on one line, with a mark for each character that cannot be seen.

    >>> print(shown(b"caf\\xc3\\xa9"), shown(b"caf\\xe9"), shown("two\\x00\\u202elines"))
    'café' 'caf�' 'two��lines'
    """
    text = raw[:SHOWN_BYTES].decode("utf-8", "replace") if isinstance(raw, bytes) else raw[:SHOWN_BYTES]
    return quote("".join(character if character.isprintable() else "�" for character in text))


def is_number(column: bytes) -> bool:
    """Return whether `column` is a number as these files write them; NaN and infinity are numbers here.

    >>> [is_number(column) for column in (b"-0.25", b"1e-3", b"nan", b"1_000", b"king", b"")]
    [True, True, True, False, False, False]
    """
    try:
        float(column)
    except ValueError:
        return False
    return b"_" not in column  # Python reads 1_000, other programs do not


def read_word(raw: bytes, place: str, byte: int, longest: int) -> str:
    """Return the word spelled by `raw`, which stands at `place` and whose first byte is number `byte` there.

    Raises ValueError, in one sentence, for no word, bytes that are not UTF-8, a line break in the word, and more than
    `longest` characters.

    >>> read_word(b"caf\\xc3\\xa9", "line 7", 1, 200)
    'café'
    >>> read_word(b"caf\\xe9", "line 7", 1, 200)
    Traceback (most recent call last):
    ValueError: In line 7 the word 'caf�' is not UTF-8 at byte 4: save the file as UTF-8.
    """
    if not raw:
        raise ValueError(
            f"In {place} there is no word in front of the numbers, at byte {byte:,}: write one, or leave it out."
        )
    try:
        word = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        at = byte + error.start
        raise ValueError(
            f"In {place} the word {shown(raw)} is not UTF-8 at byte {at:,}: save the file as UTF-8."
        ) from None
    if "\n" in word:
        at = byte + raw.index(b"\n")
        raise ValueError(
            f"In {place} the word {shown(word)} is broken by a line end at byte {at:,}: write it on one line."
        )
    if len(word) > longest:
        raise ValueError(
            f"In {place} the word {shown(word)} has {len(word):,} characters, {longest:,} is the limit: leave it out."
        )
    return word
