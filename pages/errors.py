"""Errors: break an embedding on purpose, see what is really raised, and by which table."""

import streamlit as st

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
from components.ui.frame import frame
from components.ui.markdown import plain


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
    st.markdown(
        "**What to notice.** Both tables complain in the same words, without a name; the line in the traceback tells "
        "which one it was. What is raised is only half of it: a sum of the wrong shape, a table without columns and a "
        "character cut in two raise nothing at all, so check shapes and numbers where they are made."
    )


with frame("errors", settings=False) as state:
    lesson(state)
