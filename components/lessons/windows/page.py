"""The page of the lesson on windows: one batch of a DataLoader, the number of windows, and the use of every token."""

from collections.abc import Sequence

import numpy as np
import streamlit as st

from components.base.export import NamedArray
from components.base.learner_text import visible
from components.base.link import State
from components.base.settings import Settings
from components.base.text_format import pluralize
from components.lessons.windows.charts import MAX_TOKENS, MAX_WINDOWS, coverage_chart, shift_chart
from components.text.tokenizers import TokenizerUnavailable
from components.text.window_counts import require_batches, window_count
from components.text.windows import batch_order, count_unused_tokens, coverage, sliding_windows
from components.ui.batch import offer_shorter_windows
from components.ui.blocks import index_field, show_chart, show_error
from components.ui.download_offer import offer_tokenizer
from components.ui.download_registry import register
from components.ui.encoding import token_ids, tokenizer
from components.ui.quiz import predict_first
from components.ui.state import bind_setting, bind_widget, change_settings

TOKENS_SHOWN = 80


def render(state: State) -> None:
    """Render the lesson from top to bottom."""
    settings = state.settings
    if settings.typed:
        st.caption("This page cuts your text into windows. The next lessons use the IDs that you typed.")
    try:
        ids = token_ids(settings.tokenizer, state.text)
        N = window_count(len(ids), settings.context_length, settings.stride)
        predict_first()
        windows = show_batch(state, ids, N)
        show_count(len(ids), settings, N)  # below the chart: it answers the question above
        show_coverage(state, ids, windows)
        register(lambda: window_export(ids, windows, settings))
    except TokenizerUnavailable as error:
        offer_tokenizer(error)
    except ValueError as error:
        show_error(str(error))
        offer_shorter_windows(len(ids), settings)
    B, T = settings.batch_size, settings.context_length
    st.markdown(
        "**What to notice.** Targets are the inputs shifted by one, so the last token is never an input. With stride = "
        "T, windows do not overlap and skip nothing; only the end may be left over. A smaller stride makes them "
        "overlap. From stride T + 1 on some tokens are never an input, from T + 2 on some are neither."
    )
    st.markdown(
        "The next lessons currently use the IDs you typed. Clear that field to use your text."
        if settings.typed
        else f"The next lessons look up the batch chosen here, at most [{B}, {T}]."
    )


def show_batch(state: State, ids: np.ndarray, n_windows: int) -> list[int]:
    """Show one batch of the DataLoader, targets below inputs; return the windows of all batches in order."""
    settings = state.settings
    n_batches = require_batches(len(ids), settings)
    left, middle, right = st.columns([1, 1, 2], vertical_alignment="bottom")
    left.toggle("Shuffle", help="A torch.Generator seeded with the seed of the settings.", **bind_setting("shuffle"))
    middle.toggle("Drop last", help="Leave out the last batch if it is short.", **bind_setting("drop_last"))
    with right:
        index = batch_field(settings, n_batches)
    batches = batch_order(n_windows, settings.batch_size, settings.shuffle, settings.drop_last, settings.seed)
    inputs, targets = sliding_windows(ids, settings.context_length, settings.stride)  # [N, T], [N, T]
    inputs, targets = inputs[batches[index]], targets[batches[index]]  # [B, T], [B, T]
    numbers = [f"{window:,}" for window in batches[index]]
    encoder = tokenizer(settings.tokenizer, state.text)
    shown = [side[:MAX_WINDOWS, :MAX_TOKENS].tolist() for side in (inputs, targets)]
    names = [[[visible(encoder.token_bytes(i)) for i in window] for window in side] for side in shown]
    T = inputs.shape[1]
    cut, rest = (f", the first {MAX_TOKENS} of {T} tokens", " …") if T > MAX_TOKENS else ("", "")
    st.code(
        f"DataLoader(windows, batch_size={settings.batch_size}, shuffle={settings.shuffle}, "
        f"drop_last={settings.drop_last}, generator=torch.Generator().manual_seed({settings.seed}))",
        wrap_lines=True,
    )
    show_chart(
        shift_chart(batches[index][:MAX_WINDOWS], *names),
        f"Batch {index:,}: window{'s' * (len(numbers) > 1)} {', '.join(numbers)}. Each target is the next token. "
        f"Window {numbers[0]}: inputs “{' '.join(names[0][0])}{rest}”, targets “{' '.join(names[1][0])}{rest}”{cut}. "
        f"At most {MAX_WINDOWS} windows of {MAX_TOKENS} tokens are shown.",
    )
    for column, name, tensor in zip(st.columns(2), ("inputs", "targets"), (inputs, targets), strict=True):
        column.markdown(f"**{name}** `{list(tensor.shape)}` [B, T]")
        column.code(str(tensor), language=None, height=130 if len(tensor) > 4 else "content")
    return [window for batch in batches for window in batch]


def batch_field(settings: Settings, n_batches: int) -> int:
    """Render the field for the index of the batch that the lessons use; return the index."""
    last = n_batches - 1
    bound = bind_widget("batch", min(settings.batch, last), lambda index: change_settings(batch=index))
    return st.number_input(f"Batch, 0 to {last:,}", min_value=0, max_value=last, step=1, **bound)


def show_count(n_tokens: int, settings: Settings, n_windows: int) -> None:
    """Show the number of windows: the formula with its numbers."""
    T, stride = settings.context_length, settings.stride
    formula = r"N = \left\lceil \frac{\text{tokens} - T}{\text{stride}} \right\rceil"
    st.latex(formula + rf" = \left\lceil \frac{{{n_tokens} - {T}}}{{{stride}}} \right\rceil = {n_windows}")


def show_coverage(state: State, ids: np.ndarray, windows: Sequence[int]) -> None:
    """Show how often every token is an input and a target, and count the unused ones."""
    settings, n_tokens = state.settings, len(ids)
    T, stride = settings.context_length, settings.stride
    as_input, as_target = coverage(n_tokens, T, stride, windows)
    unused = count_unused_tokens(n_tokens, T, stride, windows)
    st.header("What each token is used for", anchor=False)
    start = index_field("First token shown", "start", n_tokens, step=TOKENS_SHOWN) if n_tokens > TOKENS_SHOWN else 0
    part = slice(start, start + TOKENS_SHOWN)
    encoder = tokenizer(settings.tokenizer, state.text)
    names = [visible(encoder.token_bytes(int(i))) for i in ids[part]]
    most = int(max(as_input[part].max(), as_target[part].max()))
    show_chart(
        coverage_chart(as_input[part].numpy(), as_target[part].numpy(), names, start),
        f"Of {n_tokens:,} tokens {int((as_input > 0).sum()):,} are an input and {int((as_target > 0).sum()):,} a "
        f"target at least once. Unused (red): {unused.tail:,} left over at the end, {unused.skipped:,} skipped "
        f"(stride > T), {unused.dropped:,} in the dropped last batch. Stronger colour: used more often, here at most "
        f"{pluralize(most, 'time')}.",
    )


def window_export(ids: np.ndarray, windows: Sequence[int], settings: Settings) -> dict[str, NamedArray]:
    """Return the IDs, all windows of them, and how often each is used in the given windows, for files."""
    T, stride = settings.context_length, settings.stride
    found = {"token_ids": NamedArray(ids, ("position",))}
    for names, axes, tensors in (
        (("inputs", "targets"), ("n", "t"), sliding_windows(ids, T, stride)),
        (("as_input", "as_target"), ("position",), coverage(len(ids), T, stride, windows)),
    ):
        found |= {name: NamedArray(tensor.numpy(), axes) for name, tensor in zip(names, tensors, strict=True)}
    return found
