"""The sections below a lesson: a row of buttons, and those sections that are open; of the others nothing is built."""

from collections.abc import Callable
from functools import partial

import streamlit as st

from components.ui.presentation import scroll_here
from components.ui.quiz import answer_first
from components.ui.session import LearnerSession, Section, current
from components.ui.state import register_widget
from components.ui.terms import explained


def section(
    title: str,
    build: Callable[..., object],
    *arguments: object,
    icon: str = "",
    opened: bool = False,
    masked: bool = False,
) -> None:
    """Add a section, which `build` renders while it is open. The part of the title between ** is on its button.

    It is closed until the learner opens it, unless it is `opened` when the page is first shown. One that is `masked`
    would give away what the figure hides.
    """
    learner = current()
    if not learner.hides_answers:
        _, label, rest = title.split("**")
        render = answer_first if masked else partial(build, *arguments)
        learner.outputs.sections[label] = Section(rest, render, icon, opened)


def show_sections(learner: LearnerSession) -> None:
    """Render a button for each section, then the open ones; new terms in their titles are explained."""
    sections, page, purpose = learner.outputs.sections, learner.page, learner.lesson.purpose
    learner.outputs.labels = list(sections)
    learner.outputs.sections = {}  # they would keep alive what they show
    if not sections:
        return
    opened = learner.open_sections.setdefault(page, [label for label, each in sections.items() if each.opened])
    shown = [label for label in sections if label in opened]

    def choose(labels: list[str]) -> None:
        learner.run.opened = next((label for label in labels if label not in shown), "")
        learner.open_sections[page] = labels

    # A browser names them in the order in which they were opened; in another one the buttons would lose the focus.
    row = learner.widgets.get(f"sections_{page}")
    chosen = row.value if row and {*row.value} == {*shown} else shown
    bound = register_widget(f"sections_{page}", chosen, choose, "default")
    buttons = {label: f"{each.icon} {label}".strip() for label, each in sections.items()}
    st.pills("Go deeper", list(buttons), format_func=buttons.get, selection_mode="multi", **bound)
    for label in shown:
        each = sections[label]
        with st.container(border=True):
            rest = explained(each.rest, page, f"{purpose} {label}")
            st.html(f"<div><strong>{explained(label, page, purpose)}</strong>{rest}</div>")
            each.build()
            if label == learner.run.opened:  # others that are open may be above it
                # The last of the section, at its top by page.css: a control that is moved up when this is removed
                # loses the focus.
                scroll_here(key=f"scroll_to_section_{label}")
