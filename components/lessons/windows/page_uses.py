"""The sections on the number of windows, and on what each token of the whole text is used for."""

import streamlit as st

from components.base.text_format import pluralize
from components.lessons.windows.charts import coverage_chart
from components.lessons.windows.ribbon import Name, Ribbon
from components.text.window_counts import window_count
from components.text.windows import count_unused_tokens, coverage
from components.ui.blocks import index_field, show_chart, show_table

TOKENS_SHOWN = 80


def show_count(ribbon: Ribbon) -> None:
    """Show the number of windows: the formula with its numbers, and what other strides would give."""
    n, T, stride = len(ribbon.ids), ribbon.T, ribbon.stride
    st.markdown(
        "Windows start every stride tokens, the last one at n − T − 1 at the latest: one more token is its last target."
    )
    formula = r"N = \left\lfloor \frac{n - T - 1}{\text{stride}} \right\rfloor + 1"
    st.latex(formula + rf" = \left\lfloor \frac{{{n} - {T} - 1}}{{{stride}}} \right\rfloor + 1 = {ribbon.N}")
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
    st.caption("A small stride uses most tokens several times in one pass over the text, in other windows.")


def show_coverage(ribbon: Ribbon, name: Name) -> None:
    """Show how often every token is an input and a target, and count the unused ones."""
    n_tokens, T, stride = len(ribbon.ids), ribbon.T, ribbon.stride
    as_input, as_target = coverage(n_tokens, T, stride, ribbon.in_batches)
    unused = count_unused_tokens(n_tokens, T, stride, ribbon.in_batches)
    start = index_field("First token shown", "start", n_tokens, step=TOKENS_SHOWN) if n_tokens > TOKENS_SHOWN else 0
    part = slice(start, start + TOKENS_SHOWN)
    names = [name(position) for position in range(n_tokens)[part]]
    most = int(max(as_input[part].max(), as_target[part].max()))
    show_chart(
        coverage_chart(as_input[part].numpy(), as_target[part].numpy(), names, start),
        f"Of {n_tokens:,} tokens {int((as_input > 0).sum()):,} are an input and {int((as_target > 0).sum()):,} a "
        f"target at least once. Unused (red): {unused.tail:,} left over at the end, {unused.skipped:,} skipped "
        f"(stride > T), {unused.dropped:,} in the dropped last batch. Stronger colour: used more often, here at most "
        f"{pluralize(most, 'time')}.",
    )
