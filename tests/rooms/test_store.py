"""The store of rooms, the same on SQLite and on PostgreSQL: phases, votes, hosts, limits, deletion, faults."""

import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from time import monotonic, sleep, time

import pytest
from sqlalchemy import Engine, text
from sqlalchemy.exc import SQLAlchemyError

from components.base import limits
from components.rooms import store as stores
from components.rooms.codes import new_code
from components.rooms.room import Asked, NoRoom, Phase, Refused, Unavailable
from components.rooms.schema import metadata
from components.rooms.store import AWAY, LOCKED, RoomStore
from tests.postgres import Postgres, running_postgres

QUESTION = Asked("lookup", "shape", "v=2&seed=7", 4)
SECRET, VOTER = "secret of the host", f"{1:032x}"


@pytest.fixture(scope="module")
def postgres() -> Iterator[Postgres]:
    with running_postgres() as server:
        yield server


@pytest.fixture(params=["sqlite", "postgresql"])
def store(request, tmp_path, monkeypatch) -> Iterator[RoomStore]:
    on_disk = request.param == "sqlite"
    monkeypatch.delenv("EMBEDDING_LAB_ROOMS_URL", raising=False)
    monkeypatch.setenv("EMBEDDING_LAB_CACHE", str(tmp_path / "new" / "inner"))  # as ~/.cache of a new machine
    found = RoomStore("" if on_disk else request.getfixturevalue("postgres").url)
    yield found
    if not on_disk:
        metadata.drop_all(found._engine)
    found.dispose()


@pytest.fixture
def code(store) -> str:
    """Return a room in which the question has been asked."""
    code = store.open(SECRET, "lookup", "v=2")
    store.join(code, VOTER)
    store.ask(code, SECRET, 0, QUESTION)
    return code


def take(store: RoomStore, code: str, *steps: str) -> None:
    """Take steps of the teacher, each from where the class is."""
    for name in steps:
        getattr(store, name)(code, SECRET, store.read(code).step)


def count_rows(store: RoomStore, table: str) -> int:
    with store._engine.connect() as connection:
        return connection.scalar(text(f"SELECT count(*) FROM {table}"))


def test_room_of_a_class_goes_through_two_rounds(store, code):
    assert store.asked(code) == {1: QUESTION}
    others = [f"{n:032x}" for n in range(2, 5)]
    for voter, option in zip(others, (0, 0, 3), strict=True):
        store.join(code, voter)
        store.vote(code, voter, 1, 1, option)
    store.vote(code, VOTER, 1, 1, 1)
    store.vote(code, VOTER, 1, 1, 2)  # changed
    room = store.read(code)
    assert (room.phase, room.round, room.joined, room.answered, room.hides) == (Phase.ASK, 1, 4, 4, True)
    take(store, code, "close", "again")
    assert store.read(code).answered == 0
    store.vote(code, VOTER, 1, 2, 0)
    take(store, code, "close", "reveal")
    assert store.counts(code, 1, 4) == {1: [2, 0, 1, 1], 2: [1, 0, 0, 0]}
    assert store.own_votes(code, 1, VOTER) == {1: 2, 2: 0}
    assert (store.read(code).phase, store.read(code).hides) == (Phase.REVEAL, False)
    store.ask(code, SECRET, store.read(code).step, QUESTION)
    assert (store.read(code).question, store.read(code).round, store.own_votes(code, 2, VOTER)) == (2, 1, {})


def test_question_votes_and_end_of_another_room_change_nothing(store, code):
    store.vote(code, VOTER, 1, 1, 1)
    other = store.open("another", "lookup", "v=2")
    store.join(other, VOTER)
    store.ask(other, "another", 0, replace(QUESTION, name="ids"))
    store.vote(other, VOTER, 1, 1, 3)
    assert (store.asked(code), store.own_votes(code, 1, VOTER)) == ({1: QUESTION}, {1: 1})
    assert store.counts(code, 1, 4) == {1: [0, 1, 0, 0]}
    store.end(other, "another")
    assert (store.read(code).answered, store.counts(code, 1, 4)) == (1, {1: [0, 1, 0, 0]})


def test_code_in_use_is_not_given_to_another_room(store, code, monkeypatch):
    codes = iter([code, "CCCC"])
    monkeypatch.setattr(stores, "new_code", lambda: next(codes))
    assert store.open(SECRET, "lookup", "v=2") == "CCCC"


def test_vote_that_cannot_count_is_refused(store, code):
    for room, voter, question, round_, option, problem in (
        (code, VOTER, 0, 1, 0, "closed"),
        (code, VOTER, 2, 1, 0, "closed"),
        (code, VOTER, 1, 2, 0, "closed"),
        (code, VOTER, 1, 1, -1, "no answer"),
        (code, VOTER, 1, 1, 4, "no answer"),
        (code, "f" * 32, 1, 1, 0, "in the room"),
        ("BBBB", VOTER, 1, 1, 0, "no class with the code BBBB"),
    ):
        with pytest.raises((Refused, NoRoom), match=problem):
            store.vote(room, voter, question, round_, option)
    store.vote(code, VOTER, 1, 1, 0)
    for step in ("close", "again", "close", "reveal"):
        take(store, code, step)
        with pytest.raises(Refused, match="closed"):
            store.vote(code, VOTER, 1, 1, 1)
    assert store.counts(code, 1, 4) == {1: [1, 0, 0, 0]}


def test_step_from_another_phase_or_an_old_screen_is_refused(store, code):
    steps = ["close", "again", "close", "reveal", ""]  # a third round is none of them
    possible = [{"close"}, {"again", "reveal"}, {"close"}, {"reveal"}, set()]
    for taken, allowed in zip(steps, possible, strict=True):
        step = store.read(code).step
        for name in {"close", "again", "reveal"} - allowed:
            with pytest.raises(Refused, match="moved on"):
                getattr(store, name)(code, SECRET, step)
        if not taken:
            break
        with pytest.raises(Refused, match="voting"):
            store.move(code, SECRET, step, "tokens", "v=2")
        with pytest.raises(Refused, match="moved on"):
            store.ask(code, SECRET, step, QUESTION)
        take(store, code, taken)
        with pytest.raises(Refused, match="moved on"):  # a press that was sent twice
            getattr(store, taken)(code, SECRET, step)


def test_question_taken_back_is_deleted_with_its_votes(store, code):
    store.vote(code, VOTER, 1, 1, 0)
    store.cancel(code, SECRET, 1, "v=2&dim=8")
    room = store.read(code)
    assert (room.phase, room.lesson, room.link, room.joined) == (Phase.READY, "lookup", "v=2&dim=8", 1)
    assert (store.asked(code), store.counts(code, 1, 4)) == ({}, {})
    with pytest.raises(Refused, match="closed"):
        store.vote(code, VOTER, 1, 1, 1)
    with pytest.raises(Refused, match="moved on"):
        store.cancel(code, SECRET, 2, "v=2")
    store.ask(code, SECRET, 2, QUESTION)
    store.vote(code, VOTER, 2, 1, 3)  # not of the question before, on whose screens a vote may be on its way
    assert (store.asked(code), store.read(code).answered) == ({2: QUESTION}, 1)


def test_class_follows_teacher_and_result_stays_in_its_lesson(store, code):
    take(store, code, "close", "reveal")
    store.move(code, SECRET, 3, "lookup", "v=2&dim=8")
    assert (store.read(code).link, store.read(code).phase) == ("v=2&dim=8", Phase.REVEAL)
    store.move(code, SECRET, 4, "combine", "v=2")
    assert (store.read(code).lesson, store.read(code).phase) == ("combine", Phase.READY)
    assert store.asked(code) == {1: QUESTION}


def test_step_without_the_secret_is_refused(store, code):
    for secret in ("", SECRET + " ", stores.digest(SECRET), "\ud800"):
        for step, *arguments in (
            *((step, 1) for step in (store.close, store.again, store.reveal)),
            *((step,) for step in (store.end, store.invite, store.teacher_is_here)),
            (store.ask, 1, QUESTION),
            (store.move, 1, "tokens", ""),
            (store.cancel, 1, ""),
        ):
            with pytest.raises(Refused, match="Only the teacher's machine"):
                step(code, secret, *arguments)
        assert not store.is_host(code, secret)
    assert store.is_host(code, SECRET)


def test_invitation_makes_one_host_and_only_hashes_are_stored(store, code):
    invitation = store.invite(code, SECRET)
    with pytest.raises(Refused, match="second machine"):
        store.accept(code, "")
    second = store.accept(code, invitation)
    for word in (invitation, ""):
        with pytest.raises(Refused, match="second machine"):
            store.accept(code, word)
    store.close(code, second, 1)
    with pytest.raises(Refused, match="moved on"):  # both pressed at once
        store.close(code, SECRET, 1)
    with store._engine.connect() as connection:
        stored = str(connection.execute(text("SELECT * FROM lab_rooms")).all())
        with pytest.raises(SQLAlchemyError) as error:
            connection.execute(text("SELECT :secret FROM no_table"), {"secret": SECRET})
    assert SECRET not in str(error.value)  # which the log has
    assert stores.digest(SECRET) in stored
    assert not [each for each in (SECRET, invitation, second) if each in stored]


def test_full_room_has_room_for_its_voters(store, code, monkeypatch):
    monkeypatch.setattr(stores, "MAX_VOTERS", 3)
    for n in range(2, 9):  # sessions that never vote
        store.join(code, f"{n}")
    for voter in (VOTER, "a", "b"):
        store.join(code, voter)
        store.vote(code, voter, 1, 1, 0)
    with pytest.raises(Refused, match="3 have voted on the last question, which is the limit"):
        store.join(code, "c")
    assert (store.read(code).joined, store.read(code).answered) == (3, 3)
    take(store, code, "close", "reveal")
    store.ask(code, SECRET, store.read(code).step, QUESTION)
    store.join(code, "c")
    store.vote(code, "c", 2, 1, 1)
    assert (store.read(code).joined, store.counts(code, 1, 4), store.counts(code, 2, 4)) == (
        3,
        {1: [3, 0, 0, 0]},
        {1: [0, 1, 0, 0]},
    )


def test_limits_are_named(store, monkeypatch):
    monkeypatch.setattr(stores, "MAX_ROOMS", 7)
    monkeypatch.setattr(stores, "MAX_VOTERS", 2)
    codes = {store.open(SECRET, "home", "v=2") for _ in range(limits.MAX_ROOMS_OF_HOST)}
    assert len(codes) == limits.MAX_ROOMS_OF_HOST
    with pytest.raises(Refused, match="You have 5 rooms"):
        store.open(SECRET, "home", "v=2")
    for other in ("b", "c"):
        code = store.open(other, "home", "v=2")
    with pytest.raises(Refused, match="This server has 7 rooms"):
        store.open("d", "home", "v=2")
    store.move(code, "c", 0, "home", "é" * 1_500)
    link = "é" * 1_500 + "x"
    for refused in (
        lambda: store.move(code, "c", 1, "home", link),
        lambda: store.open("d", "home", link),
        lambda: store.ask(code, "c", 1, replace(QUESTION, link=link)),
    ):
        with pytest.raises(Refused, match="a room stores 3,000"):
            refused()
    monkeypatch.setattr(stores, "MAX_QUESTIONS", 1)
    store.ask(code, "c", 1, QUESTION)
    store.close(code, "c", 2)
    store.reveal(code, "c", 3)
    with pytest.raises(Refused, match="1 questions were asked in this room, which is the limit"):
        store.ask(code, "c", 4, QUESTION)


def test_rooms_opened_at_once_do_not_exceed_the_limit(store, monkeypatch):
    monkeypatch.setattr(stores, "MAX_ROOMS", 3)
    monkeypatch.setattr(stores, "new_code", lambda: sleep(0.05) or new_code())  # between the count and the insertion

    def is_opened(number: int) -> bool:
        with suppress(Refused):
            return bool(store.open(str(number), "home", "v=2"))
        return False

    with ThreadPoolExecutor(12) as pool:
        assert list(pool.map(is_opened, range(12))).count(True) == 3


def test_full_server_deletes_the_room_that_its_teacher_left(store, monkeypatch):
    monkeypatch.setattr(stores, "MAX_ROOMS", 3)
    joined, empty = (store.open(host, "home", "v=2") for host in "ab")
    store.join(joined, VOTER)
    monkeypatch.setattr(stores, "time", lambda: time() + stores.SECONDS_LEFT + 1)
    present = store.open("c", "home", "v=2")
    first = store.open("d", "home", "v=2")
    assert [store.read(code).joined for code in (joined, present, first)] == [1, 0, 0]
    with pytest.raises(NoRoom):
        store.read(empty)
    store.teacher_is_here(joined, "a")
    with pytest.raises(Refused, match="This server has 3 rooms"):
        store.open("e", "home", "v=2")


def test_room_closed_or_forgotten_is_deleted_with_its_votes(store, code, monkeypatch):
    store.vote(code, VOTER, 1, 1, 1)
    forgotten = store.open(SECRET, "home", "v=2")
    invitation = store.invite(code, SECRET)
    store.end(code, SECRET)
    for use, words in ((store.read, ()), (store.accept, [invitation])):
        with pytest.raises(NoRoom):
            use(code, *words)
    monkeypatch.setattr(stores, "time", lambda: time() + 12 * 3_600 - 60)
    store.delete_old()
    assert store.read(forgotten).lesson == "home"
    monkeypatch.setattr(stores, "time", lambda: time() + 12 * 3_600 + 1)
    with pytest.raises(NoRoom):
        store.read(forgotten)
    store.delete_old()
    assert [count_rows(store, table) for table in metadata.tables] == [0] * len(metadata.tables)


def test_old_rooms_are_deleted_by_a_server_that_nobody_uses(store, monkeypatch):
    monkeypatch.setattr(stores, "SECONDS_BETWEEN_DELETIONS", 0.1)
    store.open(SECRET, "home", "v=2")
    monkeypatch.setattr(stores, "SECONDS_TO_LIVE", 0)
    until = time() + 60
    while count_rows(store, "lab_rooms") and time() < until:
        sleep(0.05)
    assert count_rows(store, "lab_rooms") == 0


def test_votes_of_a_class_at_once_are_all_counted(store, code):
    voters = [f"{n:032x}" for n in range(10, 50)]

    def attend(voter: str) -> None:
        store.join(code, voter)
        for option in (0, 1, int(voter, 16) % 4):
            store.vote(code, voter, 1, 1, option)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(attend, [voter for voter in voters for _ in range(2)]))  # each from two windows at once
    assert (store.read(code).joined, store.read(code).answered) == (41, 40)
    assert store.counts(code, 1, 4) == {1: [10, 10, 10, 10]}


def test_step_taken_by_several_at_once_counts_once(store, code, monkeypatch):
    is_host, step = stores._is_host, store.read(code).step
    monkeypatch.setattr(stores, "_is_host", lambda *room: sleep(0.05) or is_host(*room))  # before the step is stored

    def is_taken(_: int) -> bool:
        with suppress(Refused):
            store.close(code, SECRET, step)
            return True
        return False

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(is_taken, range(4))).count(True) == 1


def test_stopped_postgresql_is_used_again_once_it_is_back(postgres, monkeypatch):
    monkeypatch.setattr(stores, "SECONDS_BETWEEN_TRIES", 60)  # more than a slow machine takes here
    store = RoomStore(postgres.url)
    code = store.open(SECRET, "home", "v=2")
    postgres.stop()
    with pytest.raises(Unavailable, match=AWAY):
        store.read(code)
    postgres.start()
    with pytest.raises(Unavailable):  # not tried again at once
        store.read(code)
    monkeypatch.setattr(stores, "monotonic", lambda: monotonic() + stores.SECONDS_BETWEEN_TRIES)
    assert store.read(code).code == code
    metadata.drop_all(store._engine)
    store.dispose()


def test_sqlite_file_that_is_locked_is_named_as_busy(tmp_path, monkeypatch):
    monkeypatch.setattr("components.rooms.schema.BUSY_SECONDS", 0.1)
    store = RoomStore(f"sqlite:///{tmp_path}/rooms.sqlite3")
    code = store.open(SECRET, "home", "v=2")
    other = sqlite3.connect(tmp_path / "rooms.sqlite3", isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")  # as during a commit without a write-ahead log
    with pytest.raises(Unavailable, match=LOCKED):
        store.join(code, VOTER)
    assert store.read(code).joined == 0  # readers do not wait
    other.execute("ROLLBACK")
    store.join(code, VOTER)


def test_full_disk_is_named_until_there_is_room(small_disk, monkeypatch):
    monkeypatch.delenv("EMBEDDING_LAB_ROOMS_URL", raising=False)
    store = RoomStore()
    code = store.open(SECRET, "home", "v=2")
    filling = small_disk / "filling"
    with filling.open("wb", buffering=0) as file, suppress(OSError):
        while file.write(bytes(4_096)):
            pass

    def fill() -> None:
        for n in range(limits.MAX_VOTERS):
            store.join(code, f"{n:032x}")

    with pytest.raises(Unavailable) as raised:
        fill()
    stored = "votes cannot be stored until there is room. The lesson works meanwhile."
    assert str(raised.value) == f"The disk of the server is full: {stored}"
    filling.unlink()
    monkeypatch.setattr(stores, "monotonic", lambda: monotonic() + stores.SECONDS_BETWEEN_TRIES)
    store.join(code, VOTER)
    store.dispose()


def test_folder_that_cannot_be_written_is_a_sentence(closed_folder):
    with pytest.raises(Unavailable):
        RoomStore().open(SECRET, "home", "v=2")


@pytest.mark.parametrize(
    "url", ["postgresql+psycopg://127.0.0.1:1/x", "nothing", "mssql+pyodbc://x", "postgresql+asyncpg://x"]
)
def test_database_that_cannot_be_used_is_a_sentence(url):
    with pytest.raises(Unavailable, match="cannot reach"):
        RoomStore(url).read("BBBB")


def test_database_that_is_away_is_tried_once_by_many_at_once(monkeypatch):
    def try_slowly(engine: Engine) -> None:
        tries.append(engine)
        sleep(0.1)
        raise SQLAlchemyError

    def read(number: int) -> None:
        with pytest.raises(Unavailable, match=AWAY):
            store.read("BBBB")

    monkeypatch.setattr(stores.metadata, "create_all", try_slowly)
    store, tries = RoomStore("sqlite://"), []
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(read, range(8)))
    assert len(tries) == 1
