"""The toolbar at the right of the title: Share, Download, Help, Present."""

import streamlit as st

from components.ui.presentation import present_button
from components.ui.session import LearnerSession

DIALOGS = {
    "share": ("Share", ":material/qr_code_2:"),
    "download": ("Download", ":material/download:"),
    "help": ("Help", ":material/help:"),
}


def toolbar(learner: LearnerSession) -> None:
    """Render a button for each dialog, and the one for presentation mode."""

    def open_dialog(name: str) -> None:
        learner.run.interacted, learner.dialog = True, name

    for name, (label, icon) in DIALOGS.items():
        st.button(label, key=f"open_{name}", icon=icon, type="tertiary", on_click=open_dialog, args=(name,))
    if not learner.state.present:
        present_button()
