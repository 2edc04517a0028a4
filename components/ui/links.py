"""Links to the lessons, which carry the state."""

from functools import cache
from typing import Any

import streamlit as st

from components.ui.learner import session
from components.ui.lessons import LESSONS, Lesson


@cache
def page_of(path: str) -> st.Page:
    """Return the page in this file; asked by its path, Streamlit would look for the file on the disk each time."""
    return st.Page(path, default=path == LESSONS["home"].path)


def link_to(lesson: Lesson, label: str, **how: Any) -> None:
    """Draw a link to a lesson, with its icon if `how` names no other."""
    st.page_link(page_of(lesson.path), label=label, query_params=session.learner.url, **{"icon": lesson.icon, **how})
