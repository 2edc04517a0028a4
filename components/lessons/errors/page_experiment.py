"""One experiment: its parameters, its program, the learner's guess, and what the run raised."""

from typing import Any

import streamlit as st

from components.base.field_types import ChoiceField, IntegerField
from components.base.link import State
from components.failures.catalogue import FAILURES, Outcome
from components.failures.experiment import Experiment
from components.failures.views import format_result
from components.lessons.errors.choices import GUESSES, OTHER, SILENT, Choices, clamped
from components.ui.error_lab_links import FRESH
from components.ui.state import bind_options, bind_widget, change_choices

FIELD_WIDTH, WIDE_FIELD_WIDTH = 190, 396  # pixels
HELP = {
    "V": "Vocabulary size: the rows of the token table.",
    "D": "Embedding dimension: how many numbers each row holds.",
    "T": "Tokens in a sequence: the rows of the position table.",
    "B": "Batch size: how many sequences.",
    "ids": "Numbers, rows separated by semicolons, or nested lists.",
}
DEFAULTS = Choices()
SIZES = {name: getattr(DEFAULTS, name) for name in ("lab_V", "lab_D", "lab_T", "lab_B")}


def choose_experiment(state: State) -> Experiment:
    """Render the list of experiments; another one starts with small sizes, without guess, run or fix."""
    names = list(FAILURES)
    numbered = {name: f"{number}. {experiment.title}" for number, (name, experiment) in enumerate(FAILURES.items(), 1)}

    def choose(name: str) -> None:
        change_choices(experiment=name, **FRESH, **SIZES)

    bound = bind_widget("experiment", state.choices.experiment, choose)
    st.selectbox("Experiment", names, format_func=numbered.get, **bind_options(names, bound))
    return FAILURES[state.choices.experiment]


def parameter_fields(experiment: Experiment, state: State) -> dict[str, Any]:
    """Render a field for every parameter of the experiment; return the values, clamped to its limits."""
    values = clamped(experiment, state)
    fields = [(name, parameter.field_type, values[name]) for name, parameter in experiment.parameters.items()]
    fields = [field for field in fields if field[0] != "seed"]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        for name, field_type, value in fields:
            label = f"{field_type.label[:1].upper()}{field_type.label[1:]}"

            def change(entry: Any, name: str = name) -> None:
                change_choices(**{f"lab_{name}": entry, "guess": ""})  # the guess was about other values

            bound, help_text = bind_widget(f"{experiment.name}_{name}", value, change), HELP.get(name)
            if isinstance(field_type, IntegerField):
                low, high = field_type.low, field_type.high
                label = f"{label}, {low:,} to {high:,}"
                st.number_input(label, low, high, step=1, width=FIELD_WIDTH, help=help_text, **bound)
            elif isinstance(field_type, ChoiceField):
                options = field_type.options
                st.selectbox(label, options, width=FIELD_WIDTH, **bind_options(options, bound))
            else:
                width = WIDE_FIELD_WIDTH if name == "ids" else FIELD_WIDTH
                st.text_input(label, max_chars=field_type.max_chars, width=width, help=help_text, **bound)
    return values


def guess_field(state: State) -> None:
    """Ask what will be raised, and render the button that runs the program; the run fixes the guess."""
    choices = state.choices
    bound = bind_widget(
        "guess", choices.guess or None, lambda name: change_choices(guess=name or ""), default="default"
    )
    st.pills("**Predict first.** What happens when this runs?", GUESSES, wrap=True, disabled=choices.ran, **bound)
    with st.container(horizontal=True):
        st.button("Run", type="primary", icon=":material/play_arrow:", on_click=change_choices, kwargs={"ran": True})
        if choices.ran:
            st.button("Hide result", type="tertiary", on_click=change_choices, kwargs=FRESH)


def show_run(outcome: Outcome) -> None:
    """Show the error as one of the experiment and not of this app, or the output if nothing was raised."""
    run = outcome.run
    with st.container(border=True):
        if run.exception:
            st.markdown(":material/science: **Error** raised by this code and caught; the app is fine.")
            st.code(f"line {run.line}:  {run.failed}\n{run.raised}", language=None, wrap_lines=True)
        else:
            st.markdown(":material/science: **No error.** Output of the last line:")
            st.code(format_result(run.result), language=None, wrap_lines=True)


def show_verdict(guess: str, outcome: Outcome) -> None:
    """Show whether the guess was correct."""
    raised = outcome.exception.__name__ if outcome.exception else SILENT
    if guess and guess == (raised if raised in GUESSES else OTHER):
        st.success(f"Your guess, **{guess}**, is correct.", icon=":material/check:")
    elif guess:
        answer = f"it is **{raised}**" if outcome.exception else f"**{raised}**"
        st.info(f"Your guess was **{guess}**; {answer}.", icon=":material/lightbulb:")


def show_code(code: str) -> None:
    """Show a program that can be copied and run alone."""
    st.code(code.rstrip(), line_numbers=True, wrap_lines=True)
