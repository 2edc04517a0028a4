"""The entry of the app: the registry of the lessons, the navigation, and the page that is rendered.

app.py and the files in pages/ all call `run`. On a server without sessions Streamlit runs pages/<lesson>.py for a deep
link; after that it always runs app.py. The lesson is called directly and not by `st.Page.run`: so all widgets belong to
the main script, and a value typed just before a click on a link arrives with it.
"""

from functools import cache
from itertools import groupby
from types import ModuleType

import streamlit as st

from components.lessons import (
    attention,
    combine,
    errors,
    glossary,
    home,
    lookup,
    one_hot,
    positions,
    reproduce,
    tokens,
    training,
    windows,
    word2vec,
)
from components.ui.address import is_presenting, keep_address, load_state, start_session
from components.ui.frame import frame
from components.ui.imports import import_part
from components.ui.lesson import Lesson
from components.ui.process_setup import configure_process

LESSONS: dict[str, Lesson] = {
    lesson.LESSON.name: lesson.LESSON
    for lesson in (
        home,
        tokens,
        windows,
        lookup,
        one_hot,
        positions,
        combine,
        attention,
        errors,
        training,
        word2vec,
        reproduce,
        glossary,
    )
}


@cache
def pages() -> dict[str, st.Page]:
    """Return the page of every lesson, by its name.

    Without icons: as the icon of the tab, Streamlit would load that of the open page from another company's server.
    """
    return {name: st.Page(lesson.path, title=lesson.title, default=name == "home") for name, lesson in LESSONS.items()}


def lesson_module(name: str, part: str) -> ModuleType:
    """Return a module of a lesson, imported when it is first needed: the title is visible before torch is loaded."""
    return import_part(f"components.lessons.{name}.{part}")


def run() -> None:
    """Render the page that the address names."""
    configure_process()
    learner = start_session(LESSONS)
    sections = {
        section: [pages()[lesson.name] for lesson in lessons]
        for section, lessons in groupby(LESSONS.values(), key=lambda lesson: lesson.section)
    }
    left = keep_address(learner)
    chosen = st.navigation(sections, position="hidden" if is_presenting(learner) else "sidebar", expanded=True)
    name = chosen.url_path or "home"
    load_state(learner, name, left)
    frame(LESSONS[name], lesson_module)
