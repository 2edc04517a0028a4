"""What a session stores of its learner, in parts with one job each.

Streamlit interrupts a run as soon as it looks at `st.session_state` while a newer message of the browser is waiting. In
a callback that would lose what was entered, since a callback runs once. So callbacks use the object that was current
when their widget was rendered, and read widget values with `to_dict`, which does not interrupt.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple
from uuid import uuid4

import streamlit as st

from components.base.link import AppState
from components.questions.quiz import Question
from components.questions.summary import Answer
from components.ui.lesson import Lesson
from components.ui.room_seat import Seat, WrongCodes


@dataclass
class Run:
    """What the run renders, and how the one before it ended."""

    whole_page: bool = False  # not the lesson alone
    first_run: bool = False  # of the session
    new_page: bool = False  # another page than the run before
    turning: str = ""  # Next or Previous, if it was pressed and leads to another lesson, not to a step of this one
    answered: str = ""  # the question that a callback has just answered, until its run, and the work of it, is complete
    opened: str = ""  # the section, or experiment of a traceback, that has just been opened
    refused: str = ""  # the new key of a widget whose entry has just been refused
    interacted: bool = False  # a callback has run since the last run, so the address is older than the state
    last_completed: bool = True  # the run before was not interrupted by a newer message
    continued: bool = False  # the page asks for the next run itself, to go on with work or to end it
    steps: Mapping[str, Callable[[], object] | None] = field(default_factory=dict)  # of Previous and Next
    presented: bool = False  # the whole page was last rendered in presentation mode
    random: bool = False  # the row of controls was rendered for random tables, for want of GPT-2's rows
    in_frame: tuple = ()  # what is above the lesson showed of the state when it was last rendered
    work: Callable[[], None] | None = None  # to go on with when the page is complete, such as a long training
    working: bool = False  # there is work: the lesson is rendered without a fragment, so that a control can end it
    in_parts: bool = False  # the controls and the lesson are fragments
    in_lesson: bool = False  # the lesson is rendered, not what is above it


@dataclass
class Address:
    """The address of the page as it was last read or written."""

    query: dict[str, str] = field(default_factory=dict)
    state: AppState | None = None  # what was written to it
    left: tuple[str, dict[str, str]] | None = None  # page and address where a link was followed in the last run


@dataclass
class Widget:
    """What the widgets of one name show: their version, their value, and how an entry changes the state."""

    version: int
    value: Any
    change: Callable[[Any], None]
    entered: bool = False  # the value is an entry of its own; if it is rendered with another, it was refused or cut


@dataclass
class Messages:
    """Sentences above the lesson: those that wait for the next run, and those that this run shows."""

    waiting: list[str] = field(default_factory=list)
    shown: list[str] = field(default_factory=list)


class Section(NamedTuple):
    """A part of the page that is built once it is open: the title behind its label, and what renders it."""

    rest: str
    build: Callable[[], object]
    icon: str
    opened: bool  # at first


@dataclass
class Outputs:
    """What the lesson gave in this run: files, charts, figure, sections, and questions that have not been asked yet."""

    files: list[Callable[[], Mapping[str, Any]]] = field(default_factory=list)
    charts: list[tuple[str, Any]] = field(default_factory=list)
    figure: Any = None
    sections: dict[str, Section] = field(default_factory=dict)  # by label
    labels: list[str] = field(default_factory=list)  # of the sections
    questions: Iterator[Question] = field(default_factory=lambda: iter(()))
    open_figure: Callable[[], object] | None = None  # shows the answer in the figure, while it is masked
    mask_figure: Callable[[], object] | None = None  # masks it again
    has_notice: bool = False  # what to notice is on the page
    previous_scene: Callable[[], object] | None = None  # in presentation mode
    next_scene: Callable[[], object] | None = None


@dataclass
class Score:
    """The answers of the learner, the figures that show theirs, keys of questions to ask again, the pages visited."""

    answers: list[Answer] = field(default_factory=list)
    open_figures: set[str] = field(default_factory=set)
    asked_again: set[str] = field(default_factory=set)
    visited: set[str] = field(default_factory=set)
    session: str = field(default_factory=lambda: uuid4().hex)  # distinguishes what a browser has kept of another
    restored: str = ""  # the session that the first answers are of


@dataclass
class LearnerSession:
    """The state, the page it is rendered on, and what belongs to this learner alone."""

    lessons: Mapping[str, Lesson]
    state: AppState
    page: str = ""
    panel: str = ""  # which panel of the control row is open
    controls_shown: bool = False  # the control row, in presentation mode
    notice_shown: bool = False  # what to notice instead of the question, in presentation mode
    dialog: str = ""  # which dialog the toolbar is to open
    long_text: str = ""  # the last text that is too long for a link
    run: Run = field(default_factory=Run)
    address: Address = field(default_factory=Address)
    widgets: dict[str, Widget] = field(default_factory=dict)  # by name
    open_sections: dict[str, list[str]] = field(default_factory=dict)  # labels by page
    messages: Messages = field(default_factory=Messages)
    outputs: Outputs = field(default_factory=Outputs)
    score: Score = field(default_factory=Score)
    seat: Seat | None = None  # in a room of a class
    host_secret: str = ""  # of the rooms that this tab opens
    wrong_codes: WrongCodes = field(default_factory=WrongCodes)

    @property
    def hides_answers(self) -> bool:
        """Whether a class votes on a question of this lesson: the page then shows it and the masked figure alone."""
        return self.seat is not None and self.seat.hides_on(self.page)

    @property
    def bound(self) -> bool:
        """Whether the page is where a class is, and cannot be changed here."""
        return self.seat is not None and self.seat.bound

    @property
    def attends(self) -> bool:
        """Whether the page is where a class is, which somebody else leads."""
        return self.bound and not self.seat.hosting

    @property
    def in_class(self) -> bool:
        """Whether the page is one of a class, which is asked and turns to the next lesson together."""
        return self.seat is not None and self.seat.in_class

    @property
    def pressed_above(self) -> bool:
        """Whether a button above the lesson was pressed whose dialog or lesson comes with the whole page."""
        return bool(self.dialog or self.run.turning)

    @property
    def outdated_above(self) -> bool:
        """Whether the controls above the lesson show another state, or messages are to come or to go there.

        A message goes with the learner's next entry, not when the browser gives the score back.
        """
        messages = self.messages.waiting or (self.run.interacted and self.messages.shown)
        return bool(self.frame_state != self.run.in_frame or messages)

    @property
    def lesson(self) -> Lesson:
        return self.lessons[self.page]

    @property
    def unused_controls(self) -> tuple[str, ...]:
        """The controls above the lesson, among them "text", that change nothing for its present choices."""
        return getattr(self.state.lessons[self.page], "unused_controls", ())

    @property
    def frame_state(self) -> tuple:
        """What is above the lesson shows of the state: if it changes, the lesson is not rendered alone."""
        settings = replace(self.state.settings, batch=0, shuffle=False, drop_last=False)
        asked = self.seat is not None and self.seat.hosting and self.state.lessons  # by the questions to ask a class
        return self.page, settings, self.state.text, self.state.present, self.unused_controls, asked


def current() -> LearnerSession:
    """Return the learner of this session."""
    return st.session_state["learner"]


def session_value(key: str) -> Any:
    """Return the value of the widget with this key, or None; for callbacks, since it never interrupts the run."""
    return st.session_state.to_dict().get(key)


def sent_value(key: str, name: str) -> Any:
    """Return what a browser has sent by a component, of any type; None if the component has left the page since."""
    return (session_value(key) or {}).get(name)
