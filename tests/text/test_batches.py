import re

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from components.base.settings import Settings
from components.text.batches import make_batch
from components.text.window_counts import batch_shape
from components.text.windows import batch_order

SETTINGS = st.builds(
    Settings,
    context_length=st.integers(1, 6),
    stride=st.integers(1, 8),
    batch_size=st.integers(1, 5),
    seed=st.integers(0, 2**32 - 1),
    batch=st.integers(0, 9),
    shuffle=st.booleans(),
    drop_last=st.booleans(),
)


@given(st.integers(0, 40), SETTINGS)
def test_the_batch_holds_the_windows_that_the_order_names(n_tokens, settings):
    token_ids = [1_000 + n for n in range(n_tokens)]
    T, stride = settings.context_length, settings.stride
    starts = range(0, n_tokens - T, stride)
    order = batch_order(len(starts), settings.batch_size, settings.shuffle, settings.drop_last, settings.seed)
    if not order:
        with pytest.raises(ValueError, match=r"Your text has|drop_last discards"):
            make_batch(token_ids, settings)
        return
    windows = [starts[n] for n in order[min(settings.batch, len(order) - 1)]]
    assert make_batch(token_ids, settings).tolist() == [token_ids[n : n + T] for n in windows]


@given(st.integers(0, 40), SETTINGS)
def test_the_batch_has_the_shape_that_was_announced(n_tokens, settings):
    try:
        announced = batch_shape(n_tokens, settings)
    except ValueError as refused:
        with pytest.raises(ValueError, match=re.escape(str(refused))):
            make_batch(range(n_tokens), settings)
    else:
        assert tuple(make_batch(range(n_tokens), settings).shape) == announced


def test_a_batch_number_past_the_end_gives_the_last_batch():
    assert make_batch(range(21), Settings(batch_size=2, batch=99)).tolist() == [[16, 17, 18, 19]]


def test_typed_ids_come_before_the_text():
    batch = make_batch(range(99), Settings(ids="[[5, 5], [7, 0]]"))
    assert batch.dtype == torch.int64
    assert batch.tolist() == [[5, 5], [7, 0]]


def test_blanks_are_not_typed_ids():
    assert make_batch(range(9), Settings(batch_size=1, ids="  ")).tolist() == [[0, 1, 2, 3]]


def test_typed_rows_that_are_too_long_are_refused():
    with pytest.raises(ValueError, match="Raise T to 5"):
        make_batch([], Settings(context_length=4, ids="1 2 3 4 5"))
