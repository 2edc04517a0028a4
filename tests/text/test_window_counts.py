import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.base.settings import Settings
from components.text.window_counts import (
    batch_shape,
    require_batches,
    too_short_message,
    typed_batch,
    window_count,
)

SMALL = st.integers(1, 12)


@given(st.integers(0, 60), SMALL, SMALL)
def test_windows_are_as_many_as_the_starts_that_leave_room_for_a_target(n_tokens, T, stride):
    assert window_count(n_tokens, T, stride) == len(range(0, n_tokens - T, stride))


@given(st.integers(1, 60), SMALL, st.booleans())
def test_batches_are_as_many_as_the_slices_of_the_windows(n_windows, B, drop_last):
    slices = [range(n_windows)[n : n + B] for n in range(0, n_windows, B)]
    expected = sum(len(part) == B or not drop_last for part in slices)
    settings = Settings(context_length=1, stride=1, batch_size=B, drop_last=drop_last)
    if expected:
        assert require_batches(n_windows + 1, settings) == expected
    else:
        with pytest.raises(ValueError, match="drop_last"):
            require_batches(n_windows + 1, settings)


@pytest.mark.parametrize(
    ("n_tokens", "sentence"),
    [
        (0, "Your text has 0 tokens; one window of T = 4 and its target need 5: 5 are missing. Write more."),
        (1, "Your text has 1 token; one window of T = 4 and its target need 5: 4 are missing. Write more."),
        (
            3,
            "Your text has 3 tokens; one window of T = 4 and its target need 5: 2 are missing. "
            "Write more, or lower T to 2.",
        ),
        (5, None),
    ],
)
def test_a_text_too_short_for_a_window_is_told_what_is_missing(n_tokens, sentence):
    assert too_short_message(n_tokens, Settings(context_length=4)) == sentence


@given(st.integers(2, 20), SMALL)
def test_the_context_length_that_is_proposed_gives_a_window(n_tokens, T):
    sentence = too_short_message(n_tokens, Settings(context_length=T))
    assert (sentence is None) == (window_count(n_tokens, T, 1) > 0)
    if sentence:
        proposed = int(re.search(r"lower T to (\d+)", sentence)[1])
        assert window_count(n_tokens, proposed, 1) == 1


def test_the_whole_story_gives_160_full_batches():
    assert require_batches(5_145, Settings(batch_size=8, drop_last=True)) == 160
    assert require_batches(5_145, Settings(batch_size=8)) == 161


def test_dropping_the_only_batch_is_refused_with_the_way_out():
    assert require_batches(21, Settings(batch_size=8)) == 1
    with pytest.raises(ValueError, match=r"holds 5 of B = 8 windows\. Lower B to 5 or turn drop_last off"):
        require_batches(21, Settings(batch_size=8, drop_last=True))
    assert require_batches(21, Settings(batch_size=5, drop_last=True)) == 1


def test_a_text_without_a_window_has_no_batches():
    with pytest.raises(ValueError, match="Your text has 4 tokens"):
        require_batches(4, Settings(context_length=4))


def test_typed_rows_may_be_shorter_than_the_context_but_not_longer():
    assert typed_batch(Settings(ids="2 3; 5 1", context_length=4)) == [[2, 3], [5, 1]]
    assert typed_batch(Settings(ids="1 2 3 4", context_length=4)) == [[1, 2, 3, 4]]
    with pytest.raises(ValueError, match=r"Your sequences have 5 IDs; .* T = 4\. Raise T to 5"):
        typed_batch(Settings(ids="1 2 3 4 5", context_length=4))


@pytest.mark.parametrize(
    ("n_tokens", "settings", "shape"),
    [
        (21, Settings(batch_size=3), (3, 4)),
        (21, Settings(batch_size=3, batch=1), (2, 4)),
        (21, Settings(batch_size=3, batch=99), (2, 4)),
        (21, Settings(batch_size=3, batch=99, drop_last=True), (3, 4)),
        (0, Settings(batch_size=3, ids="1 2; 3 4; 5 6; 7 8"), (4, 2)),
    ],
)
def test_the_shape_of_the_batch_is_known_before_it_is_made(n_tokens, settings, shape):
    assert batch_shape(n_tokens, settings) == shape


def test_a_batch_that_cannot_be_made_has_no_shape():
    with pytest.raises(ValueError, match="Your text has 3 tokens"):
        batch_shape(3, Settings())
    with pytest.raises(ValueError, match="'x' is not allowed among IDs"):
        batch_shape(99, Settings(ids="x"))
