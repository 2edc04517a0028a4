"""The dialog "Class": open a room, show its link to the class, join one, take the counts away, end it."""

from collections import defaultdict

import numpy as np
import streamlit as st

from components.base.export import table_csv
from components.rooms.codes import new_secret
from components.rooms.room import NoRoom, Refused, RoomError, Unavailable
from components.rooms.store import room_store
from components.ui.address import enter, sit_down
from components.ui.blocks import live, show_error
from components.ui.markdown import escape_markdown
from components.ui.room_questions import link_of, question_of
from components.ui.room_results import most_frequent_mistakes, rows_of_file
from components.ui.room_run import HOST_SECONDS, look
from components.ui.room_seat import Seat
from components.ui.session import LearnerSession
from components.ui.share_dialog import base_address, room_link, show_qr, warn_if_local

ABOUT = (
    "Ask a class the questions of the lessons: everybody predicts on their own phone, and the figure shows the answer "
    "on all screens at once. Nobody needs a name or an account."
)
STORED = (
    "Stored: your settings, text and questions, and for each voter a random number and the answers. All of it is "
    "deleted when you end the class, or 12 hours after your last step."
)


@st.dialog("Class", width="large")
def show(learner: LearnerSession) -> None:
    if learner.run.interacted:  # a button below has opened, ended or left a room
        st.rerun()
    if learner.seat is None:
        offer_rooms(learner)
    elif learner.seat.hosting:
        left, right = st.columns([2, 3], gap="medium")
        with left:
            show_code(learner)
            show_counts(learner)
            offer_second_machine(learner)
            with st.popover("End the class", icon=":material/stop_circle:"):
                st.button("End it, and delete its votes", type="primary", on_click=end, args=(learner,))
        with right, st.container(key="room_qr"):  # as large as the dialog allows
            show_qr(room_link(learner), "QR code of the link of the class")
    else:
        st.markdown(f"You are in the class **{learner.seat.code}**.")
        st.button("Leave the class", icon=":material/logout:", on_click=leave, args=(learner,))


def offer_rooms(learner: LearnerSession) -> None:
    st.markdown(ABOUT)
    warn_if_local(base_address(learner))  # before there is a room that nobody can join
    st.button("Open a room", icon=":material/groups:", type="primary", on_click=open_room, args=(learner,))
    st.caption(STORED)
    with st.form("join_room", border=False):
        typed = st.text_input("Code of a class", width=200)
        if st.form_submit_button("Join") and typed.strip():
            sit_down(learner, typed)
            if learner.seat:
                look(learner)
            if learner.seat:
                st.rerun()
            messages, learner.messages.waiting = learner.messages.waiting, []
            show_error("  \n".join(messages))


def show_code(learner: LearnerSession) -> None:
    """Show how the class gets here: the code and the address; and how many have joined."""
    st.html(f'<p class="room-code">{learner.seat.code}</p>')
    with st.container(key="room_address"):
        st.code(room_link(learner), language=None, wrap_lines=True)
    st.caption("Open the link, or choose Class on any page and enter the code.")
    live(show_joined, HOST_SECONDS, learner)


def show_joined(learner: LearnerSession) -> None:
    """Show how many have joined, as last read for the strip, which the dialog covers."""
    if learner.seat and learner.seat.room:
        st.html(f'<p class="room-joined">{learner.seat.room.joined} joined</p>')


def show_counts(learner: LearnerSession) -> None:
    """Offer the counts of all questions that have been revealed, and name the misconceptions that the class had."""
    seat, rows, mistakes = learner.seat, [], defaultdict(lambda: np.zeros(2, dtype=int))
    try:
        store = room_store()
        now = store.read(seat.code)
        for number, asked in store.asked(seat.code).items():
            question, _ = question_of(learner.lessons, asked)
            if question is None or (now.hides and number == now.question):
                continue
            counts = store.counts(seat.code, number, asked.options)
            rows += rows_of_file(number, learner.lessons[asked.lesson].title, question, counts)
            for each in most_frequent_mistakes(question, counts):  # also if it has been asked with other numbers
                mistakes[asked.lesson, each.option.misconception] += each.votes, each.total
    except (NoRoom, Unavailable) as error:
        show_error(str(error))
        return
    if not rows:
        st.caption("After the first question the counts can be downloaded here.")
        return
    how = {"icon": ":material/download:", "on_click": "ignore"}
    st.download_button("Download counts (CSV)", table_csv(rows), f"class-{seat.code}.csv", **how)
    if mistakes:
        st.markdown("**Misconceptions of this class**")
    for number, ((page, misconception), share) in enumerate(mistakes.items()):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"{escape_markdown(misconception)} ({share[0]} of {share[1]})", width="stretch")
            if st.button(learner.lessons[page].title, key=f"room_mistake_{number}", type="tertiary"):
                st.switch_page(learner.lessons[page].path)


def offer_second_machine(learner: LearnerSession) -> None:
    """Show, once, a link that makes another machine a host as well."""
    if not st.button("Host on a second machine", icon=":material/devices:"):
        return
    try:
        invitation = room_store().invite(learner.seat.code, learner.seat.secret)
    except RoomError as error:
        show_error(str(error))
        return
    st.code(f"{room_link(learner)}&host={invitation}", language=None, wrap_lines=True)
    st.caption(
        "The first person to open this link can lead the class. It works once, and is not shown again; "
        "a newer one replaces it, and its machine replaces the second one."
    )


def open_room(learner: LearnerSession) -> None:
    """Open a room for the lesson on the page, hosted by this tab."""
    learner.run.interacted, secret = True, learner.host_secret or new_secret()
    try:
        place = learner.page, link_of(learner.state)
        code = room_store().open(secret, *place)
    except RoomError as error:
        learner.messages.waiting.append(str(error))
        return
    learner.host_secret = secret
    enter(learner, Seat(code, secret=secret, led=place, seen=place))


def leave(learner: LearnerSession) -> None:
    learner.run.interacted = True
    enter(learner, None)


def end(learner: LearnerSession) -> None:
    learner.run.interacted = True
    try:
        room_store().end(learner.seat.code, learner.seat.secret)
    except (Refused, Unavailable) as error:
        learner.messages.waiting.append(str(error))
        return
    except NoRoom:
        pass
    enter(learner, None)
    learner.messages.waiting.append("The class has ended: its room and all votes are deleted.")
