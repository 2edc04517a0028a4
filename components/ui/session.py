"""What a session keeps of its learner.

Streamlit interrupts a run as soon as it looks at `st.session_state` while a newer message of the browser is waiting. In
a callback that would lose what was entered, since a callback runs once. So callbacks use the object that was current
when their widget was rendered, and read widget values with `to_dict`, which does not interrupt.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import streamlit as st

from components.base.link import AppState
from components.questions.quiz import Question
from components.questions.summary import Answer
from components.ui.lesson import Lesson


@dataclass
class Widget:
    """What the widgets of one name show: their version, their value, and how an entry changes the state."""

    version: int
    value: Any
    change: Callable[[Any], None]


@dataclass
class LearnerSession:
    """The state, the page it is rendered on, and what belongs to this learner alone."""

    lessons: Mapping[str, Lesson]
    state: AppState
    page: str = ""
    query: dict[str, str] = field(default_factory=dict)  # the address as last read or written
    written: AppState | None = None  # the state that was written to the address
    left: tuple[str, dict[str, str]] | None = None  # page and address from which a link was followed in the last run
    interacted: bool = False  # a callback has run since the state was last loaded
    widgets: dict[str, Widget] = field(default_factory=dict)
    rendered: set[str] = field(default_factory=set)  # names of the widgets of this run
    full_run: bool = False  # the whole page is being rendered, not the lesson alone
    page_changed: bool = False  # this run renders another page than the one before
    finished: bool = True  # the last run was not interrupted by a newer message
    framed: tuple = ()  # what the frame showed when it was last rendered
    panel: str = ""  # which panel of the control row is open
    dialog: str = ""  # which dialog the toolbar is to open
    continuation: Callable[[], None] | None = None  # work to go on with when the page is complete
    working: bool = False  # there is such work: the lesson is rendered without a fragment, so that it can be ended
    downloads: list[Callable[[], Mapping[str, Any]]] = field(default_factory=list)
    charts: list[tuple[str, Any]] = field(default_factory=list)
    figure: Any = None  # of this page, for the downloads
    questions: Iterator[Question] = field(default_factory=lambda: iter(()))  # of this page, not asked in this run
    long_text: str = ""  # the last text that is too long for a link
    notices: list[str] = field(default_factory=list)  # sentences to be shown
    shown: list[str] = field(default_factory=list)  # those of this run
    visited: set[str] = field(default_factory=set)
    answers: list[Answer] = field(default_factory=list)
    revealed: set[Question] = field(default_factory=set)  # questions whose answers the learner asked to see

    @property
    def shown_by_frame(self) -> tuple:
        """What the frame shows of the state: if it changes, the whole page is rendered again."""
        settings = replace(self.state.settings, batch=0, shuffle=False, drop_last=False)
        return self.page, settings, self.state.text, self.state.present


def current() -> LearnerSession:
    """Return the learner of this session."""
    return st.session_state["learner"]


def session_value(key: str) -> Any:
    """Return the value of the widget with this key, or None; for callbacks, since it never interrupts the run."""
    return st.session_state.to_dict().get(key)
