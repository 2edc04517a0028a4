"""What a session keeps of its learner, and how it is reached where Streamlit must not stop.

Streamlit ends a run that a newer message of the browser has made stale at the next place where that run looks at
`st.session_state` or draws something. In the midst of a callback that would lose what was entered: a callback is called
once. So a callback reaches what it needs through `known` and `current`, which never stop; and all that belongs together
is one object, which is there whole or not at all.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import streamlit as st

from components.core.link import State

if TYPE_CHECKING:  # the first page paints before the core of the predictions has come
    from streamlit.proto.WidgetStates_pb2 import WidgetState

    from components.core.checks import Answer

session = st.session_state


@dataclass
class Learner:
    """The state, the page it is seen on, and what there is to tell or to remember."""

    state: State = field(default_factory=State)
    url: dict[str, str] = field(default_factory=dict)  # the state as the parameters of a link
    page: str = ""
    asked: str = ""  # Streamlit's hash of a page that was asked for and has not begun
    drawn_anew: bool = True  # this run draws another page than the one before
    finished: bool = True  # the run before came to its end
    entered_on: str = ""  # the page on which something was entered since the last run
    said: dict[str, int] = field(default_factory=dict)  # prints of what the browser last said, by the widgets' keys
    was_set: dict[str, list[int]] = field(default_factory=dict)  # and of what they were set to since it has caught up
    entered: dict[str, Any] = field(default_factory=dict)  # what its message enters, while callbacks run
    long_text: str = ""  # the last text that no link carries
    notices: list[str] = field(default_factory=list)  # sentences that wait to be shown
    shown: list[str] = field(default_factory=list)  # those shown in this run
    visited: set[str] = field(default_factory=set)
    answers: list[Answer] = field(default_factory=list)
    came_with: list[WidgetState] = field(default_factory=list)  # sent by a browser that this server does not know


def print_of(value: Any) -> int:
    """Return a number that tells a widget's value from others: a value itself may be megabytes."""
    return hash(str(value))


def known(name: str) -> Any:
    """Return what the session holds under a name, or None; for callbacks, since it never stops the run."""
    return session.to_dict().get(name)


def current() -> Learner:
    """Return the learner of this session, for callbacks; elsewhere `session.learner` is quicker."""
    return known("learner")
