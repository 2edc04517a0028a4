import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.core.choices import Choices
from components.core.settings import Settings
from components.core.shapes import batch_count, batch_shape, batches_of, too_short, typed_rows, window_count

SMALL = st.integers(1, 12)


@given(st.integers(0, 60), SMALL, SMALL)
def test_windows_are_as_many_as_the_starts_that_leave_room_for_a_target(n_tokens, T, stride):
    assert window_count(n_tokens, T, stride) == len(range(0, n_tokens - T, stride))


@given(st.integers(0, 60), SMALL, st.booleans())
def test_batches_are_as_many_as_the_slices_of_the_windows(n_windows, B, drop_last):
    slices = [range(n_windows)[n : n + B] for n in range(0, n_windows, B)]
    assert batch_count(n_windows, B, drop_last) == sum(len(part) == B or not drop_last for part in slices)


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
    assert too_short(n_tokens, Settings(context_length=4)) == sentence


@given(st.integers(2, 20), SMALL)
def test_the_context_length_that_is_proposed_gives_a_window(n_tokens, T):
    sentence = too_short(n_tokens, Settings(context_length=T))
    assert (sentence is None) == (window_count(n_tokens, T, 1) > 0)
    if sentence:
        proposed = int(re.search(r"lower T to (\d+)", sentence)[1])
        assert window_count(n_tokens, proposed, 1) == 1


def test_the_whole_story_gives_160_full_batches():
    assert batches_of(5_145, Settings(batch_size=8), drop_last=True) == 160
    assert batches_of(5_145, Settings(batch_size=8), drop_last=False) == 161


def test_dropping_the_only_batch_is_refused_with_the_way_out():
    settings = Settings(batch_size=8)
    assert batches_of(21, settings, drop_last=False) == 1
    with pytest.raises(ValueError, match=r"it has 5 of the B = 8 windows\. Lower B to 5 or turn drop_last off"):
        batches_of(21, settings, drop_last=True)
    assert batches_of(21, Settings(batch_size=5), drop_last=True) == 1


def test_a_text_without_a_window_has_no_batches():
    with pytest.raises(ValueError, match="Your text has 4 tokens"):
        batches_of(4, Settings(context_length=4), drop_last=False)


def test_typed_rows_may_be_shorter_than_the_context_but_not_longer():
    assert typed_rows("2 3; 5 1", Settings(context_length=4)) == [[2, 3], [5, 1]]
    assert typed_rows("1 2 3 4", Settings(context_length=4)) == [[1, 2, 3, 4]]
    with pytest.raises(ValueError, match=r"Your rows have 5 IDs; .* T = 4 rows\. Raise T to 5"):
        typed_rows("1 2 3 4 5", Settings(context_length=4))


@pytest.mark.parametrize(
    ("n_tokens", "choices", "shape"),
    [
        (21, Choices(), (3, 4)),
        (21, Choices(batch=1), (2, 4)),
        (21, Choices(batch=99), (2, 4)),
        (21, Choices(batch=99, drop_last=True), (3, 4)),
        (0, Choices(ids="1 2; 3 4; 5 6; 7 8"), (4, 2)),
    ],
)
def test_the_shape_of_the_batch_is_known_before_it_is_made(n_tokens, choices, shape):
    assert batch_shape(n_tokens, Settings(batch_size=3), choices) == shape


def test_a_batch_that_cannot_be_made_has_no_shape():
    with pytest.raises(ValueError, match="Your text has 3 tokens"):
        batch_shape(3, Settings(), Choices())
    with pytest.raises(ValueError, match="'x' cannot stand among IDs"):
        batch_shape(99, Settings(), Choices(ids="x"))
