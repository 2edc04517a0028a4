import time

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from components.base.limits import MAX_CONTEXT_LENGTH, MAX_TEXT_CHARS
from components.base.presets import PUBLISHED
from components.text.tokenizers import get_tokenizer
from components.text.windows import count_unused_tokens, coverage, sliding_windows, window_dataloader, window_order

STORY = PUBLISHED["story_batch"]
IDS = st.lists(st.integers(0, 50_256), max_size=40)
SMALL = st.integers(1, 8)


@given(IDS, SMALL, SMALL, SMALL, st.booleans(), st.booleans(), st.integers(0, 2**32 - 1))
def test_batches_of_windows_are_those_of_a_data_loader(ids, T, stride, B, shuffle, drop_last, seed):
    before = torch.get_rng_state()
    windows = [[ids[i : i + T], ids[i + 1 : i + T + 1]] for i in range(0, len(ids) - T, stride)]
    parts = sliding_windows(ids, T, stride)
    assert [[list(map(int, each)) for each in pair] for pair in zip(*parts, strict=True)] == windows
    order = window_order(len(windows), shuffle, seed)
    loader = window_dataloader(ids, T, stride, B, shuffle, drop_last, seed)
    n_used = len(order) - len(order) % B if drop_last else len(order)
    assert [[part.tolist() for part in batch] for batch in loader] == [
        [part[batch].tolist() for part in parts] for batch in order[:n_used].split(B) if len(batch)
    ]
    assert torch.equal(torch.get_rng_state(), before)


@pytest.mark.filterwarnings("error")
def test_ids_may_be_a_tensor_which_the_windows_do_not_share():
    ids = torch.arange(5)
    inputs, targets = sliding_windows(ids, 2, 2)
    ids += 1
    assert (inputs.tolist(), targets.tolist()) == ([[0, 1], [2, 3]], [[1, 2], [3, 4]])


def test_windows_of_the_story_begin_with_the_published_batch(story):
    ids = get_tokenizer("gpt2").encode(story)
    parts = sliding_windows(ids, STORY["max_length"], STORY["stride"])
    assert [part[:8].tolist() for part in parts] == [STORY["inputs"], STORY["targets"]]
    loader = window_dataloader(ids, STORY["max_length"], STORY["stride"], batch_size=8)
    assert len(loader) == 160  # the last is not full, so dropped


@pytest.mark.parametrize("count", [coverage, count_unused_tokens])
def test_coverage_of_the_longest_text_takes_little_time(count):
    n_tokens = 2 * MAX_TEXT_CHARS  # of emoji
    start = time.process_time()
    count(n_tokens, MAX_CONTEXT_LENGTH, 1, range(n_tokens - MAX_CONTEXT_LENGTH))
    assert time.process_time() - start < 1.0  # a list of all positions takes 4 s and 3 GB
