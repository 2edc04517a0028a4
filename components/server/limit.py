"""How many sessions one process takes, as the environment says."""

VARIABLE = "EMBEDDING_LAB_SESSIONS"
DEFAULT = 50  # moves of 20 ms every 2 s each then keep one core busy for half of the time


def session_limit(value: str | None) -> int:
    """Return the limit that `value` names, the default where it is not set, and 0 for none.

    Raises ValueError where it is not a whole number from 0.

    >>> session_limit(None), session_limit(" 40 "), session_limit("0"), session_limit("none")
    (50, 40, 0, 0)
    >>> session_limit("many")
    Traceback (most recent call last):
    ValueError: EMBEDDING_LAB_SESSIONS = 'many' is not a whole number from 0; 0 or "none" means no limit.
    """
    if value is None or not value.strip():
        return DEFAULT
    words = value.strip()
    if words.lower() == "none":
        return 0
    if not (words.isascii() and words.isdigit()):
        raise ValueError(f'{VARIABLE} = {value!r} is not a whole number from 0; 0 or "none" means no limit.')
    return int(words)
