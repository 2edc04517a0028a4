"""The code of a lesson, shown when the learner opens it."""

from types import ModuleType

import streamlit as st

from components.base.link import State
from components.programs.notebook import cell_code
from components.programs.story import Chapter, tell
from components.ui.encoding import ids_if_any
from components.ui.lesson import Lesson

MAX_CHARS = 50_000  # of the values on the page


def chapter_of(lesson: Lesson, program: ModuleType, state: State) -> Chapter | None:
    """Return the lesson with the values of its state; None if these settings give none to show."""
    values = program.values(state, ids_if_any(state.settings, state.text).tolist())
    return Chapter(lesson.title, lesson.purpose, program.STORIES, values) if values is not None else None


def show_code(lesson: Lesson, program: ModuleType, state: State) -> None:
    """Render the program of the lesson: its own steps, those before them, then the values and the functions."""
    chapter = chapter_of(lesson, program, state)
    if chapter is None:
        st.caption("No code for these settings: fix the error shown on the page first.")
        return
    told = tell([chapter])
    own, before = [], []
    for story, cells in zip(chapter.stories, told.chapters[0].stories, strict=True):
        (own if story.__module__ == program.__name__ else before).extend(map(cell_code, cells))
    for title, code in (
        ("This lesson", "\n".join(own)),
        ("The steps before", "\n".join(before)),
        ("Your values", told.values),
        ("What is used", f"{told.imports}\n\n\n{told.functions}"),
    ):
        if len(code) > MAX_CHARS:
            st.caption(f"**{title}** are too long for the page: the download contains them.")
        elif code.strip():
            st.markdown(f"**{title}**")
            st.code(code.strip())
