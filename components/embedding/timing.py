"""Measured times of an embedding lookup and its one-hot matrix product on this machine, as V grows."""

import math
import statistics
from collections.abc import Callable, Iterator
from timeit import Timer
from typing import NamedTuple

import torch
from torch.nn import functional as F

from components.base.limits import MAX_TIMED_COLUMNS, MAX_TIMED_IDS

REPETITIONS = 25
SECONDS = 0.001  # of a repetition at least: fast functions are called several times in each
SIZES = (16, 64, 256, 1_024, 4_096, 16_384, 50_257)  # V, up to GPT-2's


class Quartiles(NamedTuple):
    """The seconds of a call: a quarter of the repetitions took less than `first`, half of them less than `median`."""

    first: float
    median: float
    third: float


class Timing(NamedTuple):
    """The seconds of the lookup and of the one-hot product for one V."""

    vocab_size: int
    lookup: Quartiles
    product: Quartiles


def measure(n_ids: int, dim: int) -> Iterator[Timing]:
    """Yield the times for every V; the time of the product includes making the one-hot matrix."""
    generator = torch.Generator().manual_seed(0)
    for V in SIZES:
        table = torch.empty(V, min(dim, MAX_TIMED_COLUMNS)).normal_(generator=generator)  # [V, D]
        ids = torch.randint(V, (min(n_ids, MAX_TIMED_IDS),), generator=generator)  # [N]
        lookup = quartiles(lambda ids=ids, table=table: F.embedding(ids, table))
        product = quartiles(lambda ids=ids, table=table: F.one_hot(ids, num_classes=len(table)).float() @ table)
        yield Timing(V, lookup, product)


def quartiles(function: Callable[[], object]) -> Quartiles:
    """Return the quartiles of the seconds of a call in REPETITIONS repetitions, after one call to warm up."""
    function()
    timer = Timer(function)
    calls = max(1, math.ceil(SECONDS / max(timer.timeit(1), 1e-9)))
    times = [seconds / calls for seconds in timer.repeat(REPETITIONS, calls)]
    return Quartiles(*statistics.quantiles(times, method="inclusive"))
