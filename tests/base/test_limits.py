import torch

from components.base import limits


def test_a_table_takes_the_bytes_that_torch_counts():
    assert limits.table_bytes(17, 5) == torch.empty(17, 5).nbytes == 340


def test_every_limit_can_be_reached_with_the_others_at_their_lowest():
    assert limits.MAX_VOCAB_SIZE <= limits.MAX_TABLE_CELLS
    assert limits.MAX_DIM <= limits.MAX_TABLE_CELLS
    assert limits.MAX_BATCH_SIZE * limits.MAX_CONTEXT_LENGTH <= limits.MAX_BATCH_CELLS
    assert limits.MAX_CONTEXT_LENGTH * limits.MAX_DIM <= limits.MAX_BATCH_CELLS
