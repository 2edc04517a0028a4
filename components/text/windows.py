"""Sliding windows over token IDs, their batches, and how often each token is used.

A window is T inputs and T targets; the target of a token is the next token. Follows torch.utils.data:
https://docs.pytorch.org/docs/stable/data.html
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch
from jaxtyping import Int
from torch import Tensor
from torch.utils.data import DataLoader, TensorDataset

from components.base.settings import Settings
from components.text.window_counts import fills_window, require_batches, typed_batch, window_count

Ids = Sequence[int] | np.ndarray | Tensor


def sliding_windows(ids: Ids, max_length: int, stride: int) -> tuple[Int[Tensor, "N T"], Int[Tensor, "N T"]]:
    """Return inputs and targets, both [N, T] int64; the targets are the inputs shifted by one position."""
    ids = torch.tensor(np.asarray(ids), dtype=torch.int64)  # [tokens]
    if len(ids) <= max_length:
        return ids.new_empty(0, max_length), ids.new_empty(0, max_length)
    return ids[:-1].unfold(0, max_length, stride), ids[1:].unfold(0, max_length, stride)  # [N, T], [N, T]


def window_dataloader(
    ids: Ids,
    max_length: int,
    stride: int,
    batch_size: int,
    shuffle: bool = False,
    drop_last: bool = True,
    seed: int | None = None,
) -> DataLoader:
    """Return a DataLoader over the windows; each batch is [inputs [B, T], targets [B, T]].

    The shuffled order depends on `seed` alone; without a seed it differs from run to run. The process-wide random state
    is not changed.

    >>> loader = window_dataloader(range(9), max_length=2, stride=2, batch_size=2)
    >>> [inputs.tolist() for inputs, targets in loader]
    [[[0, 1], [2, 3]], [[4, 5], [6, 7]]]
    """
    windows = TensorDataset(*sliding_windows(ids, max_length, stride))
    generator = torch.Generator()  # without one, a DataLoader samples from the process-wide random state
    if seed is None:
        generator.seed()
    else:
        generator.manual_seed(seed)
    shuffle = shuffle and len(windows) > 0  # the sampler that shuffles rejects an empty dataset
    return DataLoader(windows, batch_size, shuffle, drop_last=drop_last, generator=generator)


def window_order(n_windows: int, shuffle: bool, seed: int) -> Int[Tensor, "N"]:
    """Return the indices of the windows in the order in which `window_dataloader` takes them."""
    if not shuffle:
        return torch.arange(n_windows)
    generator = torch.Generator().manual_seed(seed)
    torch.empty((), dtype=torch.int64).random_(generator=generator)  # a DataLoader first samples a seed for its workers
    return torch.randperm(n_windows, generator=generator)


def make_batch(token_ids: Ids, settings: Settings) -> Int[Tensor, "B T"]:
    """Return the batch of the journey [B, T]: the typed IDs, or the chosen batch of the text's windows.

    The tokens of a text without a window are one sequence [1, n]. An index of a batch that does not exist gives the
    last batch. Raises ValueError if there is none. The message is shown to learners.
    """
    if settings.typed:
        return torch.tensor(typed_batch(settings))
    if not fills_window(len(token_ids), settings):
        return torch.tensor(token_ids, dtype=torch.int64)[None]  # [1, n]
    last = require_batches(len(token_ids), settings) - 1
    inputs, _ = sliding_windows(token_ids, settings.context_length, settings.stride)  # [N, T], [N, T]
    first = min(settings.batch, last) * settings.batch_size
    order = window_order(len(inputs), settings.shuffle, settings.seed)
    return inputs[order[first : first + settings.batch_size]]  # [B, T]


def coverage(
    n_tokens: int, max_length: int, stride: int, windows: Ids
) -> tuple[Int[Tensor, "tokens"], Int[Tensor, "tokens"]]:
    """Return how often each token is an input and how often a target in the given windows.

    An unused token is neither: skipped by a stride above T, left over at the end, or dropped with the last batch.

    >>> [counts.tolist() for counts in coverage(6, max_length=2, stride=2, windows=[0, 1])]
    [[1, 1, 1, 1, 0, 0], [0, 1, 1, 1, 1, 0]]
    """
    starts = torch.as_tensor(windows, dtype=torch.int64) * stride  # [n]
    return times_covered(starts, max_length, n_tokens), times_covered(starts + 1, max_length, n_tokens)


def times_covered(starts: Int[Tensor, "n"], length: int, n_tokens: int) -> Int[Tensor, "tokens"]:
    """Return in how many windows each token is, if each window begins at one of `starts`.

    Windows that have begun minus windows that have ended: a list of all positions would take n x T numbers.

    >>> times_covered(torch.tensor([0, 2]), length=3, n_tokens=6)
    tensor([1, 1, 2, 1, 1, 0])
    """
    begun, ended = (torch.bincount(edges, minlength=n_tokens + 1) for edges in (starts, starts + length))
    return (begun - ended).cumsum(0)[:n_tokens]


class UnusedTokens(NamedTuple):
    """The number of unused tokens: left over at the end, skipped between windows, dropped with the last batch."""

    tail: int
    skipped: int
    dropped: int


def count_unused_tokens(n_tokens: int, max_length: int, stride: int, windows: Ids) -> UnusedTokens:
    """Return how many tokens are neither input nor target in the given windows, and why.

    >>> count_unused_tokens(12, max_length=2, stride=4, windows=[0, 1])
    UnusedTokens(tail=1, skipped=2, dropped=3)
    >>> count_unused_tokens(2, max_length=2, stride=4, windows=[])
    UnusedTokens(tail=2, skipped=0, dropped=0)
    """
    N = window_count(n_tokens, max_length, stride)
    used_by_all_windows = sum(coverage(n_tokens, max_length, stride, range(N))) > 0  # [tokens]
    used = sum(coverage(n_tokens, max_length, stride, windows)) > 0  # [tokens]
    end = (N - 1) * stride + max_length + 1 if N else 0
    tail = n_tokens - end
    return UnusedTokens(tail, int((~used_by_all_windows).sum()) - tail, int((used_by_all_windows & ~used).sum()))
