"""The batch [B, T] that travels through the later lessons: cut from the text's IDs, or typed."""

from collections.abc import Sequence
from itertools import islice

from jaxtyping import Int
from torch import Tensor

from components.core.choices import Choices
from components.core.ids import parse_ids
from components.core.settings import Settings
from components.core.windows import window_count, window_dataloader


def too_short(n_tokens: int, settings: Settings) -> str | None:
    """Return a sentence where the text has too few tokens for one window and its target, else None.

    >>> too_short(3, Settings(context_length=4))
    'Your text has 3 tokens; one window of T = 4 and its target need 5: 2 are missing. Write more, or lower T to 2.'
    >>> too_short(5, Settings(context_length=4))
    """
    T = settings.context_length
    if n_tokens > T:
        return None
    needs = f"one window of T = {T:,} and its target need {T + 1:,}: {T + 1 - n_tokens:,} are missing"
    repair = f"Write more, or lower T to {n_tokens - 1:,}." if n_tokens > 1 else "Write more."
    return f"Your text has {n_tokens:,} token{'' if n_tokens == 1 else 's'}; {needs}. {repair}"


def batch_count(n_windows: int, batch_size: int, drop_last: bool) -> int:
    """Return how many batches `n_windows` windows make.

    >>> batch_count(5, 2, drop_last=False), batch_count(5, 2, drop_last=True)
    (3, 2)
    """
    return n_windows // batch_size if drop_last else -(-n_windows // batch_size)


def text_batch(
    token_ids: Sequence[int], settings: Settings, choices: Choices
) -> tuple[Int[Tensor, "B T"], Int[Tensor, "B T"]]:
    """Return the chosen batch of windows, inputs and targets [B, T], from torch's own DataLoader.

    A batch number past the end gives the last batch. Raises ValueError, in a plain sentence, where there is none.

    >>> inputs, targets = text_batch(range(9), Settings(batch_size=2), Choices())
    >>> inputs.tolist(), targets.tolist()
    ([[0, 1, 2, 3], [4, 5, 6, 7]], [[1, 2, 3, 4], [5, 6, 7, 8]])
    """
    problem = too_short(len(token_ids), settings)
    if problem:
        raise ValueError(problem)
    T, B = settings.context_length, settings.batch_size
    n_windows = window_count(len(token_ids), T, settings.stride)
    n_batches = batch_count(n_windows, B, choices.drop_last)
    if n_batches == 0:
        raise ValueError(
            f"drop_last throws away the only batch: {n_windows:,} windows are fewer than B = {B:,}. "
            f"Lower B to {n_windows:,} or turn drop_last off."
        )
    loader = window_dataloader(token_ids, T, settings.stride, B, choices.shuffle, choices.drop_last, settings.seed)
    number = min(choices.batch, n_batches - 1)
    return next(islice(loader, number, None))


def make_batch(token_ids: Sequence[int], settings: Settings, choices: Choices) -> Int[Tensor, "B T"]:
    """Return the batch of the journey [B, T]: the typed IDs where there are any, else the text's chosen batch.

    Raises ValueError, in a plain sentence, where neither gives one.

    >>> make_batch([], Settings(), Choices(ids="2 3 5 1"))
    tensor([[2, 3, 5, 1]])
    """
    if not choices.ids.strip():
        return text_batch(token_ids, settings, choices)[0]
    ids = parse_ids(choices.ids)
    if ids.shape[1] > settings.context_length:
        raise ValueError(
            f"Your rows have {ids.shape[1]:,} IDs; the position table has T = {settings.context_length:,} rows. "
            f"Raise T to {ids.shape[1]:,} or type fewer."
        )
    return ids
