"""The presenter's view: everything larger, no sidebar, and the lessons turned by key; `present=1` in the address."""

import streamlit as st

from components.core.link import to_query
from components.ui.learner import session
from components.ui.lessons import LESSONS, Lesson, neighbours
from components.ui.state import change_choices

LARGER = 1.3
KEY = "Shift+P"
# Streamlit has no setting for the size of one session's page. It measures in rem, so the size of the root does it.
# Charts are enlarged where they are drawn, because their letters are measured in pixels.
STYLE = f"""<style>
html {{ font-size: {16 * LARGER}px !important; }}
[data-testid="stSidebar"], [data-testid="stExpandSidebarButton"] {{ display: none; }}
[data-testid="stMainBlockContainer"] {{ padding: 0.75rem 2rem 2rem; }}
</style>"""


def presenter_bar(name: str) -> None:
    """Draw the way to the lessons before and after, by button or key, and the way out."""
    st.html(STYLE)
    before, after = neighbours(name)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        turn("Lesson before", before, "PageUp")
        turn("Next lesson", after, "PageDown")
        st.button("Leave this view", on_click=change_choices, kwargs={"present": False}, shortcut=KEY)


def turn(label: str, lesson: Lesson | None, key: str) -> None:
    """Draw a button to another lesson; a clicker for slides sends the same keys."""
    pressed = st.button(label, disabled=lesson is None, shortcut=key, help=lesson.title if lesson else None)
    if pressed and lesson:
        st.switch_page(lesson.path, query_params=to_query(session.learner.state))


def present_button() -> None:
    """Draw the way into the presenter's view."""
    about = "The presenter's view: larger, without the sidebar"
    enter = {"on_click": change_choices, "kwargs": {"present": True}, "shortcut": KEY}
    st.button("Present", icon=":material/present_to_all:", type="tertiary", help=about, **enter)


def shortcuts() -> list[dict[str, str]]:
    """Return every key and what it does."""
    return [
        {"key": "Tab, Shift + Tab", "does": "to the next control, or back", "where": "everywhere"},
        {"key": "← →", "does": "one step of the walk", "where": LESSONS["combine"].title},
        {"key": "PageUp, PageDown", "does": "the lesson before, the next lesson", "where": "presenter's view"},
        {"key": "Shift + P", "does": "into the presenter's view, and out of it", "where": "everywhere"},
        {"key": "Esc", "does": "closes a window such as this one", "where": "everywhere"},
        {"key": "Ctrl + Enter", "does": "hands over a text of several lines", "where": "text entries"},
        {"key": "Home, End, arrows", "does": "move a slider", "where": "sliders, also those under a chart"},
    ]
