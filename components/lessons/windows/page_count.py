"""The section on the number of windows: the formula with its numbers, and other strides."""

import streamlit as st

from components.lessons.windows.ribbon import Ribbon
from components.text.window_counts import window_count
from components.text.windows import count_unused_tokens, coverage
from components.ui.blocks import show_table


def show_count(ribbon: Ribbon) -> None:
    """Show the number of windows and of the tokens in them: the formula with its numbers, and other strides."""
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
    as_input, as_target = (int((times > 0).sum()) for times in coverage(n, T, stride, ribbon.in_batches))
    st.caption(
        "A small stride uses most tokens several times in one pass over the text, in other windows. Used now: "
        f"{as_input:,} of {n:,} tokens as an input, {as_target:,} as a target."
    )
