"""The store of rooms and votes, in SQLite or PostgreSQL: what is accepted is decided here, in one transaction each."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from threading import Event, Lock, Thread
from time import monotonic, time  # noqa: TID251
from typing import Any

from sqlalchemy import Connection, Engine, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError, OperationalError, ProgrammingError, SQLAlchemyError

from components.base.limits import MAX_QUESTIONS, MAX_ROOM_LINK_BYTES, MAX_ROOMS, MAX_ROOMS_OF_HOST, MAX_VOTERS
from components.rooms.codes import digest, is_secret_of, new_code, new_secret
from components.rooms.room import Asked, NoRoom, Phase, Refused, Room, Unavailable
from components.rooms.schema import database_url, make_engine, metadata, questions, rooms, votes

SECONDS_TO_LIVE = 12 * 3_600  # of a room after the teacher's last step
SECONDS_BETWEEN_DELETIONS = 600.0
SECONDS_LEFT = 300  # without a sign of the teacher's screen: a full server then deletes the room for a new one
SECONDS_BETWEEN_TRIES = 2.0  # to reach a database that could not be reached
OPENING = 5_321  # the lock of PostgreSQL by which rooms are opened one at a time; SQLite has one writer
JOINING = 0  # the question that a voter answers by joining
ROUNDS = 2
LOCKED = "The server is busy: nothing was stored. Press again in a moment; the lesson works meanwhile."
FULL = "The disk of the server is full: votes cannot be stored until there is room. The lesson works meanwhile."
AWAY = "The server cannot reach the votes of this class. It tries again by itself; the lesson works meanwhile."
OUT_OF_DATE = "The class has moved on: press again if you still want to."
_log = logging.getLogger(__name__)
_room_columns = [rooms.c[name] for name in Room.__dataclass_fields__]


class RoomStore:
    """Rooms, the questions asked in them, and the votes. Methods raise Unavailable if the database fails."""

    def __init__(self, url: str = "") -> None:
        self._url, self._engine, self._starting = url, None, Lock()
        self._try_after, self._reason = 0.0, ""
        self._disposed = Event()

    def open(self, secret: str, lesson: str, link: str) -> str:
        """Open a room whose host has this secret; return its code. Raises Refused beyond a limit."""
        _check_link(link)
        self.delete_old()
        row = {"host": digest(secret), "lesson": lesson, "link": link, "phase": Phase.READY}
        row |= {"stepped": time(), "teacher_seen": time()}
        while True:
            with suppress(IntegrityError), self._writing() as connection:  # raised if a room has this code
                if connection.dialect.name == "postgresql":
                    connection.execute(select(func.pg_advisory_xact_lock(OPENING)))
                count = select(func.count()).select_from(rooms)
                if connection.scalar(count.filter_by(host=row["host"])) >= MAX_ROOMS_OF_HOST:
                    raise Refused(f"You have {MAX_ROOMS_OF_HOST} rooms, which is the limit: end one of them first.")
                if connection.scalar(count) >= MAX_ROOMS and not _delete_left(connection):
                    raise Refused(
                        f"This server has {MAX_ROOMS} rooms, which is its limit, and all are in use: one has to be "
                        f"ended first, or its teacher to be away for {SECONDS_LEFT // 60} minutes."
                    )
                code = new_code()
                connection.execute(insert(rooms).values(code=code, **row))
                return code

    def read(self, code: str) -> Room:
        """Return the room with this code. Raises NoRoom."""
        with self._reading() as connection:
            return _room(connection, code)

    def is_host(self, code: str, secret: str) -> bool:
        """Return whether this is a secret of the room's host."""
        with self._reading() as connection:
            return _is_host(connection, code, secret)

    def join(self, code: str, voter: str) -> None:
        """Count a voter among those in the room, once. Raises NoRoom, or Refused if the room is full.

        In a full room one who has not voted on the present question makes room, and joins again by voting.
        """
        with self._writing() as connection:
            room = _room(connection, code, lock=True)
            mine = {"code": code, "question": JOINING, "round": 1, "voter": voter}
            if connection.scalar(select(votes.c.option).filter_by(**mine)) is not None:
                return
            if room.joined < MAX_VOTERS:
                _change(connection, code, joined=rooms.c.joined + 1)
            elif not _delete_silent(connection, room):
                have, later = "are in this room", "answer when a question is asked"
                if room.question:
                    have, later = "have voted on the last question", "vote on a later one"
                raise Refused(f"{MAX_VOTERS} {have}, which is the limit of a room: you can look on, and {later}.")
            connection.execute(insert(votes).values(**mine, option=0))

    def vote(self, code: str, voter: str, question: int, round_: int, option: int) -> None:
        """Store the vote of one who has joined, or change it. Raises NoRoom, or Refused if it cannot count.

        `question` and `round_` are those that the voter saw.
        """
        with self._writing() as connection:
            room = _room(connection, code, lock=True)
            if (room.phase, room.question, room.round) != (Phase.ASK, question, round_):
                raise Refused("The vote is closed: this answer was not counted.")
            options = connection.scalar(select(questions.c.options).filter_by(code=code, number=question))
            if not 0 <= option < options:
                raise Refused(f"There is no answer {option + 1}: the question has {options}.")
            mine = {"code": code, "voter": voter}
            if connection.scalar(select(votes.c.option).filter_by(**mine, question=JOINING)) is None:
                raise Refused("Only those in the room can vote: open the link of the class again.")
            mine |= {"question": question, "round": round_}
            if not connection.execute(update(votes).filter_by(**mine).values(option=option)).rowcount:
                connection.execute(insert(votes).values(**mine, option=option))
                _change(connection, code, answered=rooms.c.answered + 1)

    def move(self, code: str, secret: str, step: int, lesson: str, link: str, done: bool = False) -> None:
        """Have the class follow the teacher to a lesson, or to other settings. Raises NoRoom, or Refused.

        A result stays on the screens if only the settings change, until the teacher is done with it.
        """
        _check_link(link)
        with self._stepping(code, secret, step) as (connection, room):
            if room.hides:
                raise Refused("The class is voting: close the vote and reveal its result first.")
            phase = room.phase if lesson == room.lesson and not done else Phase.READY
            _step(connection, code, lesson=lesson, link=link, phase=phase)

    def ask(self, code: str, secret: str, step: int, asked: Asked) -> None:
        """Begin the vote on a question, to which the class moves. Raises NoRoom, or Refused."""
        _check_link(asked.link)
        with self._stepping(code, secret, step, Phase.READY, Phase.REVEAL) as (connection, room):
            number = room.question + 1
            if number > MAX_QUESTIONS:
                raise Refused(f"{MAX_QUESTIONS} questions were asked in this room, which is the limit: open another.")
            connection.execute(insert(questions).values(code=code, number=number, **vars(asked)))
            now = {"question": number, "round": 1, "answered": 0, "phase": Phase.ASK}
            _step(connection, code, lesson=asked.lesson, link=asked.link, **now)

    def cancel(self, code: str, secret: str, step: int, link: str) -> None:
        """Delete the question of the vote with its votes, and move the class to a link. Raises NoRoom, or Refused."""
        _check_link(link)
        with self._stepping(code, secret, step, Phase.ASK) as (connection, room):
            connection.execute(delete(questions).filter_by(code=code, number=room.question))
            connection.execute(delete(votes).filter_by(code=code, question=room.question))
            _step(connection, code, link=link, phase=Phase.READY)

    def close(self, code: str, secret: str, step: int) -> None:
        """End the vote: from now on votes are refused. Raises NoRoom, or Refused."""
        with self._stepping(code, secret, step, Phase.ASK) as (connection, _):
            _step(connection, code, phase=Phase.CLOSE)

    def again(self, code: str, secret: str, step: int) -> None:
        """Begin the second vote on the same question. Raises NoRoom, or Refused."""
        with self._stepping(code, secret, step, Phase.CLOSE) as (connection, room):
            if room.round >= ROUNDS:
                raise Refused(OUT_OF_DATE)
            _step(connection, code, phase=Phase.ASK, round=room.round + 1, answered=0)

    def reveal(self, code: str, secret: str, step: int) -> None:
        """Show the result on all screens. Raises NoRoom, or Refused."""
        with self._stepping(code, secret, step, Phase.CLOSE) as (connection, _):
            _step(connection, code, phase=Phase.REVEAL)

    def asked(self, code: str) -> dict[int, Asked]:
        """Return the questions asked in a room, by number."""
        columns = [questions.c[name] for name in ("number", *Asked.__dataclass_fields__)]
        with self._reading() as connection:
            found = connection.execute(select(*columns).filter_by(code=code).order_by(questions.c.number))
            return {number: Asked(*row) for number, *row in found}

    def own_votes(self, code: str, question: int, voter: str) -> dict[int, int]:
        """Return the option that a voter chose in each round of a question."""
        with self._reading() as connection:
            mine = select(votes.c.round, votes.c.option).filter_by(code=code, question=question, voter=voter)
            return {vote.round: vote.option for vote in connection.execute(mine)}

    def counts(self, code: str, question: int, options: int) -> dict[int, list[int]]:
        """Return how many votes each option has, for each round that has any."""
        which = (votes.c.round, votes.c.option)
        counted = select(*which, func.count()).filter_by(code=code, question=question).group_by(*which)
        found: dict[int, list[int]] = {}
        with self._reading() as connection:
            for round_, option, count in connection.execute(counted.order_by(votes.c.round)):
                found.setdefault(round_, [0] * options)[option] = count
        return found

    def teacher_is_here(self, code: str, secret: str) -> None:
        """Record that the host's screen is open. Raises NoRoom, or Refused."""
        with self._writing() as connection:
            _check_host(connection, code, secret)
            _change(connection, code, teacher_seen=time())

    def invite(self, code: str, secret: str) -> str:
        """Return a word that makes one more machine the host, once. Raises NoRoom, or Refused."""
        invitation = new_secret()
        with self._writing() as connection:
            _check_host(connection, code, secret)
            _change(connection, code, invitation=digest(invitation))
        return invitation

    def accept(self, code: str, invitation: str) -> str:
        """Return a secret of its own for the machine that has the invitation. Raises NoRoom, or Refused."""
        secret = new_secret()
        with self._writing() as connection:
            _room(connection, code, lock=True)
            stored = connection.scalar(select(rooms.c.invitation).filter_by(code=code))
            if not is_secret_of(invitation, (stored,)):
                raise Refused("This link for a second machine was used or replaced, or is of another room.")
            _change(connection, code, second_host=digest(secret), invitation="")
        return secret

    def end(self, code: str, secret: str) -> None:
        """Delete a room with all its votes. Raises NoRoom, or Refused."""
        with self._writing() as connection:
            _check_host(connection, code, secret)
            connection.execute(delete(rooms).filter_by(code=code))

    def delete_old(self) -> None:
        """Delete the rooms without a teacher's step for 12 hours."""
        with self._writing() as connection:
            connection.execute(delete(rooms).where(rooms.c.stepped < time() - SECONDS_TO_LIVE))

    def dispose(self) -> None:
        """Close all connections, and delete no more."""
        self._disposed.set()
        if self._engine is not None:
            self._engine.dispose()

    def _delete_regularly(self) -> None:
        """Delete old rooms every ten minutes, also if nobody uses the server."""
        while not self._disposed.wait(SECONDS_BETWEEN_DELETIONS):
            with suppress(Unavailable):
                self.delete_old()

    @contextmanager
    def _stepping(self, code: str, secret: str, step: int, *phases: Phase) -> Iterator[tuple[Connection, Room]]:
        """Yield a transaction of the host, who saw this step, and the room, locked; by default in any phase."""
        with self._writing() as connection:
            room = _check_host(connection, code, secret)
            if room.step != step or room.phase not in (phases or Phase):
                raise Refused(OUT_OF_DATE)
            yield connection, room

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        with self._available() as engine, engine.begin() as connection:
            yield connection

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        with (
            self._available() as engine,
            engine.execution_options(isolation_level="AUTOCOMMIT").connect() as connection,
        ):
            yield connection

    @contextmanager
    def _available(self) -> Iterator[Engine]:
        """Yield the engine. Raises Unavailable instead of what the database raises.

        A database that could not be reached is not tried again at once: each try may take seconds. Until its tables are
        made one thread tries it, and the others that come meanwhile do not try it again one after the other.
        """
        with self._starting:
            if monotonic() < self._try_after:
                raise Unavailable(self._reason)
            with self._named():
                engine = self._started()
        with self._named():
            yield engine

    @contextmanager
    def _named(self) -> Iterator[None]:
        """Raise Unavailable instead of what the database raises."""
        try:
            yield
        except IntegrityError:
            raise
        except (SQLAlchemyError, OSError, ImportError) as error:  # ImportError: without the driver of the database
            self._reason = _reason(error)
            if self._reason != LOCKED:
                self._try_after = monotonic() + SECONDS_BETWEEN_TRIES
            _log.warning("The rooms are not available: %s", getattr(error, "orig", error))
            raise Unavailable(self._reason) from error

    def _started(self) -> Engine:
        """Return the engine; its tables are made when it is used first."""
        if self._engine is None:
            engine = make_engine(self._url or database_url())
            try:
                metadata.create_all(engine)
            except (OperationalError, ProgrammingError, IntegrityError):  # another process made them meanwhile
                metadata.create_all(engine)
            self._engine = engine
            Thread(target=self._delete_regularly, daemon=True).start()
        return self._engine


@cache
def room_store() -> RoomStore:
    """Return the store of this process."""
    return RoomStore()


def _reason(error: Exception) -> str:
    text = str(getattr(error, "orig", error)).lower()
    if "locked" in text:
        return LOCKED
    return FULL if "disk is full" in text or "no space" in text else AWAY


def _room(connection: Connection, code: str, lock: bool = False) -> Room:
    """Return the room; if locked, nobody else changes it until the transaction ends. Raises NoRoom."""
    found = select(*_room_columns).filter_by(code=code).where(rooms.c.stepped >= time() - SECONDS_TO_LIVE)
    row = connection.execute(found.with_for_update() if lock else found).mappings().first()
    if row is None:
        raise NoRoom(
            f"There is no class with the code {code}: it has ended, or the code is mistyped. Ask the teacher for the "
            "code; the lessons work without a class too."
        )
    return Room(**{**row, "phase": Phase(row["phase"])})


def _change(connection: Connection, code: str, **values: Any) -> None:
    connection.execute(update(rooms).filter_by(code=code).values(**values))


def _step(connection: Connection, code: str, **values: Any) -> None:
    _change(connection, code, **values, step=rooms.c.step + 1, stepped=time(), teacher_seen=time())


def _delete_left(connection: Connection) -> bool:
    """Delete the room whose teacher has left it, if there is one: first the one that the fewest have joined."""
    left = select(rooms.c.code).where(rooms.c.teacher_seen < time() - SECONDS_LEFT)
    first = left.order_by(rooms.c.joined, rooms.c.teacher_seen).limit(1)
    return connection.execute(delete(rooms).where(rooms.c.code.in_(first))).rowcount > 0


def _delete_silent(connection: Connection, room: Room) -> bool:
    """Delete from a room one who has not voted on its question, if there is one; votes on earlier questions stay."""
    of_room = select(votes.c.voter).filter_by(code=room.code)
    silent = of_room.filter_by(question=JOINING).except_(of_room.filter_by(question=room.question)).limit(1)
    gone = delete(votes).filter_by(code=room.code, question=JOINING).where(votes.c.voter.in_(silent))
    return connection.execute(gone).rowcount > 0


def _is_host(connection: Connection, code: str, secret: str) -> bool:
    row = connection.execute(select(rooms.c.host, rooms.c.second_host).filter_by(code=code)).first()
    return row is not None and is_secret_of(secret, tuple(row))


def _check_host(connection: Connection, code: str, secret: str) -> Room:
    """Return the room, locked, if this is its host. Raises NoRoom, or Refused."""
    room = _room(connection, code, lock=True)
    if not _is_host(connection, code, secret):
        raise Refused("Only the teacher's machine and a second one, the last that was added, can do this.")
    return room


def _check_link(link: str) -> None:
    """Check the size of what the class follows. Raises Refused."""
    size = len(link.encode("utf-8"))
    if size > MAX_ROOM_LINK_BYTES:
        raise Refused(
            f"Your settings and text take {size:,} bytes as a link; a room stores {MAX_ROOM_LINK_BYTES:,}. Shorten the "
            "text: until then the class stays with the one before."
        )
