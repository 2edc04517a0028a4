"""Counts of windows and batches, and the batch itself, against a list of all windows."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from components.base.settings import Settings
from components.text.window_counts import require_batches, typed_batch, window_count
from components.text.windows import make_batch, window_order

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
def test_make_batch_of_any_settings_is_cut_from_all_windows(n_tokens, settings):
    token_ids = [1_000 + n for n in range(n_tokens)]
    T, B = settings.context_length, settings.batch_size
    windows = [token_ids[n : n + T] for n in range(0, n_tokens - T, settings.stride)]
    order = window_order(len(windows), settings.shuffle, settings.seed).tolist()
    batches = [order[n : n + B] for n in range(0, len(order), B) if not settings.drop_last or n + B <= len(order)]
    assert window_count(n_tokens, T, settings.stride) == len(windows)
    if 0 < n_tokens <= T:
        assert make_batch(token_ids, settings).tolist() == [token_ids]
    elif batches:
        batch = [windows[n] for n in batches[min(settings.batch, len(batches) - 1)]]
        assert require_batches(n_tokens, settings) == len(batches)
        assert make_batch(token_ids, settings).tolist() == batch
    else:
        refusal = f"has {len(windows)} of B = {B} windows" if windows else "^Your text has 0 tokens"
        with pytest.raises(ValueError, match=refusal):
            make_batch(token_ids, settings)


def test_require_batches_discarded_by_drop_last_names_both_fixes():
    assert require_batches(21, Settings(batch_size=5, drop_last=True)) == 1
    sentence = (
        r"^drop_last discards the only batch, which has 5 of B = 8 windows\. Lower B to 5 or turn drop_last off\.$"
    )
    with pytest.raises(ValueError, match=sentence):
        require_batches(21, Settings(batch_size=8, drop_last=True))


def test_make_batch_of_typed_ids_ignores_text_and_other_settings():
    settings = Settings(ids="5 5 1 4; 7 0 9 4; 1 2 3 4", batch_size=2, batch=3, stride=9, shuffle=True, drop_last=True)
    batch = make_batch(range(99), settings)
    assert (batch.dtype, batch.tolist()) == (torch.int64, [[5, 5, 1, 4], [7, 0, 9, 4], [1, 2, 3, 4]])
    assert make_batch(range(9), Settings(batch_size=1, ids="  ")).tolist() == [[0, 1, 2, 3]]


@pytest.mark.parametrize(("ids", "have"), [("1 2 3 4 5", "sequence has"), ("1 2 3 4 5; 5 4 3 2 1", "sequences have")])
def test_typed_ids_longer_than_the_context_are_refused(ids, have):
    sentence = rf"^Your {have} 5 IDs; the context length is T = 4\. Raise T to 5 or type fewer IDs\.$"
    with pytest.raises(ValueError, match=sentence):
        typed_batch(Settings(ids=ids))
