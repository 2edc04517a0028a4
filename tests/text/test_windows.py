import time

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.utils.data import DataLoader

from components.base.limits import MAX_CONTEXT_LENGTH, MAX_TEXT_CHARS
from components.base.presets import PUBLISHED
from components.text.tokenizers import get_tokenizer
from components.text.windows import batch_order, count_unused_tokens, coverage, sliding_windows

STORY = PUBLISHED["story_batch"]
SMALL = st.integers(1, 8)


@given(st.lists(st.integers(0, 50_256), max_size=40), SMALL, SMALL)
def test_sliding_windows_equal_slices(ids, T, stride):
    inputs, targets = sliding_windows(ids, T, stride)
    starts = range(0, len(ids) - T, stride)
    assert inputs.tolist() == [ids[i : i + T] for i in starts]
    assert targets.tolist() == [ids[i + 1 : i + T + 1] for i in starts]
    assert inputs.dtype == targets.dtype == torch.int64
    assert inputs.shape == targets.shape == (len(inputs), T)


def test_sliding_windows_of_the_story_are_the_published_batch(story):
    windows = sliding_windows(get_tokenizer("gpt2").encode(story), STORY["max_length"], STORY["stride"])
    assert [part[:8].tolist() for part in windows] == [STORY["inputs"], STORY["targets"]]


@given(st.integers(0, 40), SMALL, st.booleans(), st.booleans(), st.integers(0, 2**32 - 1))
def test_batch_order_is_that_of_a_seeded_dataloader(n_windows, B, shuffle, drop_last, seed):
    before = torch.get_rng_state()
    order = batch_order(n_windows, B, shuffle, drop_last, seed)
    assert torch.equal(torch.get_rng_state(), before)
    generator = torch.Generator().manual_seed(seed)
    loader = DataLoader(range(n_windows), B, shuffle and n_windows > 0, drop_last=drop_last, generator=generator)
    assert order == [batch.tolist() for batch in loader]


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
