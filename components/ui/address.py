"""The state in the address of the page: read on a session's first run, written after every change.

It is read again when it differs from what was last written although no callback has run: the learner went back or
forward. Otherwise the session is right: what is entered arrives before the browser has the new address. For the same
reason the address from which a link has just been followed is not read: after typing, a quick tap on a link sends first
the text with the new page, then the page and address from before.
"""

from collections.abc import Mapping

import streamlit as st

from components.base.field_types import quote
from components.base.link import TEXT_MISSING, AppState, read_query, to_query
from components.base.text_format import pluralize
from components.rooms.codes import NOT_USED, read_code
from components.ui.lesson import Lesson
from components.ui.room_seat import Seat
from components.ui.session import LearnerSession, current


def start_session(lessons: Mapping[str, Lesson]) -> LearnerSession:
    """Return the learner of this session, a new one on the session's first run."""
    if "learner" not in st.session_state:
        state = AppState({name: lesson.choices() for name, lesson in lessons.items()})
        st.session_state["learner"] = LearnerSession(lessons, state)
    return current()


def is_whole(query: Mapping[str, str]) -> bool:
    """Return whether an address has been written by the app, not cleared by a link."""
    return "v" in query or "room" in query


def read_room(learner: LearnerSession, query: Mapping[str, str]) -> None:
    """Take the seat that the address names: `room` alone follows the class, with a state it is the learner's own."""
    typed, following = query.get("room", ""), "v" not in query
    if not typed:
        enter(learner, None)
    elif learner.seat is None or learner.seat.code != read_code(typed):
        sit_down(learner, typed, following, query.get("host", ""))
        if learner.seat:
            learner.seat.from_host = "lead" in query
    elif not learner.seat.hosting:
        learner.seat.following, learner.seat.seen = following, ("", "")


def sit_down(learner: LearnerSession, typed: str, following: bool = True, invitation: str = "") -> None:
    """Take a seat in the room with the code that was typed, unless it cannot be one or too many were wrong."""
    enter(learner, None)
    messages = learner.messages.waiting
    if seconds := learner.wrong_codes.seconds_left:
        wait = pluralize(seconds, "second")
        messages.append(f"{learner.wrong_codes.count} codes were wrong. Wait {wait}, then try again.")
    elif code := read_code(typed):
        enter(learner, Seat(code, following, invitation=invitation))
    else:
        messages.append(f"{quote(typed)} is not the code of a class: a code has four letters, none of {NOT_USED}.")


def enter(learner: LearnerSession, seat: Seat | None) -> None:
    """Take a seat, or leave the one there was; the address is written again."""
    if seat is not learner.seat:
        learner.seat, learner.address.state = seat, None


def went_elsewhere(learner: LearnerSession) -> bool:
    """Return whether the browser has another address than the page wrote, and no button or widget is the reason."""
    query = st.query_params.to_dict()
    return is_whole(query) and not learner.run.interacted and query != learner.address.query


def is_presenting(learner: LearnerSession) -> bool:
    """Return whether the page that is about to be rendered is in presentation mode."""
    if learner.page and not went_elsewhere(learner):
        return learner.state.present
    return st.query_params.get("present") == "1"


def is_following(learner: LearnerSession) -> bool:
    """Return whether the page that is about to be rendered is where a class is."""
    if learner.page:
        return learner.attends
    return "room" in st.query_params and "v" not in st.query_params


def restore_address(learner: LearnerSession) -> tuple[str, dict[str, str]] | None:
    """Give the browser back the address that a click on a link has cleared; return page and address of the link.

    Called before st.navigation: so one entry is added to the browser's history, with the new page and this address. An
    address that is written after st.navigation is an entry of its own, and "Back" leads from it to the same page.
    """
    if not learner.page or is_whole(st.query_params):
        return None
    left = learner.page, learner.address.query
    write_address(learner)
    return left


def read_address(learner: LearnerSession, page: str) -> None:
    """Bring the session's state up to date with the address, on the first run and after Back or Forward."""
    address, query = learner.address, st.query_params.to_dict()
    if not query or (learner.page and not went_elsewhere(learner)):
        return
    if (page, query) != address.left:
        read_room(learner, query)
        learner.state, problems = read_query(learner.state, query, learner.long_text)
        learner.messages.waiting += problems
    address.query, address.state = query, None


def turn_to(learner: LearnerSession, page: str) -> None:
    """Make `page` the one that this run renders."""
    run = learner.run
    run.interacted, run.new_page = False, page != learner.page
    if run.new_page:
        # To paste it again; after a restart the browser still has the text of the field, and sends it.
        missing = TEXT_MISSING in learner.messages.waiting and learner.lessons[page].takes_text
        learner.panel = "text" if missing else ""
        learner.controls_shown, learner.notice_shown = missing, False
    learner.page = page
    learner.score.visited.add(page)


def write_address(learner: LearnerSession) -> None:
    """Write the state to the address, also if it was taken back before the browser had the change."""
    address, browser = learner.address, st.query_params.to_dict()
    if address.state == learner.state and browser == address.query:
        return
    query = to_query(learner.state)
    if learner.seat:
        query = learner.seat.in_address(query)
    if query != browser or query != address.query:
        st.query_params.from_dict(query)
        address.left = None
    address.query, address.state = query, learner.state
