"""The page of the lesson on errors: figure, prediction, what to notice, the fix; page_sections.py has the rest."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import streamlit as st

from components.base.link import State
from components.failures.catalogue import FAILURES, run_failure
from components.failures.experiment import FIXED
from components.lessons.errors import facts
from components.lessons.errors.choices import FIRST_SIZES, clamped
from components.lessons.errors.figure import errors_figure
from components.lessons.errors.page_experiment import notice, parameter_fields, program_section
from components.lessons.errors.page_sections import outcome_sections, traceback_section
from components.questions.quiz import ask
from components.ui.blocks import show_error
from components.ui.error_lab_links import FRESH
from components.ui.figure import show_figure
from components.ui.quiz import ShowButton, first_question, is_masked, predict
from components.ui.state import change_choices


def program_path(state: State) -> Path:
    """Return the program of the chosen experiment."""
    return FAILURES[state.choices.experiment].program


def program_values(state: State, token_ids: Sequence[int]) -> dict[str, Any]:
    """Return the values of the chosen experiment's program.

    Raises ValueError if the experiment cannot be run with the learner's values.

    >>> from components.lessons.errors.choices import Choices
    >>> program_values(State(choices=Choices()), [])
    {'V': 6, 'D': 3, 'seed': 123}
    """
    experiment = FAILURES[state.choices.experiment]
    return experiment.arguments(experiment.with_defaults(clamped(experiment, state)))


def hidden_cell(state: State) -> str:
    """Return the title of the cell that is hidden until the learner has predicted the outcome or run the program."""
    return FIXED if is_masked(next(ask(facts, state, []), None)) and not state.choices.ran else ""


def render(state: State) -> None:
    """Render the lesson from top to bottom."""
    experiment = FAILURES[state.choices.experiment]
    values = parameter_fields(experiment, state)
    try:
        outcome = run_failure(experiment.name, **values)
    except ValueError as error:
        show_error(str(error))
        traceback_section()
        return
    question = first_question()
    masked = is_masked(question) and not state.choices.ran
    show_figure(errors_figure(outcome, experiment.name, FRESH | FIRST_SIZES, masked))
    if masked or not state.choices.ran:
        predict(question, ShowButton("Run", partial(change_choices, ran=True)))
    else:
        st.button("Hide result", type="tertiary", on_click=change_choices, kwargs=FRESH)
    notice(outcome, masked)
    program_section(outcome, masked)
    traceback_section()
    if not masked:
        outcome_sections(outcome, experiment.name)
