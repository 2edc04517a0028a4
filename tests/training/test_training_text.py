import numpy as np
import torch

from components.base.limits import MAX_TRAINING_TOKENS
from components.training.training_text import training_text


def test_training_text_of_a_longer_text_uses_the_first_tokens_and_changes_nothing():
    ids = 1 + np.arange(MAX_TRAINING_TOKENS + 50) % 7
    ids[MAX_TRAINING_TOKENS:] = 40
    ids.setflags(write=False)
    text = training_text(ids, 16, 16)
    assert len(text.rows) == sum(text.counts) == MAX_TRAINING_TOKENS
    assert text.token_ids == (-1, *range(1, 8), 8, 9, 10)
    assert torch.equal(text.inputs, training_text(ids[:MAX_TRAINING_TOKENS].tolist(), 16, 16).inputs)
