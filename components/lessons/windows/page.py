"""The page of the lesson on windows: the windows of a text, their number, their batches, and the use of every token."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from components.base.export import NamedArray
from components.base.learner_text import visible
from components.base.link import State
from components.base.text_format import pluralize
from components.caches.encoding import token_ids, tokenizer
from components.lessons.windows.figure import windows_figure
from components.lessons.windows.page_batches import show_batches
from components.lessons.windows.page_count import show_count
from components.lessons.windows.ribbon import Name, Ribbon
from components.text.tokenizers import TokenizerUnavailable
from components.text.window_counts import require_batches, window_count
from components.text.windows import batch_order, count_unused_tokens, coverage, sliding_windows
from components.ui.batch import offer_shorter_windows
from components.ui.blocks import notice, section, show_error
from components.ui.download_offer import offer_tokenizer
from components.ui.download_registry import register
from components.ui.figure import show_figure
from components.ui.quiz import answer_first, first_question, is_masked, predict
from components.ui.state import change_settings


def program_values(state: State, token_ids: Sequence[int]) -> dict[str, Any]:
    """Return no values beyond those of the state. Raises ValueError if the text gives no batch."""
    require_batches(len(token_ids), state.settings)
    return {}


def render(state: State) -> None:
    """Render the lesson from top to bottom."""
    settings = state.settings
    ribbon = cut_text(state)
    if ribbon is not None:
        question = first_question()
        masked = is_masked(question)
        show_figure(windows_figure(ribbon, namer(state, ribbon), masked))
        predict(question)
        notice(observations(ribbon, masked))
        register(lambda: window_export(ribbon))
        for title, section_name, show in (
            ("**Batches**: windows B by B, shuffled or in order", "batches", lambda: show_batches(state, ribbon)),
            ("**How many windows**: the formula, and other strides", "count", lambda: show_count(ribbon)),
        ):
            if part := section(title, section_name):
                with part:
                    answer_first() if masked else show()
    if settings.typed:
        st.caption(
            "This page cuts your text into windows. The next lessons currently use the IDs you typed. Clear that field "
            "to use your text."
        )


def cut_text(state: State) -> Ribbon | None:
    """Return the text cut into windows, and these into batches; or show an error with a fix and return None."""
    settings = state.settings
    try:
        ids = token_ids(settings.tokenizer, state.text)
    except TokenizerUnavailable as error:
        offer_tokenizer(error)
        return None
    try:
        require_batches(len(ids), settings)
    except ValueError as error:
        show_error(str(error))
        offer_shorter_windows(len(ids), settings)
        if len(ids) > settings.context_length:
            off = {"drop_last": False}
            st.button("Turn drop_last off", on_click=change_settings, kwargs=off, type="primary")
        return None
    N = window_count(len(ids), settings.context_length, settings.stride)
    batches = batch_order(N, settings.batch_size, settings.shuffle, settings.drop_last, settings.seed)
    window = min(state.choices.window_index, N - 1)
    return Ribbon(ids, settings.context_length, settings.stride, batches, window)


def namer(state: State, ribbon: Ribbon) -> Name:
    """Return the function that gives the token at a position of the text as visible text."""
    encoder = tokenizer(state.settings.tokenizer, state.text)
    return lambda position: visible(encoder.token_bytes(int(ribbon.ids[position])))


def observations(ribbon: Ribbon, masked: bool) -> list[str]:
    """Return what the figure has in numbers, except how many windows there are while that is asked."""
    T, stride, n = ribbon.T, ribbon.stride, len(ribbon.ids)
    start = ribbon.window * stride
    inputs, targets = f"positions {start:,} to {start + T - 1:,}", f"{start + 1:,} to {start + T:,}"
    if T == 1:
        inputs, targets = f"position {start:,}", f"position {start + 1:,}"
    sentences = [
        f"The inputs of window {ribbon.window:,} are {inputs}; its targets are the same text shifted by one position, "
        f"{targets}, so the last of the {n:,} tokens is never an input."
    ]
    between = f"With stride {stride:,} and T = {T:,}"
    if stride < T:
        sentences.append(f"{between}, a window shares {pluralize(T - stride, 'input')} with the next one.")
    elif stride == T:
        sentences.append(f"{between}, no token is an input twice, and none between two windows is skipped.")
    elif stride == T + 1:
        sentences.append(f"{between}, 1 token between two windows is never an input, only a target.")
    else:
        between += f", {stride - T:,} tokens between two windows"
        sentences.append(f"{between} are never an input, and all but the first never a target.")
    if not masked:
        unused = count_unused_tokens(n, T, stride, ribbon.in_batches)
        sentences.append(
            f"Unused: {unused.tail:,} left over at the end, {unused.skipped:,} skipped, {unused.dropped:,} dropped."
        )
    return sentences


def window_export(ribbon: Ribbon) -> dict[str, NamedArray]:
    """Return the IDs, all windows of them, and how often each is used in the batches, for files."""
    ids, T, stride = ribbon.ids, ribbon.T, ribbon.stride
    found = {"token_ids": NamedArray(ids, ("position",))}
    for names, axes, tensors in (
        (("inputs", "targets"), ("n", "t"), sliding_windows(ids, T, stride)),
        (("as_input", "as_target"), ("position",), coverage(len(ids), T, stride, ribbon.in_batches)),
    ):
        found |= {name: NamedArray(tensor.numpy(), axes) for name, tensor in zip(names, tensors, strict=True)}
    return found
