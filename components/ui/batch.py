"""The batch [B, T] of the later lessons, and what is shown if the settings do not give one."""

from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np
import streamlit as st
from torch import Tensor

from components.base.export import NamedArray
from components.base.learner_text import visible
from components.base.limits import MAX_VOCAB_SIZE
from components.base.link import State
from components.base.presets import SAMPLE_TEXT
from components.base.settings import Settings
from components.caches.encoding import token_ids, tokenizer
from components.caches.tables import tables
from components.embedding.walkthrough import walk
from components.text.token_ids import around_first_out_of_range, out_of_range
from components.text.tokenizers import TokenizerUnavailable
from components.text.windows import make_batch
from components.ui.blocks import show_error
from components.ui.download_offer import offer_tokenizer
from components.ui.download_registry import register
from components.ui.error_lab_links import offer_ids
from components.ui.state import change_settings, set_text

Made = TypeVar("Made")
AXES = {"ids": "bt", "token": "btd", "scaled": "btd", "position": "td", "combined": "btd"}


def batch_or_show_error(state: State) -> Tensor | None:
    """Return the batch [B, T] of these settings; or show an error with a fix and return None."""
    ids = ids_or_show_error(state, lambda tokens: make_batch(tokens, state.settings))
    if ids is not None:
        register(lambda: tensor_export(ids, state.settings))
    return ids


def made_or_show_error(state: State, make: Callable[[np.ndarray], Made]) -> Made | None:
    """Return what `make` makes of the IDs of the text; or show an error with a fix and return None."""
    try:
        tokens = token_ids(state.settings.tokenizer, state.text)
    except TokenizerUnavailable as error:
        offer_tokenizer(error)
        return None
    try:
        return make(tokens)
    except ValueError as error:
        show_error(str(error))
        offer_windows(str(error), len(tokens), state.settings)
        return None


def ids_or_show_error(state: State, make: Callable[[Sequence[int]], Tensor]) -> Tensor | None:
    """Return the IDs [B, T] that `make` takes from those of the text, or the typed ones; or show an error, as above."""
    try:
        ids = make([]) if state.settings.typed else made_or_show_error(state, make)
    except ValueError as error:
        show_error(str(error))
        offer_ids(state, state.settings.ids)
        return None
    if ids is None:
        return None
    problem = out_of_range(ids.flatten().tolist(), state.settings.vocab_size)
    if not problem:
        return ids
    show_error(problem)
    needed = int(ids.max()) + 1
    with st.container(horizontal=True):
        if ids.min() >= 0 and needed <= MAX_VOCAB_SIZE:
            st.button(f"Set V to {needed:,}", on_click=change_settings, kwargs={"vocab_size": needed}, type="primary")
        offer_ids(state, str(around_first_out_of_range(ids.tolist(), state.settings.vocab_size)))
    return None


def tensor_export(ids: Tensor, settings: Settings) -> dict[str, NamedArray]:
    """Return the tensors from the IDs to the combined embedding and the token embedding table, for files."""
    both = tables(settings)
    steps = walk(ids, settings, both)
    found = {name: NamedArray(steps[name].numpy(), tuple(axes)) for name, axes in AXES.items() if name in steps}
    if "position" in found:  # `position` is the setting
        found["position_rows"] = found.pop("position")
    if settings.trained:  # most rows of the table are not on this machine
        return found
    return found | {"token_table": NamedArray(both.token.weight.detach().numpy(), ("v", "d"))}


def offer_windows(problem: str, n_tokens: int, settings: Settings) -> None:
    """Offer the longest T that a short text can fill, or not to discard the only batch; else another text."""
    if 1 < n_tokens <= settings.context_length:
        fits = {"context_length": n_tokens - 1}
        st.button(f"Set T to {n_tokens - 1:,}", on_click=change_settings, kwargs=fits, type="primary")
    elif problem.startswith("drop_last"):
        st.button("Turn drop_last off", on_click=change_settings, kwargs={"drop_last": False}, type="primary")
    else:
        st.button("Load the default text", on_click=set_text, args=(SAMPLE_TEXT,), type="primary")


def token_names(state: State, ids: Tensor, shown: range | None = None) -> list[str]:
    """Return the tokens of all IDs, or of the `shown` ones, as visible text; the indices of typed IDs instead."""
    part = slice(shown.start, shown.stop) if shown else slice(None)
    if state.settings.typed:
        return [str(list(index)) for index in np.ndindex(*ids.shape)][part]
    encoder = tokenizer(state.settings.tokenizer, state.text)
    return [visible(encoder.token_bytes(token_id)) for token_id in ids.flatten()[part].tolist()]


def row_label(state: State, token_id: int) -> str:
    """Return how a row of the batch is named: the token if the IDs come from a text, else the ID alone."""
    if state.settings.typed:
        return f"ID {token_id}"
    return f"{visible(tokenizer(state.settings.tokenizer, state.text).token_bytes(token_id))} {token_id}"
