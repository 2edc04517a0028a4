from collections import Counter

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from components.base.limits import MAX_TRAINING_TOKENS
from components.training.training_text import PAD, SPARE_ROWS, TrainingText, training_text

# More tokens than the longest window has, at least two of them different.
IDS = st.lists(st.integers(0, 9), min_size=7, max_size=50).map(lambda ids: [3, 8, *ids])
SIZES = st.tuples(st.integers(1, 8), st.integers(1, 12))


def padded_windows(ids: list[int], T: int, stride: int) -> tuple[list, list]:
    """Return inputs and targets of the full windows, and of one padded with -1 if two tokens or more are left."""
    padded = [*ids, *[-1] * (T + 1)]
    n_full = len(range(0, len(ids) - T, stride))
    starts = range(0, len(ids) - 1, stride)[: n_full + 1]
    return [padded[s : s + T] for s in starts], [padded[s + 1 : s + T + 1] for s in starts]


def ids_of(text: TrainingText, windows: torch.Tensor) -> list[list[int]]:
    return [[text.token_ids[row] for row in window] for window in windows.tolist()]


@given(IDS, SIZES)
def test_training_text_windows_and_entropy_equal_a_plain_loop(ids, sizes):
    text = training_text(ids, *sizes)
    inputs, targets = padded_windows(ids, *sizes)
    assert ids_of(text, text.inputs) == inputs
    assert ids_of(text, text.targets) == targets
    pairs = Counter(zip(text.inputs.flatten().tolist(), text.targets.flatten().tolist(), strict=True))
    entropy, total = 0.0, text.inputs.numel()
    for row in range(text.vocab_size):
        of_row = [count for (first, _), count in pairs.items() if first == row]
        entropy -= sum(count / total * np.log(count / sum(of_row)) for count in of_row)
    assert text.conditional_entropy == pytest.approx(entropy, abs=1e-12)


@given(IDS, st.integers(1, 12))
def test_training_text_rows_count_the_tokens_from_the_lowest_id(ids, most):
    text, used = training_text(ids, 4, 4), sorted(set(ids))
    spare = text.token_ids[1 + len(used) :]
    assert text.token_ids == (-1, *used, *spare)
    assert len(spare) == SPARE_ROWS == 3
    assert not {0, *ids} & {*spare}
    assert text.counts == (0, *[ids.count(i) for i in used], 0, 0, 0)
    assert text.vocab_size == 1 + len(used) + SPARE_ROWS
    assert [text.token_ids[row] for row in text.rows] == ids
    assert [text.row(i) for i in (*used, *spare)] == [*range(1, text.vocab_size)]
    assert text.row(99) is None
    by_count = sorted(range(1, 1 + len(used)), key=lambda row: (-text.counts[row], row))
    assert text.frequent_rows(most) == sorted(by_count[:most])
    assert text.rows_to_show(most + 4) == [PAD, *text.frequent_rows(most), *range(text.vocab_size)[-SPARE_ROWS:]]
    for row in range(text.vocab_size):
        next_rows = [b for a, b in zip(text.rows, text.rows[1:], strict=False) if a == row]
        shares = np.bincount(np.array(next_rows, dtype=int), minlength=text.vocab_size) / max(1, len(next_rows))
        assert text.followers(row) == pytest.approx(shares)


def test_training_text_of_a_longer_text_uses_the_first_tokens_and_changes_nothing():
    ids = 1 + np.arange(MAX_TRAINING_TOKENS + 50) % 7
    ids[MAX_TRAINING_TOKENS:] = 40
    ids.setflags(write=False)
    text = training_text(ids, 16, 16)
    assert len(text.rows) == sum(text.counts) == MAX_TRAINING_TOKENS
    assert text.token_ids == (-1, *range(1, 8), 8, 9, 10)
    assert torch.equal(text.inputs, training_text(ids[:MAX_TRAINING_TOKENS].tolist(), 16, 16).inputs)
