from collections import Counter

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from components.base.limits import MAX_TRAINING_TOKENS
from components.embedding.tables import seeded_generator
from components.text.windows import sliding_windows
from components.training.config import TrainingConfig
from components.training.recorded import RecordedTraining
from components.training.training_text import PAD, SPARE_ROWS, TrainingText, training_text

# More tokens than the longest window has, among them both of two.
IDS = st.lists(st.integers(0, 9), min_size=7, max_size=50).map(lambda ids: [3, 8, *ids])
SIZES = st.tuples(st.integers(1, 8), st.integers(1, 12))


def windows(ids, T=4, stride=4) -> TrainingText:
    return training_text(ids, T, stride)


def naive_windows(ids: list[int], T: int, stride: int) -> tuple[list, list]:
    """Every window that begins in the text, with -1 where the text is over; at least one of them is full."""
    padded = [*ids, *[-1] * (T + stride + 1)]
    last_full = max(start for start in range(0, len(ids), stride) if start + T < len(ids))
    starts = [start for start in range(0, len(ids) - 1, stride) if start <= last_full + stride]  # with a next token
    return [padded[s : s + T] for s in starts], [padded[s + 1 : s + T + 1] for s in starts]


def decoded(text: TrainingText, rows: torch.Tensor) -> list:
    return [[text.token_ids[row] for row in window] for window in rows.tolist()]


def brute_force_pairs(text: TrainingText) -> Counter:
    return Counter(zip(text.inputs.flatten().tolist(), text.targets.flatten().tolist(), strict=True))


@given(IDS, SIZES)
def test_windows_are_those_of_a_naive_loop_with_a_filled_tail(ids, sizes):
    text = windows(ids, *sizes)
    inputs, targets = naive_windows(ids, *sizes)
    assert decoded(text, text.inputs) == inputs
    assert decoded(text, text.targets) == targets


@given(IDS, SIZES)
def test_full_windows_are_those_of_the_windows_lesson(ids, sizes):
    text = windows(ids, *sizes)
    inputs, targets = sliding_windows(ids, *sizes)
    assert decoded(text, text.inputs[: len(inputs)]) == inputs.tolist()
    assert decoded(text, text.targets[: len(inputs)]) == targets.tolist()
    assert len(text.inputs) - len(inputs) in (0, 1)
    assert not (text.inputs[:-1] == PAD).any()


@given(IDS)
def test_without_gaps_the_windows_give_back_the_text_but_for_a_last_token_alone(ids):
    text = windows(ids, 4, 4)
    alone = len(ids) % 4 == 1
    assert [i for window in decoded(text, text.inputs) for i in window if i >= 0] == ids[: len(ids) - alone]
    assert [text.token_ids[row] for row in text.rows] == ids


@given(IDS, SIZES)
def test_rows_count_tokens_from_the_lowest_id_and_spare_rows_are_never_in_the_text(ids, sizes):
    text = windows(ids, *sizes)
    used = len(set(ids))
    assert text.token_ids[: 1 + used] == (-1, *sorted(set(ids)))
    assert [text.counts[row] for row in range(1, 1 + used)] == [ids.count(i) for i in sorted(set(ids))]
    spare = text.token_ids[1 + used :]
    assert len(spare) == SPARE_ROWS
    assert not {0, *ids} & set(spare)
    assert text.counts[1 + used :] == (0,) * SPARE_ROWS
    assert max(text.inputs.max(), text.targets.max()) <= used
    assert (text.n_tokens, text.vocab_size) == (len(ids), len(text.token_ids))


@given(IDS, SIZES)
def test_pairs_are_counted_over_all_windows(ids, sizes):
    text = windows(ids, *sizes)
    assert text.pairs == brute_force_pairs(text)


@given(IDS, SIZES)
def test_the_entropy_of_pairs_is_that_of_the_target_given_the_input(ids, sizes):
    text = windows(ids, *sizes)
    pairs, entropy = brute_force_pairs(text), 0.0
    total = sum(pairs.values())
    for row in range(text.vocab_size):
        of_row = [count for (first, _), count in pairs.items() if first == row]
        entropy -= sum(count / total * np.log(count / sum(of_row)) for count in of_row)
    assert text.conditional_entropy == pytest.approx(entropy, abs=1e-12)


@given(IDS, SIZES)
def test_followers_are_shares_of_what_comes_next_in_the_text(ids, sizes):
    text = windows(ids, *sizes)
    for row in range(text.vocab_size):
        then = [b for a, b in zip(text.rows.tolist(), text.rows[1:].tolist(), strict=False) if a == row]
        wanted = np.bincount(np.array(then, dtype=int), minlength=text.vocab_size) / max(1, len(then))
        assert text.followers(row) == pytest.approx(wanted)


@given(IDS, st.integers(1, 12))
def test_the_most_frequent_rows_come_first_and_none_that_is_not_used(ids, most):
    text = windows(ids)
    rows = text.frequent_rows(most)
    assert rows == sorted(rows)
    assert len(rows) == min(most, len(set(ids)))
    left = [count for row, count in enumerate(text.counts) if row not in rows]
    assert min(text.counts[row] for row in rows) >= max(1, *left)


def test_a_token_has_its_row_and_one_that_is_not_in_the_model_none():
    text = windows([7, 5, 7, 5, 7, 9])
    assert [text.row(i) for i in (5, 7, 9, 1, 4, 0)] == [1, 2, 3, 4, None, None]


def test_a_tail_of_one_token_has_no_next_one_and_makes_no_window():
    text = windows([1, 2, 1, 2, 3])
    assert decoded(text, text.targets) == [[2, 1, 2, 3]]
    assert decoded(windows([1, 2, 1, 2, 3, 1]), windows([1, 2, 1, 2, 3, 1]).targets)[1:] == [[1, -1, -1, -1]]
    assert windows([1, 2], T=1, stride=2).inputs.tolist() == [[1]]


def test_of_a_longer_text_the_first_tokens_are_used():
    ids = 1 + np.arange(MAX_TRAINING_TOKENS + 50) % 7
    ids[MAX_TRAINING_TOKENS:] = 40
    text = windows(ids, T=16, stride=16)
    assert text.n_tokens == sum(text.counts) == MAX_TRAINING_TOKENS
    assert text.row(40) is None
    assert text.pairs == windows(ids[:MAX_TRAINING_TOKENS], T=16, stride=16).pairs


def test_ids_are_left_as_they_are():
    ids = np.array([7, 5, 7, 5, 7, 9])
    ids.setflags(write=False)
    assert windows(ids).counts == windows(ids.tolist()).counts
    assert ids.tolist() == [7, 5, 7, 5, 7, 9]


@pytest.mark.parametrize("batch_size", [2, 4])
def test_without_positions_the_loss_comes_near_the_entropy_of_pairs_but_not_below(batch_size):
    ids = torch.randint(1, 4, (15,), generator=seeded_generator(3)).numpy()
    text = windows(ids)
    assert len(text.inputs) == 4
    recipe = TrainingConfig(
        8, batch_size=batch_size, position="none", padding_idx=False, optimizer="adam", learning_rate=0.01
    )
    training = RecordedTraining(text, recipe)
    training.advance(500 * 4 // batch_size, seconds=60.0)
    epochs = np.array(training.losses).reshape(500, -1).mean(axis=1)
    assert text.conditional_entropy > 0.1
    assert epochs.min() > text.conditional_entropy - 1e-6
    assert epochs[-1] < text.conditional_entropy + 0.05
