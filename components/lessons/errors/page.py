"""The page of the lesson on errors: choose an experiment, predict, run it, see where it fails, and fix it."""

import streamlit as st

from components.base.link import State
from components.failures.catalogue import run_failure
from components.failures.remarks import REMARKS
from components.lessons.errors.page_experiment import (
    choose_experiment,
    guess_field,
    parameter_fields,
    show_code,
    show_run,
    show_verdict,
)
from components.lessons.errors.page_outcome import show_explanation, show_figures, show_fix
from components.ui.blocks import show_error
from components.ui.markdown import escape_markdown


def render(state: State) -> None:
    """Render the lesson from top to bottom."""
    experiment = choose_experiment(state)
    values = parameter_fields(experiment, state)
    try:
        values = experiment.with_defaults(values)
        case = experiment.case(**values)
    except ValueError as error:
        show_error(str(error))
        return
    st.markdown(f":material/psychology: *Common assumption:* {escape_markdown(case.assumption)}")
    left, right = st.columns([3, 2], gap="medium")
    with left:
        show_code(experiment.code(values, fixed=False))
    with right:
        guess_field(state)
    if not state.choices.ran:
        return
    outcome = run_failure(experiment.name, **values)
    with left:
        show_explanation(outcome)
    with right:
        show_run(outcome)
        show_verdict(state.choices.guess, outcome)
    left, right = st.columns(2, gap="medium")
    with left:
        show_figures(outcome)
    with right:
        show_fix(outcome, state)
        with st.expander("And on a GPU?", icon=":material/memory:"):
            st.markdown(outcome.gpu)
    st.markdown(f"**What to notice.** {REMARKS[experiment.name]}")
