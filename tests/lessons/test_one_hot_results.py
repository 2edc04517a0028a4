import numpy as np
import pytest
import torch

from components.embedding.one_hot import both_ways, gradients, random_upstream
from components.embedding.tables import token_table
from components.lessons.one_hot.page_results import results

IDS = torch.tensor([2, 3, 5, 1, 2, 0, 4, 5, 2, 1])


@pytest.mark.parametrize(("V", "D", "seed"), [(6, 3, 1), (50, 40, 9), (50_257, 16, 1)])
def test_results_are_copies_of_the_first_rows_of_the_gradient(V, D, seed):
    table = token_table(V, D, seed).weight.detach()
    ways = both_ways(IDS, table)
    columns = min(D, 16)
    gradient = gradients(IDS, ways.one_hot, table[:, :columns], random_upstream(len(IDS), columns, seed))
    found = results(IDS, V, D, seed)
    rows = [*range(min(V, 7))]  # the six in use, and the first that is not
    assert found.gradient_rows.tolist() == rows
    assert np.array_equal(found.gradient, gradient.product[rows])
    assert np.allclose(found.gradient[:6], gradient.lookup, atol=1e-5)
    assert not found.gradient[6:].any()
    assert found.nbytes < 4_000
    assert (found.used, found.touched) == (6, int(gradient.product.any(dim=1).sum()))
    assert found.gradient_difference == (gradient.lookup - gradient.product[:6]).abs().max()
    assert found.largest_difference == (ways.product - ways.lookup).abs().max()
    assert found.linear_is_equal


@pytest.mark.parametrize(
    "other", [(IDS.flip(0), 50, 4, 1), (IDS, 51, 4, 1), (IDS, 50, 5, 1), (IDS, 50, 4, 2)], ids=range(4)
)
def test_results_for_the_same_input_are_computed_once(other):
    first = results(IDS, 50, 4, 1)
    assert results(IDS.clone(), 50, 4, 1) is first
    assert results(*other) is not first
