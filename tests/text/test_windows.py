import time

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from components.base.limits import MAX_CONTEXT_LENGTH, MAX_TEXT_CHARS
from components.base.presets import PUBLISHED
from components.text.tokenizers import get_tokenizer
from components.text.windows import batch_order, count_unused_tokens, coverage, sliding_windows, window_dataloader

STORY = PUBLISHED["story_batch"]
IDS = st.lists(st.integers(0, 50_256), max_size=40)
SMALL = st.integers(1, 8)


def slices(ids: list[int], T: int, stride: int) -> list[list[list[int]]]:
    return [[ids[i : i + T], ids[i + 1 : i + T + 1]] for i in range(0, len(ids) - T, stride)]


def batches_of(loader) -> list[list[list[list[int]]]]:
    return [[list(window) for window in zip(*(part.tolist() for part in batch), strict=True)] for batch in loader]


@given(IDS, SMALL, SMALL)
def test_sliding_windows_equal_slices(ids, T, stride):
    inputs, targets = sliding_windows(ids, T, stride)
    assert [list(window) for window in zip(inputs.tolist(), targets.tolist(), strict=True)] == slices(ids, T, stride)
    assert inputs.dtype == targets.dtype == torch.int64
    assert inputs.shape == targets.shape == (len(inputs), T)


@given(IDS, SMALL, SMALL, SMALL, st.booleans(), st.booleans(), st.integers(0, 2**32 - 1))
def test_window_dataloader_gives_the_windows_in_the_batch_order(ids, T, stride, B, shuffle, drop_last, seed):
    windows = slices(ids, T, stride)
    order = batch_order(len(windows), B, shuffle, drop_last, seed)
    loader = window_dataloader(ids, T, stride, B, shuffle, drop_last, seed)
    assert batches_of(loader) == [[windows[n] for n in batch] for batch in order]
    used = [n for batch in order for n in batch]
    assert len(set(used)) == len(used) == len(windows) - (len(windows) % B if drop_last else 0)
    assert shuffle or used == sorted(used)
    assert all(len(batch) == B for batch in order[:-1])


def test_window_dataloader_of_the_story_begins_with_the_published_batch(story):
    loader = window_dataloader(get_tokenizer("gpt2").encode(story), STORY["max_length"], STORY["stride"], 8)
    inputs, targets = next(iter(loader))
    assert (inputs.tolist(), targets.tolist()) == (STORY["inputs"], STORY["targets"])
    assert len(loader) == 160  # the last batch is not full: it is dropped by default


def test_batch_order_depends_on_the_seed_alone():
    before = torch.get_rng_state()
    orders = [batch_order(50, 4, shuffle=True, drop_last=False, seed=seed) for seed in (1, 1, 2)]
    assert orders[0] == orders[1] != orders[2]
    assert len([*window_dataloader(range(99), 4, 2, 8, shuffle=False)]) == 6
    first, second = (batches_of(window_dataloader(range(99), 4, 2, 8, shuffle=True)) for _ in range(2))
    assert first != second
    assert torch.equal(torch.get_rng_state(), before)
    with torch.random.fork_rng():
        torch.manual_seed(99)
        assert batch_order(50, 4, shuffle=True, drop_last=False, seed=1) == orders[0]


@given(st.integers(0, 40), SMALL, SMALL, st.data())
def test_coverage_and_unused_tokens_equal_a_count_of_every_window(n_tokens, T, stride, data):
    starts = range(0, n_tokens - T, stride)
    chosen = data.draw(st.lists(st.integers(0, len(starts) - 1)) if starts else st.just([]))
    as_input, as_target, in_some_window = [0] * n_tokens, [0] * n_tokens, set()
    for n, start in enumerate(starts):
        in_some_window.update(range(start, start + T + 1))
        for position in range(start, start + T):
            as_input[position] += chosen.count(n)
            as_target[position + 1] += chosen.count(n)
    assert [counts.tolist() for counts in coverage(n_tokens, T, stride, chosen)] == [as_input, as_target]
    unused = {t for t in range(n_tokens) if not as_input[t] and not as_target[t]}
    tail = set(range(max(in_some_window, default=-1) + 1, n_tokens))
    skipped = set(range(n_tokens)) - in_some_window - tail
    expected = len(tail), len(skipped), len(unused & in_some_window)
    assert count_unused_tokens(n_tokens, T, stride, chosen) == expected


@pytest.mark.parametrize("count", [coverage, count_unused_tokens])
def test_coverage_of_the_longest_text_takes_little_time(count):
    n_tokens = 2 * MAX_TEXT_CHARS  # of emoji
    start = time.process_time()
    count(n_tokens, MAX_CONTEXT_LENGTH, 1, range(n_tokens - MAX_CONTEXT_LENGTH))
    assert time.process_time() - start < 1.0  # a list of all positions takes 4 s and 3 GB
