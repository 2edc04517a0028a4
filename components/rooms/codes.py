"""Codes of rooms, and the secrets that make somebody the host of one."""

import hmac
import secrets
from hashlib import sha256
from string import ascii_uppercase

LETTERS = "BCDFGHJKLMNPRSTWXZ"  # no vowels, so no words; none that looks like another
NOT_USED = ", ".join(sorted({*ascii_uppercase} - {*LETTERS}))
CODE_LENGTH = 4
SECRET_BYTES = 32


def new_code() -> str:
    return "".join(secrets.choice(LETTERS) for _ in range(CODE_LENGTH))


def read_code(typed: str) -> str:
    """Return the code that somebody typed, in capital letters; "" if it cannot be one.

    >>> read_code(" bc-dk "), read_code("AEIO")
    ('BCDK', '')
    """
    code = "".join(letter for letter in typed.upper() if letter not in " -")
    return code if len(code) == CODE_LENGTH and set(code) <= set(LETTERS) else ""


def new_secret() -> str:
    return secrets.token_urlsafe(SECRET_BYTES)


def digest(secret: str) -> str:
    """Return what is stored of a secret. A secret has 256 random bits, so a plain hash cannot be reversed."""
    return sha256(secret.encode("utf-8", "replace")).hexdigest()


def is_secret_of(secret: str, digests: tuple[str, ...]) -> bool:
    """Return whether a secret is one of those stored, in a time that does not depend on how much of it is right."""
    found = [hmac.compare_digest(digest(secret), each) for each in digests]
    return any(found)
