import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from components.base.limits import MAX_TIMING_BYTES
from components.embedding import timing
from components.embedding.timing import REPEATS, SIZES, Timing, extrapolate, measure, median_seconds, sizes_that_fit


@given(st.integers(1, 256), st.integers(1, 1_024))
def test_sizes_that_fit_are_all_below_the_memory_limit(n_ids, dim):
    def bytes_of(V: int) -> int:
        table, hot = torch.empty(V, dim, device="meta"), torch.empty(n_ids, V, device="meta")
        return table.nbytes + hot.nbytes + hot.to(torch.int64).nbytes  # one_hot makes int64

    sizes = sizes_that_fit(n_ids, dim)
    assert sizes == [V for V in SIZES if bytes_of(V) <= MAX_TIMING_BYTES]
    assert len(sizes) >= 2


def test_measure_yields_every_size_and_leaves_the_random_state(monkeypatch):
    monkeypatch.setattr(timing, "SIZES", (16, 32))
    before = torch.get_rng_state()
    assert [found.vocab_size for found in measure(n_ids=64, dim=64) if min(found.lookup, found.product) > 0] == [16, 32]
    assert torch.equal(torch.get_rng_state(), before)


def test_median_seconds_runs_once_more_to_warm_up():
    runs = []
    median_seconds(lambda: runs.append(1))
    assert len(runs) == REPEATS + 1


def test_extrapolate_continues_a_power_of_v():
    timings = [Timing(V, 2e-6, 3e-9 * V**0.5) for V in (64, 128, 256)]
    assert extrapolate(timings, 50_257) == pytest.approx((2e-6, 3e-9 * 50_257**0.5))
