"""Lookup and one-hot product timed on this machine, on demand."""

import time
from threading import Lock

import streamlit as st

from components.embedding.timing import Timing, extrapolate, measure, sizes_that_fit
from components.lessons.one_hot.charts import timing_chart
from components.ui.blocks import show_chart

GPT2_VOCAB_SIZE = 50_257
SECONDS_TO_SEND = 0.05  # sending the progress bar to the browser takes time that must not be measured
SECONDS_BETWEEN_CHECKS = 0.2
WAITING = "Waiting for another measurement …"
_one_at_a_time = Lock()  # two measurements at once would measure each other


def timing_view(n_ids: int, dim: int) -> None:
    """Render the button that measures, and its result for so many IDs and columns."""
    st.header("Measured on this machine", anchor=False)
    measured = st.session_state.setdefault("timings", {})
    pressed = st.button("Time both as V grows", type="primary", icon=":material/timer:")
    with st.container():  # always rendered, so that the progress bar does not move what is below
        if pressed:
            measured.clear()
            measured[n_ids, dim] = run(n_ids, dim)
    if (n_ids, dim) in measured:
        show_timings(measured[n_ids, dim])
    else:
        numbers = f"these N = {n_ids} IDs and D = {dim}"
        st.caption(f"For {numbers}: the median of several runs at each V, up to a memory limit.")


def run(n_ids: int, dim: int) -> list[Timing]:
    """Measure at each V with a progress bar, one session at a time."""
    bar, timings, sizes = st.progress(0.0, text=WAITING), [], sizes_that_fit(n_ids, dim)
    while not _one_at_a_time.acquire(timeout=SECONDS_BETWEEN_CHECKS):
        bar.progress(0.0, text=WAITING)  # ends this run here if the learner has changed something meanwhile
    try:
        for timing in measure(n_ids, dim):
            timings.append(timing)
            bar.progress(len(timings) / len(sizes), text=f"V = {timing.vocab_size:,}")
            time.sleep(SECONDS_TO_SEND)
    finally:
        _one_at_a_time.release()
    bar.empty()
    return timings


def show_timings(timings: list[Timing]) -> None:
    """Show both lines, and what the line through them gives for GPT-2's vocabulary."""
    lookup, product = extrapolate(timings, GPT2_VOCAB_SIZE)
    last = timings[-1]
    show_chart(
        timing_chart([t.vocab_size for t in timings], [t.lookup for t in timings], [t.product for t in timings]),
        f"At V = {last.vocab_size:,} the product took {last.product * 1e6:,.0f} µs, the lookup "
        f"{last.lookup * 1e6:,.1f} µs: {last.product / last.lookup:,.0f} times as long. On the line through the two "
        f"largest V, GPT-2's V = {GPT2_VOCAB_SIZE:,} comes to {product * 1e6:,.0f} and {lookup * 1e6:,.1f} µs.",
    )
