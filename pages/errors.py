"""Errors: break an embedding on purpose, see what is really raised, and by which table."""

import streamlit as st

from components.ui.frame import frame


def lesson(state):
    """Tell the lesson from top to bottom."""
    failure = choose_experiment(state)
    values = parameters(failure, state)
    try:
        case = failure.case(**failure.with_defaults(values))
    except ValueError as error:
        refuse(str(error))
        return
    st.markdown(f":material/psychology: *One might think:* {plain(case.thought)}")
    left, right = st.columns([3, 2], gap="medium")
    with left:
        show_code(case.code)
    with right:
        guess(state)
    if not state.choices.ran:
        return
    outcome = run_failure(failure.name, **values)
    with left:
        what_is_wrong(outcome)
    with right:
        exhibit(outcome)
        verdict(state.choices.guess, outcome)
    left, right = st.columns(2, gap="medium")
    with left:
        pictures(outcome)
    with right:
        repair(outcome, state)
        with st.expander("And on a GPU?", icon=":material/memory:"):
            st.markdown(outcome.gpu)
    st.markdown(f"**What to notice.** {REMARKS[failure.name]}")


with frame("errors", settings=False) as state:
    from components.core.failure_remarks import REMARKS
    from components.core.failures import run_failure
    from components.ui.blocks import refuse
    from components.ui.experiment import (
        choose_experiment,
        exhibit,
        guess,
        parameters,
        pictures,
        repair,
        show_code,
        verdict,
        what_is_wrong,
    )
    from components.ui.markdown import plain

    lesson(state)
