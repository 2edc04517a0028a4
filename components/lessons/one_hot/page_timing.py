"""Lookup and one-hot product timed on this machine, on demand."""

import time
from threading import Lock

import streamlit as st
import torch

from components.base.limits import MAX_TIMED_COLUMNS, MAX_TIMED_IDS
from components.base.text_format import pluralize
from components.embedding.timing import REPETITIONS, SIZES, Quartiles, Timing, measure
from components.lessons.one_hot.charts import timing_chart
from components.ui.blocks import show_chart

SECONDS_TO_SEND = 0.05  # sending the progress bar to the browser takes time that must not be measured
SECONDS_BETWEEN_CHECKS = 0.2
WAITING = "Waiting for another measurement …"
_one_at_a_time = Lock()  # two measurements at once would measure each other


def timing_view(n_ids: int, dim: int) -> None:
    n_ids, dim = min(n_ids, MAX_TIMED_IDS), min(dim, MAX_TIMED_COLUMNS)
    measured = st.session_state.setdefault("timings", {})
    pressed = st.button("Time both as V grows", type="primary", icon=":material/timer:")
    with st.container():  # always rendered, so that the progress bar does not move what is below
        if pressed:
            measured.clear()
            measured[n_ids, dim] = run(n_ids, dim)
    if (n_ids, dim) in measured:
        show_timings(measured[n_ids, dim], n_ids, dim)
    else:
        st.caption(
            f"For N = {n_ids} (at most {MAX_TIMED_IDS}) and D = {dim} (at most {MAX_TIMED_COLUMNS}), at V from "
            f"{SIZES[0]} to {SIZES[-1]:,}: {REPETITIONS} repetitions each, with "
            f"{pluralize(torch.get_num_threads(), 'thread')}."
        )


def run(n_ids: int, dim: int) -> list[Timing]:
    """Measure at each V with a progress bar, one session at a time."""
    bar, timings = st.progress(0.0, text=WAITING), []
    while not _one_at_a_time.acquire(timeout=SECONDS_BETWEEN_CHECKS):
        bar.progress(0.0, text=WAITING)  # ends this run here if the learner has changed something meanwhile
    try:
        for timing in measure(n_ids, dim):
            timings.append(timing)
            bar.progress(len(timings) / len(SIZES), text=f"V = {timing.vocab_size:,}")
            time.sleep(SECONDS_TO_SEND)
    finally:
        _one_at_a_time.release()
    bar.empty()
    return timings


def show_timings(timings: list[Timing], n_ids: int, dim: int) -> None:
    last = timings[-1]
    show_chart(
        timing_chart(timings),
        f"N = {n_ids}, D = {dim}. At GPT-2's V = {last.vocab_size:,} the product took {in_words(last.product)}, the "
        f"lookup {in_words(last.lookup)}: {last.product.median / last.lookup.median:,.0f} times as long. Lines: "
        f"medians of {REPETITIONS} repetitions; bands, and numbers in parentheses: first to third quartile. The time "
        "of the product includes making the one-hot matrix.",
    )


def in_words(times: Quartiles) -> str:
    """Return the median with the quartiles.

    >>> in_words(Quartiles(1e-6, 2e-6, 3.5e-3))
    '2.0 µs (1.0 to 3,500.0)'
    """
    first, median, third = (f"{seconds * 1e6:,.1f}" for seconds in times)
    return f"{median} µs ({first} to {third})"
