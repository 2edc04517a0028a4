"""The frame around every lesson: title, toolbar, purpose, the bar of a class, and the link to the next lesson."""

from base64 import b64encode
from contextlib import AbstractContextManager
from pathlib import Path

import streamlit as st

from components.ui.custom_css import inject_css
from components.ui.imports import import_part
from components.ui.markdown import escape_markdown
from components.ui.presentation import CONTROLS_KEY, KEY, WHOLE_LINE, turn_buttons
from components.ui.session import LearnerSession
from components.ui.state import begin_run, change_presenting, interact
from components.ui.terms import explained

# A data URL: Streamlit would load a named icon from another company's server, and a file from disk in every run.
_PICTURE = Path(__file__).parents[1] / "data" / "icon.svg"
ICON = f"data:image/svg+xml;base64,{b64encode(_PICTURE.read_bytes()).decode()}"
# The browser keeps the scroll position when the lesson changes, since all elements belong to the main script.
scroll_to_top = st.components.v2.component(
    "scroll_to_top",
    js="""
export default function () {
    document.querySelector('[data-testid="stMain"]').scrollTop = 0;
}
""",
)
DIALOGS = {
    "share": ("Share", ":material/qr_code_2:"),
    "download": ("Download", ":material/download:"),
    "help": ("Help", ":material/help:"),
    "class": ("Class", ":material/groups:"),
}


def show_frame(learner: LearnerSession) -> AbstractContextManager | None:
    """Render what is above the lesson; return the container of the buttons that turn a presentation, if any."""
    lesson = learner.lesson
    title = "Embedding Lab" if lesson.name == "home" else lesson.title
    tab_title = title if lesson.name == "home" else f"{title} · Embedding Lab"
    # Streamlit closes the sidebar on a narrow screen, which that of a phone held sideways is not.
    sidebar = "collapsed" if "Mobi" in st.context.headers.get("User-Agent", "") else "auto"
    if learner.run.first_run or learner.run.new_page or not learner.run.last_completed:  # the browser keeps it
        st.set_page_config(tab_title, page_icon=ICON, layout="wide", initial_sidebar_state=sidebar)
    begin_run(learner)
    inject_css(learner.state.present, learner.seat is not None)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="frame"):  # one: it wraps
        st.title(title, width="stretch")
        turns = toolbar(learner)
        st.html(f"<div>{explained(lesson.purpose, lesson.name)}</div>", width=WHOLE_LINE)
        if learner.run.new_page and not learner.run.first_run:
            scroll_to_top(key="scroll_to_top", data=lesson.name.encode())  # for a string Streamlit imports pandas
    # Always there: a fragment is identified by its position, and a click in one at another position is lost.
    with st.container():
        if learner.seat:
            import_part("components.ui.room_screen").show_room(learner)
    return turns


def toolbar(learner: LearnerSession) -> AbstractContextManager | None:
    """Render a button for each dialog, and the one for presentation mode or the container of those that turn it."""
    for name, (label, icon) in DIALOGS.items():
        if name == "download" and (learner.attends or learner.hides_answers):  # it would give the answer
            continue
        press = {"on_click": interact, "kwargs": {"dialog": name}}
        st.button(label, key=f"open_{name}", icon=icon, type="tertiary", **press)
    if learner.attends:
        return None
    if not learner.state.present:
        press = {"on_click": change_presenting, "args": (True,), "shortcut": KEY}
        about = "Presentation mode: larger text, no sidebar"
        st.button("Present", key="present", icon=":material/present_to_all:", type="tertiary", help=about, **press)
        return None
    if learner.lesson.takes_text or learner.lesson.controls is not None:
        shown = {"controls_shown": not learner.controls_shown, "notice_shown": False}  # they are above the figure
        press = {"on_click": interact, "kwargs": shown, "shortcut": CONTROLS_KEY}
        st.button("Text and settings", key="open_controls", icon=":material/tune:", type="tertiary", **press)
    if learner.in_class:  # which turns the lessons together
        return None
    return st.container(horizontal=True, gap="small", width="content", key="turns")


def show_next_link(learner: LearnerSession, turns: AbstractContextManager | None) -> None:
    """Render what makes the next lesson necessary as its link, or the buttons that turn, which depend on the lesson."""
    names = list(learner.lessons)
    index = names.index(learner.page)
    following = learner.lessons[names[index + 1]] if index + 1 < len(names) else None
    if turns:
        with turns:
            turn_buttons(learner.lessons[names[index - 1]] if index else None, following)
    elif following and not learner.in_class:
        label = f"{escape_markdown(learner.lesson.leads_on)} **Next:\u00a0{following.title}**"
        st.page_link(following.path, label=label, icon=":material/arrow_forward:", icon_position="right")
