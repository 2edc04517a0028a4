"""Windows: a window of T tokens slides over the IDs, and the targets are the same window moved by one."""

import streamlit as st

from components.ui.frame import frame

TOKENS_SHOWN = 80


def draw_count(tokens, settings, N):
    """Say how many windows there are, with the formula and its numbers."""
    T, stride = settings.context_length, settings.stride
    formula = r"N = \left\lceil \frac{\text{tokens} - T}{\text{stride}} \right\rceil"
    st.latex(formula + rf" = \left\lceil \frac{{{tokens} - {T}}}{{{stride}}} \right\rceil = {N}")


def draw_batch(state, ids, N):
    """Draw one batch of the real DataLoader: inputs and targets side by side, the shift visible."""
    settings, choices = state.settings, state.choices
    n_batches = batches_of(len(ids), settings, choices.drop_last)
    left, middle, right = st.columns([1, 1, 2], vertical_alignment="bottom")
    left.toggle("Shuffle", help="A torch.Generator seeded with the seed from the sidebar.", **choice("shuffle"))
    middle.toggle("Drop last", help="Leave out the last batch where it is short.", **choice("drop_last"))
    with right:
        number = place_entry("Batch", "batch", n_batches)
    inputs, targets = text_batch(ids, settings, choices)
    order = batch_order(N, settings.batch_size, choices.shuffle, choices.drop_last, settings.seed)
    held = [f"{window:,}" for window in order[number]]
    kind = tokenizer(settings.tokenizer, state.text)
    drawn = [side[:MAX_WINDOWS, :MAX_TOKENS].tolist() for side in (inputs, targets)]
    names = [[[visible(kind.token_bytes(i)) for i in row] for row in side] for side in drawn]
    T = inputs.shape[1]
    cut, rest = (f", the first {MAX_TOKENS} of {T} tokens", " …") if T > MAX_TOKENS else ("", "")
    st.code(
        f"DataLoader(windows, batch_size={settings.batch_size}, shuffle={choices.shuffle}, "
        f"drop_last={choices.drop_last}, generator=torch.Generator().manual_seed({settings.seed}))",
        wrap_lines=True,
    )
    show(
        shift_chart(order[number][:MAX_WINDOWS], *names),
        f"Batch {number:,} holds window{'s' * (len(held) > 1)} {', '.join(held)}. Each target stands one place further "
        f"on than its input: window {held[0]} reads “{' '.join(names[0][0])}{rest}” and must "
        f"say “{' '.join(names[1][0])}{rest}”{cut}. At most {MAX_WINDOWS} windows of {MAX_TOKENS} tokens are drawn.",
    )
    for column, name, tensor in zip(st.columns(2), ("inputs", "targets"), (inputs, targets), strict=True):
        column.markdown(f"**{name}** `{list(tensor.shape)}` [B, T]")
        column.code(str(tensor), language=None, height=130 if len(tensor) > 4 else "content")
    return [window for batch in order for window in batch]


def draw_coverage(state, ids, windows):
    """Draw what every token is used for, and count what is lost."""
    settings, tokens = state.settings, len(ids)
    T, stride = settings.context_length, settings.stride
    as_input, as_target = coverage(tokens, T, stride, windows)
    lost = lost_tokens(tokens, T, stride, windows)
    st.header("What each token is used for", anchor=False)
    start = place_entry("First token shown", "start", tokens, step=TOKENS_SHOWN) if tokens > TOKENS_SHOWN else 0
    part = slice(start, start + TOKENS_SHOWN)
    kind = tokenizer(settings.tokenizer, state.text)
    names = [visible(kind.token_bytes(int(i))) for i in ids[part]]
    most = int(max(as_input[part].max(), as_target[part].max()))
    show(
        coverage_chart(as_input[part].numpy(), as_target[part].numpy(), names, start),
        f"Of {tokens:,} tokens {int((as_input > 0).sum()):,} are an input and {int((as_target > 0).sum()):,} a target "
        f"at least once. Lost: {lost.tail:,} at the tail that fill no window, {lost.skipped:,} skipped because the "
        f"stride is above T, {lost.dropped:,} dropped with the last batch. The stronger the colour, the more often a "
        f"token is used, here at most {many(most, 'time')}; a lost token is red.",
    )


def all_windows(ids, settings):
    """Return the IDs and all windows of them, for files."""
    inputs, targets = sliding_windows(ids, settings.context_length, settings.stride)
    both = {"inputs": Named(inputs.numpy(), ("n", "t")), "targets": Named(targets.numpy(), ("n", "t"))}
    return {"token_ids": Named(ids, ("place",)), **both}


def lesson(state):
    """Tell the lesson from top to bottom."""
    settings = state.settings
    text_reminder(state)
    try:
        ids = token_ids(settings.tokenizer, state.text)
        N = window_count(len(ids), settings.context_length, settings.stride)
        predict_first()
        windows = draw_batch(state, ids, N)
        draw_count(len(ids), settings, N)  # far enough below the question that it answers
        draw_coverage(state, ids, windows)
        offer(lambda: all_windows(ids, settings))
    except TokenizerUnavailable as error:
        refuse_tokenizer(error)
    except ValueError as error:
        refuse(str(error))
        offer_shorter_windows(len(ids), settings)
    B, T = settings.batch_size, settings.context_length
    st.markdown(
        "**What to notice.** A target is an input moved by one, so the last token is never an input. With stride = T "
        "no token is an input twice and none between two windows is skipped; only the tail may fill no window. A "
        "smaller stride repeats tokens. From stride T + 1 on some are never an input, from T + 2 on some are neither."
    )
    st.markdown(
        "The next lessons use typed IDs at the moment, not these windows: empty their entry to come back to your text."
        if state.choices.typed
        else f"The next lessons look up the batch chosen here, at most [{B}, {T}]."
    )


with frame("windows") as state:
    from components.charts.windows import MAX_TOKENS, MAX_WINDOWS, coverage_chart, shift_chart
    from components.core.batches import text_batch
    from components.core.checks import many
    from components.core.shapes import batches_of, window_count
    from components.core.tensors import Named
    from components.core.text import visible
    from components.core.tokenizers import TokenizerUnavailable
    from components.core.windows import batch_order, coverage, lost_tokens, sliding_windows
    from components.ui.batch import offer_shorter_windows
    from components.ui.blocks import place_entry, refuse, refuse_tokenizer, show
    from components.ui.checks import predict_first
    from components.ui.encoding import token_ids, tokenizer
    from components.ui.offers import offer
    from components.ui.state import choice
    from components.ui.text_entry import text_reminder

    lesson(state)
