"""The controls that all lessons share: the row of text and settings, messages about them, and the open panel.

They are rendered with the lesson, not with the frame, so that a change of a setting does not render the frame again.
"""

from contextlib import nullcontext

import streamlit as st

from components.ui.lesson import Lesson
from components.ui.presentation import WHOLE_LINE, enlarged
from components.ui.session import LearnerSession
from components.ui.settings_controls import all_settings, control, row_of
from components.ui.state import interact, show_messages
from components.ui.text_entry import first_words, text_panel
from components.ui.trained_table import lacks_rows

TEXT_WIDTH = 260  # pixels: the default text; three sliders and "All settings" leave 279 at 1280 x 720


def show_controls(learner: LearnerSession) -> None:
    state = learner.state
    learner.run.random = lacks_rows(learner.lesson, state.lesson(learner.page))
    # Always there, so that the lesson below is at the same position.
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="controls"):
        has_row = not learner.bound and (learner.controls_shown or not state.present)
        has_panel = has_row and learner.panel and learner.panel not in learner.unused_controls
        if has_row:
            control_row(learner, learner.lesson)
        # Above a panel always a container, so that a message does not move the panel, which would lose the focus.
        with st.container(width=WHOLE_LINE) if has_panel else nullcontext():
            show_messages(learner)
        if has_panel:
            with st.container(border=True, width=WHOLE_LINE):
                text_panel(state) if learner.panel == "text" else all_settings(state.settings)


def control_row(learner: LearnerSession, lesson: Lesson) -> None:
    unused = learner.unused_controls
    if lesson.takes_text and "text" not in unused:
        _panel_button(learner, "text", first_words(learner.state), ":material/edit:", enlarged(TEXT_WIDTH))
    if lesson.controls is not None:
        state = learner.state.lesson(lesson.name)
        row = row_of(lesson.controls, state.settings, lesson.trained, learner.run.random)
        for name in (each for each in row if each not in unused):
            control(name, state.settings)
        _panel_button(learner, "settings", "All settings", ":material/tune:", "content")


def _panel_button(learner: LearnerSession, panel: str, label: str, icon: str, width: int | str) -> None:
    """Render the button that opens a panel, or closes it if it is open."""
    after = "" if learner.panel == panel else panel
    look = {"icon": icon if after else ":material/expand_less:", "width": width}
    st.button(label, key=f"panel_{panel}", on_click=interact, kwargs={"panel": after}, **look)
