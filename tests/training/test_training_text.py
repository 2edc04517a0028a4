from collections import Counter
from itertools import combinations

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

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


@given(st.lists(st.integers(1, 8), min_size=2, max_size=40), st.integers(1, 8), st.integers(1, 8))
def test_follower_and_shared_targets_are_counted_in_the_windows(ids, T, stride):
    text = training_text(ids, T, stride)
    pairs = [*zip(text.inputs.flatten().tolist(), text.targets.flatten().tolist(), strict=True)]
    in_general = Counter(target for _, target in pairs)
    for one, other in combinations(range(1, text.vocab_size), 2):
        counts = [Counter(target for row, target in pairs if row == each) for each in (one, other)]
        shares = [min(each[row] / max(1, each.total()) for each in counts) for row in range(1, text.vocab_size)]
        np.testing.assert_allclose(text.shared_targets(one, other), [0, *shares])
        usual = [min(0.5, 2 * in_general[row] / len(pairs)) for row in range(1, text.vocab_size)]
        often = {
            row: share for row, (share, least) in enumerate(zip(shares, usual, strict=True), 1) if share >= least > 0
        }
        assert text.common_follower(one, other) == (max(often, key=often.get) if often else None)
