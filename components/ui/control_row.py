"""The row of controls below the title: the text, the shared settings that matter here, and a panel with all of them."""

import streamlit as st

from components.ui.lesson import Lesson
from components.ui.presentation import enlarged
from components.ui.session import LearnerSession
from components.ui.settings_controls import all_settings, control
from components.ui.text_entry import first_words, text_panel

TEXT_WIDTH = 250  # pixels; with three sliders and "All settings" a wider button would wrap at 1280 x 720


def control_row(learner: LearnerSession, lesson: Lesson) -> None:
    if lesson.takes_text:
        _panel_button(learner, "text", first_words(learner.state), ":material/edit:", enlarged(TEXT_WIDTH))
    if lesson.controls is not None:
        for name in lesson.controls:
            control(name, learner.state.settings)
        _panel_button(learner, "settings", "All settings", ":material/tune:", "content")


def show_panel(learner: LearnerSession) -> None:
    """Render the panel that is open below the row."""
    with st.container(border=True):
        if learner.panel == "text":
            text_panel(learner.state)
        else:
            all_settings(learner.state.settings)


def _panel_button(learner: LearnerSession, panel: str, label: str, icon: str, width: int | str) -> None:
    """Render the button that opens a panel, or closes it if it is open."""
    after = "" if learner.panel == panel else panel

    def toggle() -> None:
        learner.run.interacted, learner.panel = True, after

    shown = icon if after else ":material/expand_less:"
    st.button(label, key=f"panel_{panel}", icon=shown, width=width, on_click=toggle)
