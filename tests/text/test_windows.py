import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from components.base.presets import PUBLISHED
from components.text.tokenizers import get_tokenizer
from components.text.windows import batch_order, coverage, sliding_windows, window_dataloader

STORY = PUBLISHED["story_batch"]
IDS = st.lists(st.integers(0, 50_256), max_size=40)
SMALL = st.integers(1, 8)
SEEDS = st.integers(0, 2**32 - 1)


def by_hand(ids: list[int], T: int, stride: int) -> list[tuple[list[int], list[int]]]:
    windows = []
    for i in range(0, len(ids) - T, stride):
        windows.append((ids[i : i + T], ids[i + 1 : i + T + 1]))
    return windows


@given(IDS, SMALL, SMALL)
def test_windows_equal_slices_by_hand(ids, T, stride):
    inputs, targets = sliding_windows(ids, T, stride)
    assert list(zip(inputs.tolist(), targets.tolist(), strict=True)) == by_hand(ids, T, stride)
    assert inputs.dtype == targets.dtype == torch.int64
    assert inputs.shape == targets.shape == (len(by_hand(ids, T, stride)), T)


@given(IDS, SMALL, SMALL, SMALL, st.booleans(), st.booleans(), SEEDS)
def test_the_loader_hands_out_the_windows_in_the_order_that_is_shown(ids, T, stride, B, shuffle, drop_last, seed):
    windows = by_hand(ids, T, stride)
    order = batch_order(len(windows), B, shuffle, drop_last, seed)
    loader = window_dataloader(ids, T, stride, B, shuffle, drop_last, seed)
    batches = [list(zip(inputs.tolist(), targets.tolist(), strict=True)) for inputs, targets in loader]
    assert batches == [[windows[n] for n in batch] for batch in order]

    drawn = [n for batch in order for n in batch]
    kept = len(windows) - len(windows) % B if drop_last else len(windows)
    assert len(set(drawn)) == len(drawn) == kept
    assert shuffle or drawn == list(range(kept))
    assert all(len(batch) == B for batch in order[:-1])


def test_the_published_story_batch_is_cut_from_its_tokens():
    opening = [token_id for row in STORY["inputs"] for token_id in row] + STORY["targets"][-1][-1:]
    loader = window_dataloader(
        opening, STORY["max_length"], STORY["stride"], STORY["batch_size"], STORY["shuffle"], STORY["drop_last"]
    )
    ((inputs, targets),) = loader
    assert inputs.tolist() == STORY["inputs"]
    assert targets.tolist() == STORY["targets"]


def test_the_whole_story_begins_with_the_published_batch(story):
    ids = get_tokenizer("gpt2").encode(story)
    inputs, targets = next(iter(window_dataloader(ids, max_length=4, stride=4, batch_size=8, drop_last=True)))
    assert inputs.tolist() == STORY["inputs"]
    assert targets.tolist() == STORY["targets"]


def test_the_order_depends_on_the_seed_alone():
    orders = [batch_order(50, 4, shuffle=True, drop_last=False, seed=seed) for seed in (1, 1, 2)]
    assert orders[0] == orders[1] != orders[2]
    with torch.random.fork_rng():
        torch.manual_seed(99)
        assert batch_order(50, 4, shuffle=True, drop_last=False, seed=1) == orders[0]


@pytest.mark.parametrize("shuffle", [True, False])
def test_drawing_batches_leaves_the_process_wide_random_state_as_it_is(shuffle):
    before = torch.get_rng_state()
    assert len(list(window_dataloader(range(99), 4, 2, 8, shuffle=shuffle, drop_last=False, seed=5))) == 6
    assert len(list(window_dataloader(range(99), 4, 2, 8, shuffle=shuffle))) == 6
    assert len(batch_order(48, 8, shuffle, drop_last=False, seed=5)) == 6
    assert torch.equal(torch.get_rng_state(), before)


@pytest.mark.parametrize("shuffle", [True, False])
def test_a_text_without_a_window_gives_no_batches(shuffle):
    assert list(window_dataloader([1, 2], 4, 1, 2, shuffle=shuffle)) == []
    assert batch_order(0, 2, shuffle, drop_last=False, seed=0) == []


@given(st.integers(0, 40), SMALL, SMALL, st.data())
def test_coverage_equals_counting_token_by_token(n_tokens, T, stride, data):
    starts = range(0, n_tokens - T, stride)
    chosen = data.draw(st.lists(st.integers(0, len(starts) - 1)) if starts else st.just([]))
    as_input, as_target = [0] * n_tokens, [0] * n_tokens
    for n in chosen:
        for place in range(starts[n], starts[n] + T):
            as_input[place] += 1
            as_target[place + 1] += 1
    assert [counts.tolist() for counts in coverage(n_tokens, T, stride, chosen)] == [as_input, as_target]


def test_a_stride_equal_to_the_window_uses_each_token_once_and_a_longer_one_loses_some():
    inputs, _ = coverage(9, max_length=4, stride=4, windows=[0, 1])
    assert inputs.tolist() == [1, 1, 1, 1, 1, 1, 1, 1, 0]
    inputs, targets = coverage(12, max_length=2, stride=5, windows=[0, 1])
    assert ((inputs == 0) & (targets == 0)).nonzero().flatten().tolist() == [3, 4, 8, 9, 10, 11]
