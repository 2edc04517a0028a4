"""Lookup and one-hot product timed on this machine, on demand."""

import time
from threading import Lock

import streamlit as st

from components.charts.timing import timing_chart
from components.core.lookup_timing import Timing, extrapolate, measure, sizes_that_fit
from components.ui.blocks import show
from components.ui.learner import session

GPT2_VOCAB_SIZE = 50_257
SECONDS_TO_SEND = 0.05  # the bar travels to the browser, and the clock must not measure that
SECONDS_BETWEEN_LOOKS = 0.2
_one_at_a_time = Lock()  # two measurements at once would measure each other


def stopwatch(n_ids: int, dim: int) -> None:
    """Draw the button that measures, and what came of it for so many IDs and columns."""
    st.header("Measured on this machine", anchor=False)
    measured = session.setdefault("timings", {})
    pressed = st.button("Measure both as V grows", type="primary", icon=":material/timer:")
    with st.container():  # always there: the bar comes and goes
        if pressed:
            measured.clear()
            measured[n_ids, dim] = run(n_ids, dim)
    if (n_ids, dim) in measured:
        result(measured[n_ids, dim])
    else:
        numbers = f"these N = {n_ids} IDs and D = {dim}"
        st.caption(f"For {numbers}: the median of several runs at each V, up to a memory limit.")


def run(n_ids: int, dim: int) -> list[Timing]:
    """Measure with a bar that moves from V to V; one session at a time."""
    bar, timings, sizes = st.progress(0.0, text="Waiting for the clock …"), [], sizes_that_fit(n_ids, dim)
    while not _one_at_a_time.acquire(timeout=SECONDS_BETWEEN_LOOKS):
        bar.progress(0.0, text="Waiting for the clock …")  # a learner who goes on meanwhile need not wait for it
    try:
        for timing in measure(n_ids, dim):
            timings.append(timing)
            bar.progress(len(timings) / len(sizes), text=f"V = {timing.vocab_size:,}")
            time.sleep(SECONDS_TO_SEND)
    finally:
        _one_at_a_time.release()
    bar.empty()
    return timings


def result(timings: list[Timing]) -> None:
    """Draw both lines, and say what they come to for GPT-2."""
    lookup, product = extrapolate(timings, GPT2_VOCAB_SIZE)
    last = timings[-1]
    show(
        timing_chart([t.vocab_size for t in timings], [t.lookup for t in timings], [t.product for t in timings]),
        f"At V = {last.vocab_size:,} the product took {last.product * 1e6:,.0f} microseconds, the lookup "
        f"{last.lookup * 1e6:,.1f}: {last.product / last.lookup:,.0f} times as long. On the straight line through the "
        f"two largest V, GPT-2's V = {GPT2_VOCAB_SIZE:,} comes to {product * 1e6:,.0f} and {lookup * 1e6:,.1f}.",
    )
