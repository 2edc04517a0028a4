import numpy as np
import pytest
import torch

from components.base.limits import MAX_TRAINING_TOKENS
from components.training.training_text import training_text


def test_long_training_text_uses_first_tokens_and_changes_none():
    ids = 1 + np.arange(MAX_TRAINING_TOKENS + 50) % 7
    ids[MAX_TRAINING_TOKENS:] = 40
    ids.setflags(write=False)
    text = training_text(ids, 16, 16)
    assert len(text.rows) == sum(text.counts) == MAX_TRAINING_TOKENS
    assert text.token_ids == (-1, *range(1, 8), 8, 9, 10)
    assert text.rows_to_show(most=6) == [0, 1, 2, 8, 9, 10]
    assert torch.equal(text.inputs, training_text(ids[:MAX_TRAINING_TOKENS].tolist(), 16, 16).inputs)


@pytest.mark.parametrize("ids", [[], [7]])
def test_training_text_without_a_next_token_is_refused(ids):
    with pytest.raises(ValueError, match=rf"A text of {len(ids)} tokens? has no next token"):
        training_text(ids, 4, 4)
