"""Presentation mode: larger text, no sidebar, and lessons turned by key; `present=1` in the address."""

import streamlit as st

from components.ui.lesson import Lesson
from components.ui.session import current
from components.ui.state import change_presenting, interact

LARGER = 1.3
KEY = "Shift+P"


def enlarged(pixels: int) -> int:
    """Return the width of a control, which has larger text in presentation mode."""
    return round(pixels * LARGER) if current().state.present else pixels


def turn_buttons(previous: Lesson | None, following: Lesson | None) -> None:
    """Render Previous, Next and Exit; a clicker for slides sends the keys of the first two."""
    with st.container(horizontal=True, gap="small"):
        for label, lesson, key in (("Previous", previous, "PageUp"), ("Next", following, "PageDown")):
            about = lesson.title if lesson else None
            if st.button(label, disabled=lesson is None, shortcut=key, help=about, on_click=interact) and lesson:
                st.switch_page(lesson.path)
        st.button("Exit", on_click=change_presenting, args=(False,), shortcut=KEY)


def present_button() -> None:
    about = "Presentation mode: larger text, no sidebar"
    enter = {"on_click": change_presenting, "args": (True,), "shortcut": KEY}
    st.button("Present", icon=":material/present_to_all:", type="tertiary", help=about, **enter)
