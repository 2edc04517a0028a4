"""The sections of the lesson on errors: a pasted traceback, the whole run, and a GPU."""

from functools import partial

import streamlit as st

from components.base.limits import MAX_TRACEBACK_CHARS
from components.failures.catalogue import FAILURES, Outcome
from components.failures.printed import format_result
from components.failures.tracebacks import Found, find_experiments
from components.lessons.errors.choices import FIRST_SIZES
from components.ui.blocks import section
from components.ui.error_lab_links import FRESH
from components.ui.markdown import escape_markdown
from components.ui.state import change_choices, interact

MAX_NAMED = 12  # invalid values that are named one by one


def traceback_section() -> None:
    """Render the section that finds the experiments for a pasted traceback."""
    if part := section("**Paste your traceback**: which experiment is it?", "traceback", ":material/content_paste:"):
        with part:
            text = st.text_area(
                "Your traceback", max_chars=MAX_TRACEBACK_CHARS, height=140, key="errors_traceback", on_change=interact
            )
            st.caption("The text is compared with the messages of the catalogue. Nothing in it is run or stored.")
            if text and text.strip():
                show_found(find_experiments(text))


def show_found(found: list[Found]) -> None:
    """Show the experiments of a traceback as buttons that choose them, with the numbers of the traceback."""
    if not found:
        st.markdown(
            "No message of the catalogue is in this text. Paste it to its last line, which names the exception; errors "
            "that have nothing to do with embeddings are not found here."
        )
        return
    st.markdown("The same message, the most likely cause first:")
    with st.container(horizontal=True):
        for name, values in found:
            filled = {f"lab_{key}": value for key, value in values.items()}
            choose = partial(change_choices, **{**FRESH, **FIRST_SIZES, **filled, "experiment": name, "ran": True})
            st.button(escape_markdown(FAILURES[name].title), key=f"found_{name}", on_click=choose)


def outcome_sections(outcome: Outcome, name: str) -> None:
    """Render the sections of an experiment that has run."""
    if part := section("**The whole message**, and every invalid value", "run"):
        with part:
            show_run(outcome)
            st.markdown(escape_markdown(FAILURES[name].remark))
    if part := section("**On a GPU**: what differs", "gpu"):
        with part:
            st.markdown(outcome.case.gpu)


def show_run(outcome: Outcome) -> None:
    """Show the error as one of the experiment and not of this app, or the output if nothing was raised."""
    run = outcome.run
    if run.exception:
        st.markdown("**Error** raised by this code and caught; the app is fine.")
        st.code(f"line {run.line}:  {run.failed}\n{run.raised}", language=None, wrap_lines=True)
    else:
        st.markdown("**No error.** The result:")
        st.code(format_result(run.result), language=None, wrap_lines=True)
    named = outcome.case.invalid_values[:MAX_NAMED]
    more = len(outcome.case.invalid_values) - len(named)
    lines = [f"- {escape_markdown(str(invalid))}" for invalid in named]
    st.markdown("\n".join(lines + ([f"- and {more:,} more"] if more else [])))
