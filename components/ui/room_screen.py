"""The screen of a room, above the lesson: the learner's question and result, and what the teacher projects of them."""

from time import time  # noqa: TID251

import streamlit as st
from markupsafe import Markup

from components.rooms.room import Phase
from components.rooms.store import room_store
from components.ui.blocks import live
from components.ui.markdown import escape_markdown
from components.ui.quiz import show_feedback
from components.ui.room_browser import keep_in_browser
from components.ui.room_results import debrief, results_html
from components.ui.room_run import SECONDS_AWAY, is_out_of_date, lead, look, problems, seconds_between_looks
from components.ui.room_seat import Seat
from components.ui.room_strip import DISCUSS, show_strip
from components.ui.session import LearnerSession, current
from components.ui.state import set_following

PHASES = {
    Phase.READY: "",
    Phase.ASK: "the class is voting",
    Phase.CLOSE: "the vote is closed",
    Phase.REVEAL: "the result is shown",
}
COUNTS = {Phase.ASK: "{} of {} answered", Phase.CLOSE: "closed at {} of {}"}
# The browser shows one of the two sentences, as it is connected or not; without a connection no button can be pressed.
STATUS = '<b>{}</b> <span class="on">{}</span> <span class="off">trying to reconnect</span> {}'
READY = "The question of the class appears here. Until then look at the page."


def show_room(learner: LearnerSession) -> None:
    seat = learner.seat
    seat.shown = seat.room
    with st.container(key="room_strip" if seat.hosting else "room_bar", horizontal=True, vertical_alignment="center"):
        live(tick, seconds_between_looks(seat))
        if seat.hosting:
            show_strip(learner)
        elif seat.following:
            how = {"icon": ":material/explore:", "type": "tertiary"}
            st.button("Explore on my own", on_click=set_following, args=(learner, False), **how)
        else:
            how = {"icon": ":material/groups:", "type": "primary"}
            st.button("Back to the class", on_click=set_following, args=(learner, True), **how)
        keep_in_browser(learner)
    if seat.room and seat.in_class:
        st.fragment(show_question)()


def tick() -> None:
    """Read the room, and render the page again if it shows another phase or place than the room has."""
    learner = current()
    if not learner.run.whole_page:
        if learner.seat:
            look(learner)
        if learner.seat and learner.seat.room:
            lead(learner, learner.page)
        if is_out_of_date(learner):
            learner.run.interacted = True  # the browser may not have the new address yet
            if learner.seat and learner.seat.loaded != learner.seat.to_load:
                learner.seat.refusal = ""  # of a press before
            st.rerun()
    st.html(status_html(learner.seat))


def status_html(seat: Seat) -> Markup:
    """Return the line that is renewed: for a host the code and how many have joined and answered.

    That of a learner is a live region for screen readers, with the phase of the class.
    """
    room = seat.room
    if room and seat.hosting:
        counts = COUNTS.get(room.phase, "{1} joined").format(room.answered, room.joined)
        return Markup(f'<p class="room-status">{STATUS}</p>').format(seat.code, counts, seat.problem)
    if room is None:
        phase, text = "", seat.problem
    else:
        is_away = time() - room.teacher_seen > SECONDS_AWAY
        phase, text = PHASES[room.phase], "the teacher is away" if is_away else "connected"
    shown = phase if phase and not seat.following else text  # one who explores does not see the question
    hidden = "" if shown == phase else phase
    line = f'<p class="room-status" role="status" aria-live="polite">{STATUS} <span class="unseen">{{}}</span></p>'
    return Markup(line).format(seat.code, shown, "" if text == seat.problem else seat.problem, hidden)


def show_question() -> None:
    """Render the question with its options, or its result; votes rerun this part of the page alone."""
    learner = current()
    seat, room = learner.seat, learner.seat.room if learner.seat else None
    if room is None:
        return
    with st.container(key="room_question"):
        if room.phase == Phase.READY or seat.question is None:
            if not seat.hosting:
                st.markdown(READY)
            return
        st.markdown(f"**{escape_markdown(seat.question.prompt)}**")
        if room.phase == Phase.REVEAL:
            show_result(seat)
        elif seat.hosting:
            with st.container(horizontal=seat.asks_about_figure, gap="medium"):  # the height is for the figure
                for option in seat.question.options:
                    st.markdown(f":material/radio_button_unchecked: {escape_markdown(option.text)}", width="content")
        elif room.phase == Phase.CLOSE:
            show_closed(seat)
        else:
            show_options(learner)


def show_options(learner: LearnerSession) -> None:
    """Render the options as large buttons; the vote can be changed until it is closed."""
    seat, room = learner.seat, learner.seat.room
    chosen = seat.own_votes.get(room.round)
    if room.round > 1:
        st.markdown(DISCUSS)

    def vote(option: int) -> None:
        with problems(learner):
            seat.refusal = seat.problem = ""
            room_store().join(seat.code, seat.voter)  # another one may have taken the place
            room_store().vote(seat.code, seat.voter, room.question, room.round, option)
            seat.own_votes[room.round] = option

    for number, option in enumerate(seat.question.options):
        mark, kind = ("checked", "primary") if number == chosen else ("unchecked", "secondary")
        how = {"icon": f":material/radio_button_{mark}:", "type": kind, "width": "stretch"}
        press = {"disabled": not seat.voter, "on_click": vote, "args": (number,)}
        key = f"room_vote_{room.question}_{room.round}_{number}"
        st.button(escape_markdown(option.text), key=key, **how, **press)
    if seat.refusal or seat.problem:
        st.warning(seat.refusal or seat.problem, icon=":material/warning:")
    elif chosen is not None:
        st.caption("Your answer is stored. You can change it until the vote is closed.")


def show_closed(seat: Seat) -> None:
    """Render the options of a vote that is closed, with the own answer marked."""
    chosen = seat.own_votes.get(seat.room.round)
    st.markdown("The vote is closed." if chosen is not None else "The vote is closed; you have not answered.")
    for number, option in enumerate(seat.question.options):
        text = escape_markdown(option.text)
        mark, text = ("checked", f"**{text}** (your answer)") if number == chosen else ("unchecked", text)
        st.markdown(f":material/radio_button_{mark}: {text}")


def show_result(seat: Seat) -> None:
    """Render both votes, then what to discuss, and to a learner why the own answer was correct or wrong."""
    st.html(results_html(seat.question, seat.counts, seat.own_votes))
    if seat.hosting:
        with st.container(horizontal=True, key="room_debrief"):
            for sentence in debrief(seat.question, seat.counts):
                st.markdown(escape_markdown(sentence))
    else:
        last = seat.own_votes.get(max(seat.own_votes)) if seat.own_votes else None
        show_feedback(seat.question, None if last is None else seat.question.options[last].text)
