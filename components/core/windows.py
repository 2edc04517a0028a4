"""Sliding windows over token IDs: inputs [N, T] and targets [N, T], the targets moved by one.

Follows torch.utils.data (Dataset, DataLoader): https://docs.pytorch.org/docs/stable/data.html
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch
from jaxtyping import Int
from torch import Tensor
from torch.utils.data import DataLoader, Dataset

from components.core.embeddings import seeded
from components.core.shapes import window_count

Ids = Sequence[int] | np.ndarray


def sliding_windows(ids: Ids, max_length: int, stride: int) -> tuple[Int[Tensor, "N T"], Int[Tensor, "N T"]]:
    """Return inputs and targets, both [N, T] int64; the target of a token is the token after it.

    >>> inputs, targets = sliding_windows([10, 11, 12, 13, 14], max_length=2, stride=2)
    >>> inputs.tolist(), targets.tolist()
    ([[10, 11], [12, 13]], [[11, 12], [13, 14]])
    """
    ids = torch.tensor(ids, dtype=torch.int64)
    n_windows = window_count(len(ids), max_length, stride)
    if n_windows == 0:
        nothing = torch.empty(0, max_length, dtype=torch.int64)
        return nothing, nothing.clone()
    inputs = ids[:-1].unfold(0, max_length, stride)  # [N, T]
    targets = ids[1:].unfold(0, max_length, stride)  # [N, T]
    return inputs, targets


class WindowDataset(Dataset):
    """The windows as a torch Dataset: item n is (input [T], target [T]).

    >>> dataset = WindowDataset([10, 11, 12, 13, 14], max_length=2, stride=2)
    >>> len(dataset), dataset[1]
    (2, (tensor([12, 13]), tensor([13, 14])))
    """

    def __init__(self, ids: Ids, max_length: int, stride: int) -> None:
        self.inputs, self.targets = sliding_windows(ids, max_length, stride)

    def __len__(self) -> int:
        return len(self.inputs)

    def __getitem__(self, n: int) -> tuple[Int[Tensor, "T"], Int[Tensor, "T"]]:
        return self.inputs[n], self.targets[n]


def _loader(dataset: Sequence | Dataset, batch_size: int, shuffle: bool, drop_last: bool, seed: int, **extra):
    # Without a generator of its own, each pass of a DataLoader would draw from the process-wide random state.
    generator = seeded(seed)
    # RandomSampler refuses an empty dataset, and there is nothing to shuffle in it.
    shuffle = shuffle and len(dataset) > 0
    return DataLoader(dataset, batch_size, shuffle, drop_last=drop_last, generator=generator, **extra)


def window_dataloader(
    ids: Ids,
    max_length: int,
    stride: int,
    batch_size: int,
    shuffle: bool = False,
    drop_last: bool = False,
    seed: int = 0,
) -> DataLoader:
    """Return a DataLoader over the windows; each batch is (inputs [B, T], targets [B, T]).

    The order depends on `seed` alone, and the process-wide random state stays as it is.

    >>> loader = window_dataloader(range(9), max_length=2, stride=2, batch_size=2)
    >>> [inputs.tolist() for inputs, targets in loader]
    [[[0, 1], [2, 3]], [[4, 5], [6, 7]]]
    """
    return _loader(WindowDataset(ids, max_length, stride), batch_size, shuffle, drop_last, seed)


def window_order(n_windows: int, shuffle: bool, seed: int) -> list[int]:
    """Return in which order `window_dataloader` hands out the windows, however many make a batch.

    >>> window_order(3, shuffle=False, seed=0), window_order(3, shuffle=True, seed=0)
    ([0, 1, 2], [2, 1, 0])
    """
    # All in one batch: to go through 100,000 batches of one window each would take seconds.
    return next(iter(_loader(range(n_windows), max(n_windows, 1), shuffle, False, seed, collate_fn=list)), [])


def batch_order(n_windows: int, batch_size: int, shuffle: bool, drop_last: bool, seed: int) -> list[list[int]]:
    """Return, batch by batch, which windows `window_dataloader` hands out for the same arguments.

    >>> batch_order(5, batch_size=2, shuffle=False, drop_last=True, seed=0)
    [[0, 1], [2, 3]]
    """
    order = window_order(n_windows, shuffle, seed)
    used = n_windows - n_windows % batch_size if drop_last else n_windows
    return [order[first : first + batch_size] for first in range(0, used, batch_size)]


def coverage(
    n_tokens: int, max_length: int, stride: int, windows: Ids
) -> tuple[Int[Tensor, "tokens"], Int[Tensor, "tokens"]]:
    """Return how often each token is an input and how often a target, counted over the given windows.

    A token that is neither is lost: skipped by a stride above T, left over at the tail, or dropped with its batch.

    >>> [counts.tolist() for counts in coverage(6, max_length=2, stride=2, windows=[0, 1])]
    [[1, 1, 1, 1, 0, 0], [0, 1, 1, 1, 1, 0]]
    """
    starts = torch.tensor(windows, dtype=torch.int64) * stride  # [n]

    def covered(starts: Int[Tensor, "n"]) -> Int[Tensor, "tokens"]:
        # Begun windows minus ended ones: to write out every place would take n x T numbers.
        begun, ended = (torch.bincount(edges, minlength=n_tokens + 1) for edges in (starts, starts + max_length))
        return (begun - ended).cumsum(0)[:n_tokens]

    return covered(starts), covered(starts + 1)


class Lost(NamedTuple):
    """Tokens that no batch uses: left over at the tail, skipped between windows, dropped with the last batch."""

    tail: int
    skipped: int
    dropped: int


def lost_tokens(n_tokens: int, max_length: int, stride: int, windows: Ids) -> Lost:
    """Return how many tokens are neither input nor target in the given windows, and why.

    >>> lost_tokens(12, max_length=2, stride=4, windows=[0, 1])
    Lost(tail=1, skipped=2, dropped=3)
    """
    count = window_count(n_tokens, max_length, stride)
    used_by_all = sum(coverage(n_tokens, max_length, stride, range(count))) > 0  # [tokens]
    used = sum(coverage(n_tokens, max_length, stride, windows)) > 0  # [tokens]
    end = (count - 1) * stride + max_length + 1 if count else 0
    tail = n_tokens - end
    return Lost(tail, int((~used_by_all).sum()) - tail, int((used_by_all & ~used).sum()))
