"""The page of the lesson on errors: an experiment, what to notice, the fix, and the search for a traceback."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from time import monotonic_ns
from typing import Any

import streamlit as st

from components.base.field_types import ChoiceField, FieldType, IntegerField
from components.base.limits import MAX_TRACEBACK_CHARS
from components.base.link import State
from components.failures.catalogue import FAILURES, run_failure
from components.failures.experiment import FIXED, Experiment, Outcome
from components.failures.tracebacks import Found, find_experiments
from components.failures.views import format_result
from components.lessons.errors import facts
from components.lessons.errors.choices import FIRST_SIZES, clamped
from components.lessons.errors.figure import errors_figure
from components.questions.quiz import ask
from components.ui.blocks import option_list, ranged_number, show_error
from components.ui.figure import show_figure
from components.ui.markdown import escape_markdown
from components.ui.presentation import end_notice, enlarged, scroll_here
from components.ui.quiz import figure_of, first_question, is_masked, predict
from components.ui.sections import section
from components.ui.session import current
from components.ui.state import change_choices, interact, register_widget

FIELD_WIDTH, NARROW_FIELD_WIDTH = 190, 138  # pixels; the narrow ones of many fit in one row
MAX_NAMED = 12  # invalid values that are named one by one
HELP = {
    "V": "Vocabulary size: the rows of the token embedding table.",
    "D": "Embedding dimension: how many numbers each row has.",
    "T": "Tokens in a sequence, or rows of the position embedding table.",
    "B": "Batch size: how many sequences.",
    "ids": "Numbers, sequences separated by semicolons, or nested lists.",
}
OTHER_CHOICES = [{"lab_V": 9, "lab_D": 5, "lab_T": 6, "lab_B": 3}, {"lab_V": 12, "lab_D": 6, "lab_T": 7, "lab_B": 4}]


def program_path(state: State) -> Path:
    return FAILURES[state.choices.experiment].program


def program_values(state: State, token_ids: Sequence[int]) -> dict[str, Any]:
    """Raises ValueError if the experiment cannot be run with the learner's values."""
    experiment = FAILURES[state.choices.experiment]
    return experiment.arguments(experiment.with_defaults(clamped(experiment, state)))


def left_out(state: State, for_page: bool) -> set[str]:
    """Return the title of the cell that the page hides until the outcome is predicted or the program has run."""
    if not for_page:
        return set()
    question = next(ask(facts, state, []), None)
    return {FIXED} if is_masked(question, state.choices.experiment) else set()


def render(state: State) -> None:
    experiment = FAILURES[state.choices.experiment]
    experiment_menu(experiment.name)
    values = parameter_fields(experiment, state)
    try:
        outcome = run_failure(experiment.name, **values)
    except ValueError as error:
        show_error(str(error))
        add_traceback_section()
        return
    question = first_question()
    masked = is_masked(question, experiment.name)
    show_figure(errors_figure(outcome, experiment.name, masked))
    predict(question, experiment.name, "Run")
    with st.container():  # always rendered, so that what is below keeps the focus
        show_notice(outcome, masked)
    section("**The program and its fix**", show_programs, outcome, masked, icon=":material/build:")
    add_traceback_section()
    if not masked:
        section("**The whole message**, and every invalid value", show_run, outcome, experiment.name)
        section("**On a GPU**: what differs", st.markdown, outcome.gpu)


def experiment_menu(name: str) -> None:
    """Render the menu of experiments, which a narrow screen shows instead of the figure's catalogue."""
    bound = register_widget("experiment_menu", name, lambda entry: change_choices(**FIRST_SIZES, experiment=entry))
    titles = {each.name: f"{each.group}: {each.title}" for each in FAILURES.values()}
    option_list("Experiment", list(titles), bound, format_func=titles.get)


def parameter_fields(experiment: Experiment, state: State) -> dict[str, Any]:
    values = clamped(experiment, state)
    shown = [name for name in experiment.parameters if name != "seed"]
    with st.container(horizontal=True, vertical_alignment="bottom", key="own_controls"):
        for name in shown:
            width = enlarged(FIELD_WIDTH) if len(shown) <= 4 or name == "ids" else NARROW_FIELD_WIDTH
            parameter_field(experiment.name, name, experiment.parameters[name].field_type, values[name], width)
        if current().run.opened == experiment.name:  # from a pasted traceback, far below
            scroll_here(key=f"scroll_to_experiment_{monotonic_ns()}")  # one with the same key would not scroll again
    for name in shown:  # a link may have a value that another experiment permits
        limits, chosen = experiment.parameters[name].field_type, getattr(state.choices, f"lab_{name}")
        if values[name] != chosen:
            here = f"{limits.low:,} to {limits.high:,} here: using {values[name]:,}"
            st.caption(escape_markdown(f"{limits.label} = {chosen:,} is not within {here}."))
    return values


def parameter_field(experiment: str, name: str, field_type: FieldType, value: Any, width: int) -> None:
    label, help_text = f"{field_type.label[:1].upper()}{field_type.label[1:]}", HELP.get(name)
    bound = register_widget(f"{experiment}_{name}", value, lambda entry: change_choices(**{f"lab_{name}": entry}))
    if isinstance(field_type, IntegerField):
        ranged_number(label, field_type.low, field_type.high, width=width, help=help_text, **bound)
    elif isinstance(field_type, ChoiceField):
        option_list(label, field_type.options, bound, width=width)
    else:
        st.text_input(label, width=width, help=help_text, **bound)


def show_notice(outcome: Outcome, masked: bool) -> None:
    if masked:  # the assumption would give the answer
        return
    paragraphs = [f"**What to notice.** {escape_markdown(outcome.explanation)}"]
    if is_wrong(outcome):
        paragraphs.append(f":material/build: **Fix.** {escape_markdown(outcome.change)}")
        if outcome.avoid:
            paragraphs.append(f":material/visibility_off: **What not to do.** {escape_markdown(outcome.avoid)}")
    else:
        paragraphs.append("Nothing is wrong here, so there is nothing to fix.")
    st.markdown("\n\n".join(paragraphs))
    end_notice()
    if is_wrong(outcome):
        st.caption(f":material/psychology: Common assumption: {escape_markdown(outcome.assumption)}")


def is_wrong(outcome: Outcome) -> bool:
    """Return whether anything failed, or went wrong silently."""
    return bool(outcome.run.exception or outcome.invalid_values)


def show_programs(outcome: Outcome, masked: bool) -> None:
    show_code(outcome.run.code)
    if masked:
        st.caption("The fix is shown once the program has run.")
    elif is_wrong(outcome):
        st.markdown("**The fix**: lines that run after the program, and their result")
        show_code(outcome.fixed.code)
        st.code(format_result(outcome.fixed.result), language=None, wrap_lines=True)


def show_code(code: str) -> None:
    st.code(code.rstrip(), line_numbers=True, wrap_lines=True)


def add_traceback_section() -> None:
    section("**Paste your traceback**: which experiment is it?", traceback_view, icon=":material/content_paste:")


def traceback_view() -> None:
    text = st.text_area(
        f"Your traceback; of a long one the last {MAX_TRACEBACK_CHARS:,} characters are searched",
        height=140,
        key="errors_traceback",
        on_change=interact,
    )
    st.caption("The text is compared with the messages of these experiments. Nothing in it is run or stored.")
    if text and text.strip():
        show_found(find_experiments(text))


def show_found(found: list[Found]) -> None:
    """Show the experiments of a traceback as buttons that run them with its numbers."""
    learner = current()

    def run(name: str, values: Mapping[str, Any]) -> None:
        change_choices(**{**FIRST_SIZES, **{f"lab_{key}": value for key, value in values.items()}, "experiment": name})
        learner.score.open_figures.add(figure_of(name))
        learner.run.opened = name

    if not found:
        st.markdown(
            "This search finds no experiment for this text. Paste all of it, up to the last line, which names the "
            "exception; other errors, also of embeddings, are not found here."
        )
        return
    raised_by = "These experiments fail in this way: possible causes"
    if len(found) == 1:
        raised_by = "This experiment fails in this way: one possible cause"
    more, names = "", {each.experiment for each in found}
    if {"cannot_broadcast", "dim_mismatch"} <= names:
        more = " In a sum of [B, T, D], dimension 1 is T, of tokens and positions; in one of [T, D] it is D."
    elif "past_position_table" in names:
        more = " On a CPU it is an IndexError, “index out of range in self”; on a GPU, “device-side assert triggered”."
    st.markdown(f"{raised_by}. Other code can fail so too.{more}")
    with st.container(horizontal=True):
        for name, values in found:
            st.button(escape_markdown(FAILURES[name].title), on_click=run, args=(name, values))


def show_run(outcome: Outcome, name: str) -> None:
    run = outcome.run
    if run.exception:
        st.markdown("**Error** raised by this code and caught; the app is fine.")
        st.code(f"{run.failed}\n{run.raised}", language=None, wrap_lines=True)
    else:
        st.markdown("**No error.** The result:")
        st.code(format_result(run.result), language=None, wrap_lines=True)
    named = outcome.invalid_values[:MAX_NAMED]
    more = len(outcome.invalid_values) - len(named)
    lines = [f"- {escape_markdown(str(invalid))}" for invalid in named]
    st.markdown("\n".join(lines + ([f"- and {more:,} more"] if more else [])))
    st.markdown(escape_markdown(FAILURES[name].remark))
