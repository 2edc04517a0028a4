"""The page of the lesson on windows: the windows of a text, their number, their batches, and the use of every token."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import streamlit as st

from components.base.export import NamedArray
from components.base.learner_text import visible
from components.base.link import State
from components.base.text_format import first_few, pluralize
from components.caches.encoding import token_ids, tokenizer
from components.lessons.windows.figure import windows_figure
from components.lessons.windows.figure_contexts import contexts_figure
from components.lessons.windows.ribbon import Ribbon
from components.text.window_counts import require_batches, window_count
from components.text.windows import count_unused_tokens, coverage, sliding_windows, window_order
from components.ui.batch import made_or_show_error
from components.ui.blocks import note_typed_ids, notice, ranged_number, show_table
from components.ui.download_registry import register
from components.ui.figure import show_figure
from components.ui.quiz import first_question, is_masked, predict
from components.ui.sections import section
from components.ui.state import bind_setting, change_settings, register_widget

MAX_WINDOWS = 8  # named of one batch
MAX_BATCHES = 4


def program_values(state: State, token_ids: Sequence[int]) -> dict[str, Any]:
    """Return no values beyond those of the state. Raises ValueError if the text gives no batch."""
    require_batches(len(token_ids), state.settings)
    return {}


def render(state: State) -> None:
    settings = state.settings
    ribbon = made_or_show_error(state, lambda ids: cut(ids, state))
    if ribbon is not None:
        question = first_question()
        masked = is_masked(question)
        encoder = tokenizer(settings.tokenizer, state.text)

        def name(token_id: int) -> str:
            return visible(encoder.token_bytes(token_id))

        show_figure(windows_figure(ribbon, name, masked))
        predict(question)
        notice(observations(ribbon, masked), lambda: show_figure(contexts_figure(ribbon, name), "_contexts"))
        register(lambda: window_export(cut(token_ids(settings.tokenizer, state.text), state)))
        section("**Batches**: windows B by B, shuffled or in order", show_batches, state, ribbon, masked=masked)
        section("**How many windows**: the formula, and other strides", show_count, ribbon, masked=masked)
    if settings.typed:
        note_typed_ids("cuts your text into windows")


def cut(ids: np.ndarray, state: State) -> Ribbon:
    """Return a text cut into windows, and these into batches. Raises ValueError if there is no batch."""
    settings = state.settings
    T, stride, n_batches = settings.context_length, settings.stride, require_batches(len(ids), settings)
    order = window_order(window_count(len(ids), T, stride), settings.shuffle, settings.seed)
    window = min(state.choices.window_index, len(order) - 1)
    return Ribbon(ids, T, stride, order, n_batches, settings.batch_size, window)


def observations(ribbon: Ribbon, masked: bool) -> list[str]:
    """Return what the figure has in numbers, except how many windows there are while that is asked."""
    T, stride, n = ribbon.T, ribbon.stride, len(ribbon.ids)
    start = ribbon.window * stride
    inputs = f"The inputs of window {ribbon.window:,} are positions {start:,} to {start + T - 1:,}"
    targets = f"its targets are the same text shifted by one position, {start + 1:,} to {start + T:,}"
    if T == 1:
        inputs = f"The input of window {ribbon.window:,} is position {start:,}"
        targets = f"its target is the next token, at position {start + 1:,}"
    sentences = [f"{inputs}; {targets}."]
    between = f"With stride {stride:,} and T = {T:,}"
    if ribbon.N == 1 and not masked:
        sentences.append(f"{between}, the text has no second window with all its targets.")
    elif stride < T:
        sentences.append(f"{between}, any two consecutive windows share {pluralize(T - stride, 'input')}.")
    elif stride == T:
        sentences.append(f"{between}, no token is an input twice, and none between two windows is skipped.")
    elif stride == T + 1:
        sentences.append(f"{between}, a token between two consecutive windows is never an input, at most a target.")
    else:
        between += f", the {stride - T:,} tokens between two consecutive windows"
        sentences.append(f"{between} are never an input, and all but the first never a target.")
    last = f"The last of the {n:,} tokens has no next token, so it is never an input"
    if not masked:
        unused = count_unused_tokens(n, T, stride, ribbon.in_batches)
        last += f"; tokens that are neither input nor target: {unused.tail:,} left over at the end, "
        last += f"{unused.skipped:,} skipped, {unused.dropped:,} dropped"
    return [*sentences, f"{last}."]


def show_batches(state: State, ribbon: Ribbon) -> None:
    settings, n_batches = state.settings, ribbon.n_batches
    left, middle, right = st.columns([1, 1, 2], vertical_alignment="bottom")
    left.toggle("Shuffle", help="A torch.Generator seeded with the seed of the settings.", **bind_setting("shuffle"))
    middle.toggle("Drop last", help="Leave out the last batch if it is short.", **bind_setting("drop_last"))
    last = n_batches - 1
    bound = register_widget("batch", min(settings.batch, last), lambda index: change_settings(batch=index))
    with right:
        index = ranged_number("Batch", 0, last, **bound)
    st.code(
        f"DataLoader(windows, batch_size={settings.batch_size}, shuffle={settings.shuffle}, "
        f"drop_last={settings.drop_last}, generator=torch.Generator().manual_seed({settings.seed}))",
        wrap_lines=True,
    )
    first = max(0, min(index - MAX_BATCHES // 2, n_batches - MAX_BATCHES))
    rows = []
    for number in range(first, min(first + MAX_BATCHES, n_batches)):
        batch = ribbon.batch(number).tolist()
        windows = first_few([f"{window:,}" for window in batch], MAX_WINDOWS)
        rows.append({"batch": f"{number:,}", "windows": windows, "inputs": f"[{len(batch)}, {ribbon.T}]"})
    show_table(rows)
    sides = sliding_windows(ribbon.ids, ribbon.T, ribbon.stride)  # [N, T], [N, T]
    inputs, targets = (side[ribbon.batch(index)] for side in sides)  # [B, T], [B, T]
    for column, name, tensor in zip(st.columns(2), ("inputs", "targets"), (inputs, targets), strict=True):
        column.markdown(f"**{name}** of batch {index:,} `{list(tensor.shape)}` [B, T]")
        column.code(str(tensor), language=None, height=130 if len(tensor) > 4 else "content")
    dropped = f" {pluralize(len(ribbon.dropped), 'window')} dropped with the last batch." if ribbon.dropped else ""
    following = "use the IDs you typed" if settings.typed else f"look up the inputs of batch {index:,}"
    total = -(-ribbon.N // settings.batch_size)
    st.caption(
        f"{pluralize(ribbon.N, 'window')}, B = {settings.batch_size:,}. Batches used: {n_batches:,} of {total:,}."
        f"{dropped} Shuffling changes the order of the windows, not that of the tokens in them. The next lessons "
        f"{following}."
    )


def show_count(ribbon: Ribbon) -> None:
    n, T, stride = len(ribbon.ids), ribbon.T, ribbon.stride
    st.markdown(
        "A window starts every stride tokens, the last at n − T − 1 at the latest: one more token is its last target."
    )
    formula = r"N &= \left\lfloor \frac{n - T - 1}{\text{stride}} \right\rfloor + 1"
    numbers = rf"&= \left\lfloor \frac{{{n} - {T} - 1}}{{{stride}}} \right\rfloor + 1 = {ribbon.N}"
    st.latex(rf"\begin{{aligned}} {formula} \\ {numbers} \end{{aligned}}")  # in two lines, for a phone
    rows = []
    for other in sorted({1, max(1, T // 2), T, T + 2, stride}):
        windows = range(window_count(n, T, other))
        unused = count_unused_tokens(n, T, other, windows)
        rows.append(
            {
                "stride": f"{other:,}" + " (now)" * (other == stride),
                "windows": f"{len(windows):,}",
                "inputs in all": f"{len(windows) * T:,}",
                "left over": f"{unused.tail:,}",
                "skipped": f"{unused.skipped:,}",
            }
        )
    show_table(rows)
    as_input, as_target = (int((times > 0).sum()) for times in coverage(n, T, stride, ribbon.in_batches))
    overlap = "A stride below T can use tokens several times in one pass over the text, in different windows. "
    st.caption(f"{overlap * (T > 1)}Used now: {as_input:,} of {n:,} tokens as an input, {as_target:,} as a target.")


def window_export(ribbon: Ribbon) -> dict[str, NamedArray]:
    ids, T, stride = ribbon.ids, ribbon.T, ribbon.stride
    found = {"token_ids": NamedArray(ids, ("position",))}
    for names, axes, tensors in (
        (("inputs", "targets"), ("n", "t"), sliding_windows(ids, T, stride)),
        (("as_input", "as_target"), ("position",), coverage(len(ids), T, stride, ribbon.in_batches)),
    ):
        found |= {name: NamedArray(tensor.numpy(), axes) for name, tensor in zip(names, tensors, strict=True)}
    return found
