"""The entry of the app: the registry of the lessons, the navigation, and the page that is rendered.

app.py and the files in pages/ all call `run`. On a server without sessions Streamlit runs pages/<lesson>.py for a deep
link; after that it always runs app.py. The lesson is called directly and not by `st.Page.run`: so all widgets belong to
the main script, and a value typed just before a click on a link arrives with it.
"""

from functools import cache
from itertools import groupby

import streamlit as st

from components.ui.address import (
    is_following,
    is_presenting,
    read_address,
    restore_address,
    start_session,
    turn_to,
    write_address,
)
from components.ui.frame import show_frame, show_next_link
from components.ui.imports import import_part
from components.ui.lesson import Lesson
from components.ui.process_setup import configure_process
from components.ui.session import LearnerSession
from components.ui.state import accept_reconnected_values

ORDER = "home tokens windows lookup one_hot positions combine attention errors training word2vec reproduce glossary"
LESSONS: dict[str, Lesson] = {name: import_part(f"components.lessons.{name}").LESSON for name in ORDER.split()}


@cache
def pages() -> dict[str, st.Page]:
    """Return the page of every lesson, by its name.

    Without icons: as the icon of the tab, Streamlit would load that of the open page from another company's server.
    """
    return {name: st.Page(lesson.path, title=lesson.title, default=name == "home") for name, lesson in LESSONS.items()}


def run() -> None:
    """Render the page that the address names: the steps of a run, in order."""
    configure_process()
    learner = start_session(LESSONS)
    # Before st.navigation, which adds an entry to the browser's history, with the address that is there by then.
    left = restore_address(learner)
    page = navigate(learner)
    # The state is read before anything is rendered, and the address written once a new page is known: a click on a
    # widget of this page may come before the page is complete.
    read_address(learner, page)
    if learner.seat:
        import_part("components.ui.room_run").follow(learner, page)
    turn_to(learner, page)
    write_address(learner)
    learner.address.left = left
    try:
        render(learner)
    finally:
        learner.run.whole_page = learner.run.new_page = False
        learner.run.turning = ""


def navigate(learner: LearnerSession) -> str:
    """Render the list of lessons, and return the name of the chosen one."""
    sections = {
        section: [pages()[lesson.name] for lesson in lessons]
        for section, lessons in groupby(LESSONS.values(), key=lambda lesson: lesson.section)
    }
    position = "hidden" if is_presenting(learner) or is_following(learner) else "sidebar"
    return st.navigation(sections, position=position, expanded=True).url_path or "home"


def render(learner: LearnerSession) -> None:
    """Render the whole page, from top to bottom, and what can only follow when it is complete."""
    run = learner.run
    run.first_run, run.whole_page, run.in_frame = not run.in_frame, True, learner.frame_state
    run.presented = learner.state.present
    run.working = run.working and not run.new_page
    turns = show_frame(learner)
    # Imported when the title is visible: it imports torch.
    lesson_run = import_part("components.ui.lesson_run")
    lesson_run.show_lesson(learner)
    show_next_link(learner, turns)
    run.whole_page = run.new_page = False
    lesson_run.open_dialog(learner)
    if run.first_run:  # all widgets have been rendered: those of a browser that reconnects may have other values
        accept_reconnected_values(learner)
    lesson_run.continue_work(learner)
