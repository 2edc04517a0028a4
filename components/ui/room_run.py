"""A room in a run of the page: the room is read, the page goes where the class is, a host's page leads it there."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from random import uniform
from threading import Lock
from time import time  # noqa: TID251

import streamlit as st
from cachetools import TTLCache

from components.rooms.room import NoRoom, Phase, Refused, Unavailable
from components.rooms.store import room_store
from components.ui.address import enter
from components.ui.room_questions import link_of, question_of, state_of
from components.ui.room_seat import Seat
from components.ui.session import LearnerSession

SECONDS_BETWEEN_SIGNS = 5.0  # that the teacher's screen is open
SECONDS_AWAY = 20.0  # without such a sign
HOST_SECONDS = 1.0  # between two looks at the room
LEARNER_SECONDS, LOOKS_PER_SECOND = 2.0, 60  # of a learner; of all members on this process
VARIED = (1.0, 1.2)
_members: TTLCache = TTLCache(100_000, ttl=60)  # sessions in a room that have looked at it in the last minute
_counting = Lock()


def seconds_between_looks(seat: Seat) -> float:
    """Return how long a screen waits before it reads the room again.

    Not all the same: the screens of a class are rendered at once when the phase changes, and would go on together.
    """
    with _counting:
        count = len(_members)
    return HOST_SECONDS if seat.hosting else uniform(*VARIED) * max(LEARNER_SECONDS, count / LOOKS_PER_SECOND)


def follow(learner: LearnerSession, page: str) -> None:
    """Read the room, and put the page where the class is, or the class where its host is."""
    seat = learner.seat
    look(learner)
    if learner.seat is None or seat.room is None:
        return
    room = seat.room
    # With the result all have the figure that it is about, whatever they looked at while the class voted.
    is_result = room.phase == Phase.REVEAL and seat.loaded != seat.to_load
    if (seat.bound or seat.hosting) and (is_result or seat.seen != (room.lesson, room.link)):
        seat.seen = seat.led = room.lesson, room.link
        learner.state = replace(state_of(learner.lessons, room.link), present=learner.state.present)
        learner.run.interacted = True  # the address is older than the state
        page_is_open = page == room.lesson
    else:
        page_is_open = page == room.lesson or not seat.bound
        if page_is_open:
            lead(learner, page)
        elif seat.hosting:
            votes_here = "The class votes on a question of this lesson: reveal the result before you go on."
            learner.messages.waiting.append(votes_here)
    if not page_is_open:
        st.switch_page(learner.lessons[room.lesson].path)
    load(learner)


def look(learner: LearnerSession) -> None:
    """Read the room; join it if that has not been done. A session whose room is gone is in none."""
    seat = learner.seat
    with _counting:
        _members[id(seat)] = True
    with problems(learner):
        store = room_store()
        room = store.read(seat.code)
        if room.lesson not in learner.lessons:
            enter(learner, None)
            other = f"The room {seat.code} is of another version of Embedding Lab: open a new one."
            learner.messages.waiting.append(other)
            return
        seat.room, seat.problem = room, ""
        if seat.claim:
            if store.is_host(seat.code, seat.claim):
                seat.secret = learner.host_secret = seat.claim
                learner.address.state = None  # the address is written again, as a host's
            seat.claim = ""
        if seat.from_host and seat.voter and not seat.hosting:
            seat.from_host, seat.following = False, True
            learner.state = replace(learner.state, present=False)
            learner.address.state = None  # the address is written again, as a learner's
        try:
            if seat.invitation:
                seat.secret = store.accept(seat.code, seat.invitation)
            if seat.voter and not seat.hosting and not seat.has_joined:
                store.join(seat.code, seat.voter)
                seat.has_joined = True
        except Refused as error:  # this will not change, so it is not tried again
            seat.has_joined = not seat.invitation
            learner.messages.waiting.append(str(error))
        seat.invitation = ""
        if seat.hosting and time() - room.teacher_seen > SECONDS_BETWEEN_SIGNS:
            store.teacher_is_here(seat.code, seat.secret)


def lead(learner: LearnerSession, page: str) -> None:
    """Have the class follow if this host's page or state has changed."""
    seat = learner.seat
    if not seat.hosting or seat.room.hides:
        return
    with problems(learner):
        led, seat.led = seat.led, ("", "")  # for a state without a link
        place = seat.led = page, link_of(learner.state)  # also if it is refused, so that it is refused once
        if place != led:
            room_store().move(seat.code, seat.secret, seat.room.step, *place)
            seat.refusal = ""
            seat.room = room_store().read(seat.code)
            seat.seen = seat.room.lesson, seat.room.link


def load(learner: LearnerSession) -> None:
    """Read what this phase shows of the question: the question, the own votes, and the counts once revealed."""
    seat, room = learner.seat, learner.seat.room
    if seat.loaded == seat.to_load:
        return
    seat.question, seat.own_votes, seat.counts = None, {}, {}  # not those of another question
    with problems(learner):
        store = room_store()
        asked = store.asked(room.code).get(room.question)
        seat.question, seat.asks_about_figure = question_of(learner.lessons, asked) if asked else (None, False)
        seat.own_votes = store.own_votes(room.code, room.question, seat.voter) if asked and seat.voter else {}
        shown = seat.hosting or room.phase == Phase.REVEAL
        seat.counts = store.counts(room.code, room.question, asked.options) if asked and shown else {}
        seat.loaded = seat.to_load


def is_out_of_date(learner: LearnerSession) -> bool:
    """Return whether the page shows another phase, question or place than the room has now."""
    seat, page = learner.seat, learner.page
    if seat is None or seat.room is None or seat.shown is None:
        return seat is None or seat.room is not seat.shown
    now, shown = seat.room, seat.shown
    if not seat.in_class:
        hides = seat.hides_on(page)
        return hides != (shown.hides and shown.lesson == page) or (hides and now.question != shown.question)
    is_loaded = seat.problem or seat.loaded == seat.to_load  # without the store it would only be tried in vain
    return seat.seen != (now.lesson, now.link) or not is_loaded


@contextmanager
def problems(learner: LearnerSession) -> Iterator[None]:
    """Show what the store raises as a sentence: lessons work without it."""
    seat = learner.seat
    try:
        yield
    except NoRoom as error:
        enter(learner, None)
        if seat.room:
            learner.messages.waiting.append(f"The class {seat.code} has ended. You can go on here on your own.")
        else:
            learner.messages.waiting.append(str(error))
            learner.wrong_codes.add()
    except Unavailable as error:
        seat.problem = str(error)
    except Refused as error:
        seat.refusal = str(error)
