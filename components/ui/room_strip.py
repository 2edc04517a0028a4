"""The teacher's strip: the next step of the class, by mouse, Space or a clicker's PageDown."""

from collections.abc import Callable

import streamlit as st

from components.base.link import AppState
from components.questions.quiz import Question
from components.rooms.room import Asked, Phase, Refused
from components.rooms.store import room_store
from components.ui.markdown import escape_markdown
from components.ui.presentation import KEY
from components.ui.room_questions import link_of, questions_of, with_other_numbers
from components.ui.room_results import should_vote_again
from components.ui.room_run import problems
from components.ui.room_seat import Seat
from components.ui.session import LearnerSession, session_value
from components.ui.state import change_presenting

DISCUSS = "**Talk to your neighbor, then answer again.**"  # before a second vote


def show_strip(learner: LearnerSession) -> None:
    """Render the steps that are possible now; the last is the default, always at the right."""
    seat, room = learner.seat, learner.seat.room
    if room is None:
        return
    if room.phase == Phase.ASK and room.round > 1:
        st.markdown(DISCUSS)
    store = room_store()
    if room.phase == Phase.READY:
        question = choose_question(learner)
        if lesson := next_lesson(learner):
            _button(learner, "Next lesson", lambda: lead_to(learner, lesson), is_default=question is None)
        if question:
            _button(learner, "Ask", lambda: ask(learner, question.name))
    elif room.phase == Phase.ASK:
        if room.round == 1:
            _button(learner, "Cancel", lambda: cancel(learner), is_default=False)
        _button(learner, "Close", lambda: take_step(learner, store.close))
    elif room.phase == Phase.CLOSE:
        votes = seat.counts.get(1, [])
        again = room.round == 1 and seat.question is not None and should_vote_again(seat.question, votes)
        reveal = ("Reveal", lambda: take_step(learner, store.reveal))
        second = ("Again", lambda: take_step(learner, store.again))
        steps = [reveal] if room.round > 1 else [reveal, second] if again else [second, reveal]
        for step in steps:
            _button(learner, *step, is_default=step is steps[-1])
    else:
        _button(learner, "Ask with other numbers", lambda: ask_with_other_numbers(learner), is_default=False)
        _button(learner, "Next", lambda: go_on(learner))
    if learner.state.present:
        st.button("Exit", on_click=change_presenting, args=(False,), shortcut=KEY, type="tertiary")
    if seat.refusal:
        st.caption(escape_markdown(seat.refusal))


def _button(learner: LearnerSession, label: str, press: Callable[[], None], is_default: bool = True) -> None:
    """Render a step; the default one is pressed by the script of room_browser as well."""

    def pressed() -> None:
        learner.run.interacted = True
        if learner.seat and learner.seat.room:
            learner.seat.refusal = ""
            with problems(learner):
                press()

    step = learner.seat.room.step
    key = f"room_next_{step}" if is_default else f"room_other_{step}_{label}"
    st.button(label, key=key, type="primary" if is_default else "secondary", on_click=pressed)


def take_step(learner: LearnerSession, step: Callable[..., None], *arguments: object) -> None:
    """Take a step of the host, from what the page shows. Raises RoomError."""
    seat = learner.seat
    step(seat.code, seat.secret, seat.room.step, *arguments)


def choose_question(learner: LearnerSession) -> Question | None:
    """Render the choice among the questions of the lesson, and return the chosen one; None if it asks none."""
    found = {each.name: each for each in questions_of(learner.lessons, learner.page, learner.state)}
    if not found:
        return None
    names, seat = list(found), learner.seat
    seat.pick = seat.pick if seat.pick in found else names[0]

    def choose() -> None:
        learner.run.interacted = True
        seat.pick = session_value(key)

    key = f"room_question_of_{learner.page}_{seat.room.step}"
    look = {"label": "Question to ask", "label_visibility": "collapsed"}
    look |= {"format_func": lambda name: found[name].prompt}
    st.selectbox(options=names, index=names.index(seat.pick), key=key, on_change=choose, **look)
    return found[seat.pick]


def ask(learner: LearnerSession, name: str, state: AppState | None = None) -> None:
    """Begin the vote on a question of the open lesson, by default with the numbers on the page."""
    state = state or learner.state
    question = next((each for each in questions_of(learner.lessons, learner.page, state) if each.name == name), None)
    if question:
        asked = Asked(learner.page, name, link_of(state), len(question.options))
        take_step(learner, room_store().ask, asked)


def ask_with_other_numbers(learner: LearnerSession) -> None:
    """Ask the question of the result again, computed from other settings, to which page and class move until Next."""
    seat, question, before = learner.seat, learner.seat.question, link_of(learner.state)
    other = with_other_numbers(learner.lessons, learner.page, learner.state, question)
    if other is None:
        raise Refused("This question has no other numbers: ask another one.")
    ask(learner, question.name, other)
    seat.other_numbers = link_of(other), own_link(seat, before)


def cancel(learner: LearnerSession) -> None:
    """Take back the question of the vote, and other numbers with it."""
    take_step(learner, room_store().cancel, own_link(learner.seat, link_of(learner.state)))


def go_on(learner: LearnerSession) -> None:
    """Go to the question after that of the result or, after the last one of the lesson, to the next lesson."""
    names = [each.name for each in questions_of(learner.lessons, learner.page, learner.state)]
    now = learner.seat.question.name if learner.seat.question else ""
    following = names[names.index(now) + 1 :] if now in names else names[1:]
    page = learner.page if following else next_lesson(learner) or learner.page
    lead_to(learner, page, following[0] if following else "")


def next_lesson(learner: LearnerSession) -> str:
    """Return the next lesson that asks questions, or "" if there is none."""
    pages = list(learner.lessons)
    return next((page for page in pages[pages.index(learner.page) + 1 :] if learner.lessons[page].asks), "")


def own_link(seat: Seat, link: str) -> str:
    """Return the link, or the host's own one from before if it has other numbers, unchanged since they were asked."""
    other, own = seat.other_numbers
    return own if link == other else link


def lead_to(learner: LearnerSession, page: str, question: str = "") -> None:
    """Go to a lesson, with a question chosen to be asked there; the class follows."""
    take_step(learner, room_store().move, page, own_link(learner.seat, link_of(learner.state)), True)
    learner.seat.pick = question
