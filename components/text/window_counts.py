"""Counts of windows and batches, and the typed IDs as a batch."""

from components.base.settings import Settings
from components.base.text_format import pluralize
from components.text.token_ids import parse_ids


def window_count(n_tokens: int, max_length: int, stride: int) -> int:
    """Return N = floor((tokens - T - 1) / stride) + 1, or 0 if there are fewer than T + 1 tokens."""
    return max(0, (n_tokens - max_length - 1) // stride + 1)


def too_short_message(n_tokens: int, settings: Settings) -> str | None:
    """Return a message if the text has too few tokens for one window and its targets, else None.

    >>> too_short_message(1_001, Settings(context_length=1_024)).partition("; ")[2]
    'one window of T = 1,024 and its targets need 1,025 tokens: 24 are missing. Write more, or lower T to 1,000.'
    >>> too_short_message(4, Settings(context_length=4)).partition("; ")[2]
    'one window of T = 4 and its targets need 5 tokens: 1 is missing. Write more, or lower T to 3.'
    >>> too_short_message(5, Settings(context_length=4))
    """
    T = settings.context_length
    if n_tokens > T:
        return None
    missing = T + 1 - n_tokens
    are = "is" if missing == 1 else "are"
    targets = "targets" if T > 1 else "target"
    needed = f"one window of T = {T:,} and its {targets} need {T + 1:,} tokens: {missing:,} {are} missing"
    fix = f"Write more, or lower T to {n_tokens - 1:,}." if n_tokens > 1 else "Write more."
    return f"Your text has {pluralize(n_tokens, 'token')}; {needed}. {fix}"


def fills_window(n_tokens: int, settings: Settings) -> bool:
    """Return whether a text has a window; a shorter one is a single sequence [1, n], for which no target is needed.

    Raises ValueError if there are no tokens. The message is shown to learners.
    """
    if not n_tokens:
        raise ValueError("Your text has 0 tokens; one or more are needed. Write more.")
    return n_tokens > settings.context_length


def require_batches(n_tokens: int, settings: Settings) -> int:
    """Return the number of batches of a text. Raises ValueError if there is none. The message is shown to learners."""
    if problem := too_short_message(n_tokens, settings):
        raise ValueError(problem)
    n_windows, B = window_count(n_tokens, settings.context_length, settings.stride), settings.batch_size
    if settings.drop_last and n_windows < B:
        raise ValueError(
            f"drop_last discards the only batch, which has {n_windows:,} of B = {B:,} windows. "
            f"Lower B to {n_windows:,} or turn drop_last off."
        )
    return n_windows // B if settings.drop_last else -(-n_windows // B)


def typed_batch(settings: Settings) -> list[list[int]]:
    """Return the typed IDs as sequences of a batch [B, T].

    Raises ValueError if they are not a batch, or longer than the context length. The message is shown to learners.
    """
    batch = parse_ids(settings.ids)
    n_ids, T = len(batch[0]), settings.context_length
    if n_ids > T:
        have = "sequence has" if len(batch) == 1 else "sequences have"
        raise ValueError(
            f"Your {have} {n_ids:,} IDs; the context length is T = {T:,}. Raise T to {n_ids:,} or type fewer IDs."
        )
    return batch
