"""One experiment: its parameters, what to notice, its program, and the fix beside it."""

from typing import Any

import streamlit as st

from components.base.field_types import ChoiceField, FieldType, IntegerField
from components.base.link import State
from components.failures.catalogue import Outcome
from components.failures.experiment import Experiment
from components.failures.printed import format_result
from components.lessons.errors.choices import clamped
from components.ui.blocks import section
from components.ui.markdown import escape_markdown
from components.ui.state import bind_options, bind_widget, change_choices
from components.ui.whole_number import ranged_number

FIELD_WIDTH, NARROW_FIELD_WIDTH = 190, 138  # pixels; the narrow ones of many fit in one row
HELP = {
    "V": "Vocabulary size: the rows of the token table.",
    "D": "Embedding dimension: how many numbers each row holds.",
    "T": "Tokens in a sequence: the rows of the position table.",
    "B": "Batch size: how many sequences.",
    "ids": "Numbers, rows separated by semicolons, or nested lists.",
}


def parameter_fields(experiment: Experiment, state: State) -> dict[str, Any]:
    """Render a field for every parameter of the experiment; return the values, clamped to its limits."""
    values = clamped(experiment, state)
    shown = [name for name in experiment.parameters if name != "seed"]
    with st.container(horizontal=True, vertical_alignment="bottom", key="own_controls"):
        for name in shown:
            width = FIELD_WIDTH if len(shown) <= 4 or name == "ids" else NARROW_FIELD_WIDTH
            parameter_field(experiment.name, name, experiment.parameters[name].field_type, values[name], width)
    return values


def parameter_field(experiment: str, name: str, field_type: FieldType, value: Any, width: int) -> None:
    """Render the field for one parameter of an experiment."""
    label, help_text = f"{field_type.label[:1].upper()}{field_type.label[1:]}", HELP.get(name)
    bound = bind_widget(f"{experiment}_{name}", value, lambda entry: change_choices(**{f"lab_{name}": entry}))
    if isinstance(field_type, IntegerField):
        ranged_number(label, field_type.low, field_type.high, width=width, help=help_text, **bound)
    elif isinstance(field_type, ChoiceField):
        options = field_type.options
        st.selectbox(label, options, width=width, **bind_options(options, bound))
    else:
        st.text_input(label, max_chars=field_type.max_chars, width=width, help=help_text, **bound)


def notice(outcome: Outcome, masked: bool) -> None:
    """Show the explanation and the fix, with the numbers of this run; before it, what a learner may assume."""
    if masked:
        st.markdown(f":material/psychology: *Common assumption:* {escape_markdown(outcome.case.assumption)}")
        return
    paragraphs = [f"**What to notice.** {escape_markdown(outcome.case.explanation)}"]
    if is_wrong(outcome):
        paragraphs.append(f":material/build: **Fix.** {escape_markdown(outcome.case.change)}")
        if outcome.case.avoid:
            paragraphs.append(f":material/visibility_off: **What not to do.** {escape_markdown(outcome.case.avoid)}")
    else:
        paragraphs.append("Nothing is wrong here, so there is nothing to fix.")
    st.markdown("\n\n".join(paragraphs))


def is_wrong(outcome: Outcome) -> bool:
    """Return whether anything failed, or went wrong silently."""
    return bool(outcome.run.exception or outcome.case.invalid_values)


def program_section(outcome: Outcome, masked: bool) -> None:
    """Render the section with the program, and once it has run with the fix beside it."""
    part = section("**The program and its fix**, beside each other", "program", ":material/build:")
    if not part:
        return
    with part:
        left, right = st.columns(2, gap="medium")
    with left:
        st.markdown("**The program**")
        show_code(outcome.run.code)
    with right:
        if masked:
            st.caption("The fix is shown once the program has run.")
        elif is_wrong(outcome):
            show_fix(outcome)


def show_fix(outcome: Outcome) -> None:
    """Show the lines of the fix, and its result."""
    st.markdown("**The fix**")
    show_code(outcome.fixed.code)
    st.caption("These lines run after the program. The result:")
    st.code(format_result(outcome.fixed.result), language=None, wrap_lines=True)


def show_code(code: str) -> None:
    """Show code that can be copied."""
    st.code(code.rstrip(), line_numbers=True, wrap_lines=True)
