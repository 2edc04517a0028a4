"""How many windows, batches and rows there are: whole numbers only, so that a page can say shapes without torch."""

from components.core.choices import Choices
from components.core.ids import parse_ids
from components.core.settings import Settings


def window_count(n_tokens: int, max_length: int, stride: int) -> int:
    """Return N = ceil((tokens - T) / stride), or 0 where not even one window of T + 1 tokens fits.

    >>> window_count(5145, 4, 4), window_count(4, 4, 1)
    (1286, 0)
    """
    return max(0, -((max_length - n_tokens) // stride))


def too_short(n_tokens: int, settings: Settings) -> str | None:
    """Return a sentence where the text has too few tokens for one window and its target, else None.

    >>> too_short(3, Settings(context_length=4))
    'Your text has 3 tokens; one window of T = 4 and its target need 5: 2 are missing. Write more, or lower T to 2.'
    >>> too_short(5, Settings(context_length=4))
    """
    T = settings.context_length
    if n_tokens > T:
        return None
    missing = T + 1 - n_tokens
    needs = (
        f"one window of T = {T:,} and its target need {T + 1:,}: {missing:,} {'is' if missing == 1 else 'are'} missing"
    )
    repair = f"Write more, or lower T to {n_tokens - 1:,}." if n_tokens > 1 else "Write more."
    return f"Your text has {n_tokens:,} token{'' if n_tokens == 1 else 's'}; {needs}. {repair}"


def batch_count(n_windows: int, batch_size: int, drop_last: bool) -> int:
    """Return how many batches `n_windows` windows make.

    >>> batch_count(5, 2, drop_last=False), batch_count(5, 2, drop_last=True)
    (3, 2)
    """
    return n_windows // batch_size if drop_last else -(-n_windows // batch_size)


def batches_of(n_tokens: int, settings: Settings, drop_last: bool) -> int:
    """Return how many batches a text gives; raises ValueError, in a plain sentence, where it gives none.

    >>> batches_of(5_145, Settings(batch_size=8), drop_last=True)
    160
    """
    problem = too_short(n_tokens, settings)
    if problem:
        raise ValueError(problem)
    n_windows = window_count(n_tokens, settings.context_length, settings.stride)
    count = batch_count(n_windows, settings.batch_size, drop_last)
    if count == 0:
        raise ValueError(
            f"drop_last throws away the only batch: it has {n_windows:,} of the B = {settings.batch_size:,} windows. "
            f"Lower B to {n_windows:,} or turn drop_last off."
        )
    return count


def typed_rows(line: str, settings: Settings) -> list[list[int]]:
    """Return typed IDs as rows [B, T]; raises ValueError, in a plain sentence, where they do not fit the settings.

    >>> typed_rows("2 3; 5 1", Settings())
    [[2, 3], [5, 1]]
    """
    rows = parse_ids(line)
    if len(rows[0]) > settings.context_length:
        raise ValueError(
            f"Your rows have {len(rows[0]):,} IDs; the position table has T = {settings.context_length:,} rows. "
            f"Raise T to {len(rows[0]):,} or type fewer."
        )
    return rows


def batch_shape(n_tokens: int, settings: Settings, choices: Choices) -> tuple[int, int]:
    """Return [B, T] of the journey's batch; raises ValueError, in a plain sentence, where there is none.

    >>> batch_shape(21, Settings(batch_size=3), Choices(batch=1))
    (2, 4)
    """
    if choices.typed:
        rows = typed_rows(choices.ids, settings)
        return len(rows), len(rows[0])
    last = batches_of(n_tokens, settings, choices.drop_last) - 1
    n_windows = window_count(n_tokens, settings.context_length, settings.stride)
    left = n_windows - min(choices.batch, last) * settings.batch_size
    return min(settings.batch_size, left), settings.context_length
