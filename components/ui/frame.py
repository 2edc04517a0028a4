"""The frame around every page: title, list of lessons, shared settings, and the way on."""

from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from itertools import groupby
from pathlib import Path

import streamlit as st
from streamlit.runtime.scriptrunner import RerunException

from components.core.link import State
from components.ui.checks import begin_checks, check_yourself
from components.ui.controls import settings_panel
from components.ui.learner import session
from components.ui.lessons import LESSONS, Lesson, neighbours
from components.ui.links import link_to
from components.ui.look import look
from components.ui.markdown import plain
from components.ui.messages import keep_messages
from components.ui.offers import begin_offers
from components.ui.presenter import present_button, presenter_bar
from components.ui.reconnect import hand_over, run_when_reconnected
from components.ui.state import begin, take_notices
from components.ui.warm import warm_up

# A picture of our own: Streamlit would fetch a named icon from another company's server, and a file from the disk, in
# every run.
_PICTURE = Path(__file__).parents[1] / "data" / "icon.svg"
ICON = f"data:image/svg+xml;base64,{b64encode(_PICTURE.read_bytes()).decode()}"


@contextmanager
def frame(name: str, settings: bool = True) -> Iterator[State]:
    """Draw everything around the lesson called `name`, and hand the learner's state to what stands inside.

    A page imports inside what its lesson needs: torch and the charts take longer than all that stands above, and the
    first visitor of a server reads the title meanwhile. It keeps its tensors inside a function: Streamlit holds on to
    the variables of a page until the next run, and a class would hold a table each. A page whose numbers are all its
    own leaves the shared `settings` out.
    """
    lesson = LESSONS[name]
    title = "Embedding Lab" if name == "home" else f"{lesson.title} · Embedding Lab"
    st.set_page_config(title, page_icon=ICON, layout="wide")
    keep_messages()
    look()
    state = begin(name)
    begin_offers()
    if state.choices.present:
        presenter_bar(name)
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        st.title("Embedding Lab" if name == "home" else lesson.title, width="content")
        asked = toolbar(state)
    st.markdown(lesson.purpose)
    with st.sidebar:
        lesson_list()
        if settings:
            with st.container(gap="xsmall"):
                st.markdown("**Settings** for every lesson")
                settings_panel(state)
        else:
            st.caption("This page has no need of the settings that the other lessons share; they stay as they are.")
    with st.container():  # always there, so that a warning does not move what stands below and take its focus
        if notices := take_notices():
            st.warning("  \n".join(map(plain, notices)), icon=":material/warning:")
    begin_checks(name, state)
    try:
        yield state
    except RerunException as again:
        if again.rerun_data.widget_states is None:  # the page's own wish, and not what the browser sent meanwhile
            hand_over()
        raise
    pytorch(name, state)
    check_yourself()
    st.divider()
    before, after = neighbours(name)
    with st.container(horizontal=True, horizontal_alignment="distribute"):
        if before:
            way(before, "Back: ", ":material/arrow_back:")
        if after:
            way(after, "Next: ", ":material/arrow_forward:")
    if asked:
        import_module(f"components.ui.{asked}").panel()  # most visits ask for none, and the first page need not wait
    warm_up()
    run_when_reconnected()
    hand_over()
    session.learner.finished = True


def pytorch(name: str, state: State) -> None:
    """Draw the programs behind a lesson, where it has any; they are written when somebody opens them."""
    if name in ("home", "glossary"):
        return
    part = st.expander(
        "**Show the PyTorch**, step by step", icon=":material/code:", key=f"pytorch_{name}", on_change="rerun"
    )
    if part.open:
        with part:
            import_module("components.ui.pytorch").show_pytorch(name, state)


PANELS = {
    "share": ("Share", ":material/qr_code_2:"),
    "take_away": ("Take it with you", ":material/download:"),
    "help": ("Keys and words", ":material/help:"),
}


def toolbar(state: State) -> str | None:
    """Draw what every page offers besides its lesson; return what was asked for, to be opened over the whole page."""
    asked = None
    with st.container(horizontal=True, width="content", gap="small"):
        for name, (label, icon) in PANELS.items():
            if st.button(label, icon=icon, type="tertiary"):
                asked = name
        if not state.choices.present:
            present_button()
    return asked


def lesson_list() -> None:
    """Draw the lessons by section; every link carries the state."""
    with st.container(gap="xxsmall"):
        for section, lessons in groupby(LESSONS.items(), key=lambda item: item[1].section):
            if section:
                st.caption(section)
            for name, lesson in lessons:
                seen = " ✓" if name in session.learner.visited and name != "home" else ""
                link_to(lesson, lesson.title + seen)


def way(lesson: Lesson, label: str, icon: str) -> None:
    """Draw a link to a neighbouring lesson."""
    position = "left" if "back" in icon else "right"
    link_to(lesson, f"{label}{lesson.title}", icon=icon, icon_position=position)
