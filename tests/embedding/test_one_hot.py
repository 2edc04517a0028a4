import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn
from torch.nn import functional as F

from components.base.limits import MAX_ONE_HOT_CELLS, MAX_TIMING_BYTES
from components.embedding.one_hot import (
    both_ways,
    costs,
    first_ids,
    gradients,
    largest_difference,
    one_hot_matrix,
    random_upstream,
    rows_with_gradient,
)
from components.embedding.tables import seeded_generator, token_table
from components.embedding.timing import REPEATS, SIZES, Timing, extrapolate, measure, median_seconds, sizes_that_fit

SHAPES = st.tuples(st.integers(1, 30), st.integers(1, 9), st.integers(1, 20), st.integers(0, 99))


def made_up(V, D, N, seed):
    draw = seeded_generator(seed)
    return torch.randint(V, (N,), generator=draw), torch.randn(V, D, generator=draw)


@given(SHAPES)
def test_product_lookup_and_linear_layer_give_the_rows(shape):
    ids, table = made_up(*shape)
    ways = both_ways(ids, table)
    assert torch.equal(ways.lookup, table[ids])
    assert torch.equal(ways.one_hot.argmax(dim=1), ids)
    assert ways.one_hot.sum(dim=1).tolist() == [1.0] * len(ids)
    assert largest_difference(ways.product, ways.lookup) == 0
    V, D = table.shape
    layer = nn.utils.skip_init(nn.Linear, V, D, bias=False)
    layer.weight = nn.Parameter(table.T)
    assert torch.allclose(layer(ways.one_hot), ways.linear, atol=1e-6)
    assert torch.allclose(ways.linear, ways.lookup, atol=1e-6)


def test_the_table_of_the_lessons_is_left_as_it_is():
    table = token_table(50, 4, 1).weight.detach()
    before = table.clone()
    ids = torch.tensor([1, 2])
    both_ways(ids, table)
    gradients(ids, one_hot_matrix(ids, table), table, torch.ones(2, 4))
    assert torch.equal(table, before)
    assert not table.requires_grad


def test_one_hot_matrix_has_at_most_as_many_rows_as_fit():
    most = MAX_ONE_HOT_CELLS // 200_019
    assert len(first_ids(torch.zeros(2, most, dtype=torch.int64), vocab_size=200_019)) == most
    assert first_ids(torch.tensor([[2, 3], [5, 1]]), MAX_ONE_HOT_CELLS * 2).tolist() == [2]
    assert first_ids(torch.tensor([[2, 3], [5, 1]]), vocab_size=6).tolist() == [2, 3, 5, 1]


@given(SHAPES)
def test_costs_are_counted_by_the_shapes(shape):
    V, D, N, _ = shape
    took = costs(N, V, D)
    assert took.multiplications == sum(1 for _ in range(N) for _ in range(V) for _ in range(D))
    assert took.multiplications - took.additions == N * D
    ids, table = made_up(*shape)
    ways = both_ways(ids, table)
    assert took.product_bytes == ways.one_hot.nbytes + table.nbytes
    assert took.lookup_bytes == ways.lookup.nbytes + ids.nbytes


@given(SHAPES)
def test_both_ways_send_the_same_gradient_and_none_to_rows_that_are_not_used(shape):
    ids, table = made_up(*shape)
    upstream = random_upstream(len(ids), table.shape[1], seed=1)
    found = gradients(ids, one_hot_matrix(ids, table), table, upstream)
    by_hand = torch.zeros_like(table)
    for position, i in enumerate(ids.tolist()):
        by_hand[i] += upstream[position]
    assert found.rows.tolist() == sorted({*ids.tolist()})
    assert torch.allclose(found.lookup, by_hand[found.rows], atol=1e-5)
    assert largest_difference(found.lookup, found.product[found.rows]) <= 1e-5
    unused = [i for i in range(len(table)) if i not in ids.tolist()]
    assert not found.product[unused].any()
    assert rows_with_gradient(found.product) == rows_with_gradient(by_hand)


def test_the_upstream_gradient_is_that_of_torch_for_the_seed():
    generator = torch.Generator().manual_seed(9)
    assert torch.equal(random_upstream(n_ids=5, dim=7, seed=9), torch.randn(5, 7, generator=generator))


@given(st.integers(1, 256), st.integers(1, 1_024))
@settings(max_examples=50)
def test_what_is_timed_stays_below_the_memory_limit(n_ids, dim):
    sizes = sizes_that_fit(n_ids, dim)
    V = sizes[-1]
    table, hot = torch.empty(V, dim, device="meta"), torch.empty(n_ids, V, device="meta")
    assert table.nbytes + hot.nbytes + 2 * hot.nbytes <= MAX_TIMING_BYTES
    assert sizes == list(SIZES[: len(sizes)])
    assert len(sizes) >= 2


def test_every_size_is_timed_both_ways_and_the_random_state_stays():
    before = torch.get_rng_state()
    timings = list(measure(n_ids=64, dim=64))
    assert torch.equal(torch.get_rng_state(), before)
    assert [timing.vocab_size for timing in timings] == sizes_that_fit(64, 64)
    assert all(timing.lookup > 0 and timing.product > 0 for timing in timings)
    assert F.one_hot(torch.tensor([1]), 3).dtype is torch.int64  # what the limit counts with


def test_a_median_is_taken_after_a_run_that_warms_up():
    runs = []
    assert median_seconds(lambda: runs.append(1)) >= 0
    assert len(runs) == REPEATS + 1


def test_a_power_of_v_is_carried_on():
    timings = [Timing(V, 2e-6, 3e-9 * V**0.5) for V in (64, 128, 256)]
    lookup, product = extrapolate(timings, 50_257)
    assert lookup == pytest.approx(2e-6)
    assert product == pytest.approx(3e-9 * 50_257**0.5)
