"""What the one-hot lesson shows: the numbers of its tensors, stored once, without the tensors themselves."""

import numpy as np
import pytest
import torch

from components.embedding.one_hot import both_ways, gradients, random_upstream
from components.embedding.tables import token_table
from components.lessons.one_hot.page_results import results

IDS = torch.tensor([2, 3, 5, 1, 2, 0, 4, 5, 2, 1])


@pytest.mark.parametrize(("V", "D", "seed"), [(6, 3, 1), (50, 40, 9), (50_257, 16, 1)])
def test_results_are_the_first_elements_of_the_tensors(V, D, seed):
    table = token_table(V, D, seed).weight.detach()
    columns = min(D, 16)
    ways, upstream = both_ways(IDS, table), random_upstream(len(IDS), columns, seed)
    gradient = gradients(IDS, ways.one_hot, table[:, :columns], upstream)
    found = results(IDS, V, D, seed)
    assert np.array_equal(found.product, ways.product[:8, :16])
    assert np.array_equal(found.lookup, table[IDS][:8, :16])
    assert found.used_rows.tolist() == [0, 1, 2, 3, 4, 5]
    assert np.array_equal(found.gradient, gradient.lookup[:6, :16])
    assert (found.used, found.touched) == (6, int(gradient.product.any(dim=1).sum()))
    assert found.gradient_difference == (gradient.lookup - gradient.product[:6]).abs().max()


@pytest.mark.parametrize("other", [(IDS.flip(0), 50, 4, 1), (IDS, 51, 4, 1), (IDS, 50, 5, 1), (IDS, 50, 4, 2)])
def test_results_are_computed_once_for_the_same_input(other):
    first = results(IDS, 50, 4, 1)
    assert results(IDS.clone(), 50, 4, 1) is first
    assert results(*other) is not first


def test_results_do_not_keep_the_tensors_in_memory():
    found = results(IDS, 50_257, 16, 1)
    assert all(part.base is None for part in (found.product, found.lookup, found.gradient, found.used_rows))
    assert found.nbytes < 4_000
