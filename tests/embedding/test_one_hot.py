import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn
from torch.nn import functional as F

from components.base.limits import MAX_ONE_HOT_CELLS
from components.embedding.one_hot import (
    both_ways,
    costs,
    first_ids,
    gradients,
    largest_difference,
    one_hot_matrix,
    random_upstream,
)

SHAPES = st.tuples(st.integers(1, 30), st.integers(1, 9), st.integers(1, 20), st.integers(0, 99))


def random_ids_and_table(V: int, D: int, N: int, seed: int) -> tuple[torch.Tensor, torch.Tensor]:
    generator = torch.Generator().manual_seed(seed)
    return torch.randint(V, (N,), generator=generator), torch.randn(V, D, generator=generator)


@given(SHAPES)
def test_both_ways_return_the_rows_at_the_costs_of_their_shapes(shape):
    ids, table = random_ids_and_table(*shape)
    V, D, N, _ = shape
    before, ways = table.clone(), both_ways(ids, table)
    assert torch.equal(ways.one_hot, F.one_hot(ids, V).float())
    assert torch.equal(ways.lookup, table[ids])
    assert largest_difference(ways.product, ways.lookup) == 0
    layer = nn.utils.skip_init(nn.Linear, V, D, bias=False)
    layer.weight = nn.Parameter(table.T)
    assert torch.allclose(layer(ways.one_hot), ways.linear, atol=1e-6)
    assert torch.allclose(ways.linear, ways.lookup, atol=1e-6)
    assert torch.equal(table, before)
    cost = costs(N, V, D)
    assert (cost.multiplications, cost.additions) == (N * V * D, N * V * D - N * D)
    assert cost.product_bytes == ways.one_hot.nbytes + table.nbytes
    assert cost.lookup_bytes == ways.lookup.nbytes + ids.nbytes


@given(SHAPES)
def test_gradients_of_both_ways_are_the_sums_over_the_positions_of_each_id(shape):
    ids, table = random_ids_and_table(*shape)
    before, upstream = table.clone(), random_upstream(len(ids), table.shape[1], seed=1)
    found = gradients(ids, one_hot_matrix(ids, table), table, upstream)
    expected = torch.zeros_like(table)
    for position, token_id in enumerate(ids.tolist()):
        expected[token_id] += upstream[position]
    assert found.rows.tolist() == sorted({*ids.tolist()})
    assert torch.allclose(found.lookup, expected[found.rows], atol=1e-5)
    assert torch.allclose(found.product, expected, atol=1e-5)
    unused = [row for row in range(len(table)) if row not in ids.tolist()]
    assert not found.product[unused].any()
    assert torch.equal(table, before)
    assert not table.requires_grad


@pytest.mark.parametrize(("vocab_size", "expected"), [(MAX_ONE_HOT_CELLS // 3, 3), (MAX_ONE_HOT_CELLS * 2, 1), (6, 4)])
def test_first_ids_of_a_large_vocabulary_are_those_whose_matrix_fits(vocab_size, expected):
    assert first_ids(torch.tensor([[2, 3], [5, 1]]), vocab_size).tolist() == [2, 3, 5, 1][:expected]
