"""What the page of One-hot does not show: its numbers are compared with those of its program."""

import torch

from components.base.limits import MAX_ONE_HOT_CELLS
from components.embedding.one_hot import first_ids, gradients, one_hot_matrix, random_upstream


def test_gradients_leave_the_table_of_all_sessions_without_one():
    ids, table = torch.tensor([2, 0]), torch.ones(3, 4)
    gradients(ids, one_hot_matrix(ids, table), table, random_upstream(2, 4, seed=1))
    assert not table.requires_grad
    assert table.unique().tolist() == [1.0]


def test_first_ids_are_one_at_least():
    assert first_ids(torch.tensor([[2, 3], [5, 1]]), MAX_ONE_HOT_CELLS * 2).tolist() == [2]
