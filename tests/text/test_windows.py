import time

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from components.base.limits import MAX_CONTEXT_LENGTH, MAX_TEXT_CHARS
from components.base.presets import PUBLISHED
from components.text.tokenizers import get_tokenizer
from components.text.windows import batch_order, count_unused_tokens, coverage, window_dataloader

STORY = PUBLISHED["story_batch"]
IDS = st.lists(st.integers(0, 50_256), max_size=40)
SMALL = st.integers(1, 8)


def slices(ids: list[int], T: int, stride: int) -> list[list[list[int]]]:
    return [[ids[i : i + T], ids[i + 1 : i + T + 1]] for i in range(0, len(ids) - T, stride)]


def batches_of(loader) -> list[list[list[list[int]]]]:
    return [[list(window) for window in zip(*(part.tolist() for part in batch), strict=True)] for batch in loader]


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


@pytest.mark.parametrize("count", [coverage, count_unused_tokens])
def test_coverage_of_the_longest_text_takes_little_time(count):
    n_tokens = 2 * MAX_TEXT_CHARS  # of emoji
    start = time.process_time()
    count(n_tokens, MAX_CONTEXT_LENGTH, 1, range(n_tokens - MAX_CONTEXT_LENGTH))
    assert time.process_time() - start < 1.0  # a list of all positions takes 4 s and 3 GB
