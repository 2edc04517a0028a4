"""Checks on the words and numbers of vector files, text or binary, and how to quote them in a message."""

import re

from components.base.field_types import quote

NUMBER = re.compile(rb"[+-]?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|(?i:inf(?:inity)?|nan))")
QUOTED_BYTES = 400  # enough for the characters that `quote` keeps, at up to four bytes each


def quote_raw(raw: bytes | str) -> str:
    """Return the start of `raw` in quotation marks on one line, with � for every unprintable character.

    >>> print(quote_raw(b"caf\\xc3\\xa9"), quote_raw(b"caf\\xe9"), quote_raw("two\\x00\\u202elines"))
    'café' 'caf�' 'two��lines'
    """
    text = raw[:QUOTED_BYTES].decode("utf-8", "replace") if isinstance(raw, bytes) else raw[:QUOTED_BYTES]
    return quote("".join(character if character.isprintable() else "�" for character in text))


def is_number(column: bytes) -> bool:
    """Return whether `column` is a number in the syntax of these files; NaN and infinity count as numbers.

    >>> [is_number(column) for column in (b"-0.25", b"1e-3", b"nan", b"1_000", b"king", b"")]
    [True, True, True, False, False, False]
    """
    return NUMBER.fullmatch(column) is not None


def read_word(raw: bytes, location: str, byte: int, max_chars: int) -> str:
    """Return the word in `raw`, found at `location`, where its first byte has the number `byte`.

    Raises ValueError if it is empty, not UTF-8, contains a newline or has more than `max_chars` characters. The message
    is shown to learners.

    >>> read_word(b"caf\\xc3\\xa9", "line 7", 1, 200)
    'café'
    >>> read_word(b"caf\\xe9", "line 7", 1, 200)
    Traceback (most recent call last):
    ValueError: In line 7 the word 'caf�' is not UTF-8 at byte 4: save the file as UTF-8.
    """
    if not raw:
        raise ValueError(
            f"In {location} there is no word before the numbers, at byte {byte:,}: add one, or remove the row."
        )
    try:
        word = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        at = byte + error.start
        raise ValueError(
            f"In {location} the word {quote_raw(raw)} is not UTF-8 at byte {at:,}: save the file as UTF-8."
        ) from None
    if "\n" in word:
        at = byte + raw.index(b"\n")
        raise ValueError(
            f"In {location} the word {quote_raw(word)} is broken by a newline at byte {at:,}: write it on one line."
        )
    if len(word) > max_chars:
        raise ValueError(
            f"In {location} the word {quote_raw(word)} has {len(word):,} characters, {max_chars:,} is the limit: "
            f"remove it."
        )
    return word
