"""Measured times of an embedding lookup and its one-hot matrix product on this machine, as V grows."""

import math
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import torch
from torch.nn import functional as F

from components.base.limits import BYTES_PER_FLOAT, MAX_TIMING_BYTES
from components.embedding.tables import seeded_generator

REPEATS = 15
SIZES = tuple(2**power for power in range(4, 18))  # V from 16 to 131,072


@dataclass(frozen=True)
class Timing:
    """The median seconds of the lookup and of the one-hot product for one V."""

    vocab_size: int
    lookup: float
    product: float


def sizes_that_fit(n_ids: int, dim: int) -> list[int]:
    """Return the values of V to measure: all whose table and one-hot matrix are below the memory limit.

    >>> sizes_that_fit(n_ids=8, dim=16)[-1], sizes_that_fit(n_ids=256, dim=1024)[-1]
    (131072, 4096)
    """
    # one_hot returns int64, twice the size of float32, which is then converted to float32.
    return [V for V in SIZES if V * (dim + 3 * n_ids) * BYTES_PER_FLOAT <= MAX_TIMING_BYTES] or [SIZES[0]]


def measure(n_ids: int, dim: int) -> Iterator[Timing]:
    """Yield the median times for every V that fits; the time of the product includes making the one-hot matrix.

    >>> [timing.vocab_size for timing in measure(n_ids=2, dim=2)][:3]
    [16, 32, 64]
    """
    generator = seeded_generator(0)
    for V in sizes_that_fit(n_ids, dim):
        table = torch.empty(V, dim).normal_(generator=generator)  # [V, D]
        ids = torch.randint(V, (n_ids,), generator=generator)  # [N]
        lookup = median_seconds(lambda ids=ids, table=table: F.embedding(ids, table))
        product = median_seconds(lambda ids=ids, table=table: F.one_hot(ids, num_classes=len(table)).float() @ table)
        yield Timing(V, lookup, product)


def median_seconds(function: Callable[[], object]) -> float:
    """Return the median seconds of REPEATS calls, after one call to warm up.

    >>> 0.001 < median_seconds(lambda: time.sleep(0.001)) < 0.1
    True
    """
    function()
    seconds = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        function()
        seconds.append(time.perf_counter() - start)
    return statistics.median(seconds)


def extrapolate(timings: Sequence[Timing], vocab_size: int) -> tuple[float, float]:
    """Return the expected seconds of lookup and product at `vocab_size`, from the two largest V measured.

    A cost that grows like a power of V is a straight line on logarithmic axes; the line is continued.

    >>> lookup, product = extrapolate([Timing(10, 1.0, 1.0), Timing(100, 1.0, 10.0)], vocab_size=1_000)
    >>> round(lookup, 6), round(product, 6)
    (1.0, 100.0)
    """
    first, last = timings[-2], timings[-1]
    step = math.log(vocab_size / last.vocab_size) / math.log(last.vocab_size / first.vocab_size)
    return (
        last.lookup * (last.lookup / first.lookup) ** step,
        last.product * (last.product / first.product) ** step,
    )
