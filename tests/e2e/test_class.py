"""A class in three browsers, a projector and two phones; and what happens to its votes when servers fail."""

import asyncio
import json
import re
from contextlib import AsyncExitStack, ExitStack

import pytest
from playwright.sync_api import Browser, Page, expect
from websockets.exceptions import ConnectionClosed

from components.rooms.room import Asked
from components.rooms.schema import URL_VARIABLE
from components.rooms.store import AWAY, SECONDS_BETWEEN_TRIES, RoomStore
from deploy.tests.behind_nginx import Fleet, running_fleet
from tests.postgres import running_postgres

from .class_visitor import member
from .page_actions import LessonPage
from .server_processes import HOST_NAME, ROOT, Server, running_server
from .test_accessibility import own_barriers
from .websocket_client import finish

PICTURES = ROOT / "artefacts" / "screenshots"
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
SECRET = "secret of the host"


@pytest.fixture
def cached_server(browser, tmp_path):
    with running_server(env={"EMBEDDING_LAB_CACHE": str(tmp_path)}) as server:
        yield server


def by_name(server: Server) -> str:
    return server.address.replace("127.0.0.1", HOST_NAME)


def option(page: Page, number: int):
    return page.locator('[class*="st-key-room_vote_"] button').nth(number)


def test_projector_and_two_phones_go_through_a_vote_of_two_rounds(browser: Browser, cached_server):
    tabs = [browser.new_context(viewport={"width": 1280, "height": 720}), *(browser.new_context(**PHONE) for _ in "12")]
    teacher, one, two = pages = [LessonPage(tab.new_page()) for tab in tabs]
    PICTURES.mkdir(parents=True, exist_ok=True)

    def picture(step: str) -> None:
        for name, page in zip(("projector", "phone-1", "phone-2"), pages, strict=True):
            page.at_rest()
            page.screenshot(path=PICTURES / f"class-{step}-{name}.png")
            if page is not two:
                assert own_barriers(page) == [], f"{step}, {name}"

    console = teacher.watch_console(by_name(cached_server))
    teacher.visit(by_name(cached_server), "lookup", "present=1&dim=8")
    teacher.dialog("Class").get_by_role("button", name="Open a room").click()
    link = teacher.get_by_role("dialog").locator("code").first.inner_text()
    expect(teacher.get_by_role("img", name="QR code of the link of the class")).to_be_visible()
    assert re.fullmatch(rf"{re.escape(by_name(cached_server))}/\?room=[A-Z]{{4}}", link)
    teacher.keyboard.press("Escape")
    for phone in (one, two):
        phone.goto(link)
        phone.sentence("The question of the class appears here")
    teacher.sentence("2 joined")
    picture("1-joined")

    teacher.mouse.click(640, 300)
    teacher.keyboard.press(" ")
    for phone in (one, two):
        phone.sentence("What shape does the result have?")
        assert phone.figure.locator(".masked").count()
    assert option(one, 0).bounding_box()["height"] >= 44
    option(one, 0).click()
    one.sentence("Your answer is stored")
    option(two, 1).click()
    two.sentence("Your answer is stored")
    two.reload()  # still the same voter, with the vote given
    two.sentence("Your answer is stored")
    teacher.sentence("2 of 2 have answered")
    expect(teacher.get_by_role("button", name="Close")).to_be_visible()
    picture("2-ask")

    for _ in "12":  # taken as one press
        teacher.keyboard.press("PageDown")
    one.sentence("The vote is closed")
    expect(teacher.main.get_by_text("first vote")).to_have_count(0)
    picture("3-close")
    teacher.button("Again").click()
    one.sentence("Talk to your neighbor")
    for phone in (one, two):
        option(phone, 2).click()
        phone.sentence("Your answer is stored")
    picture("4-again")
    teacher.reload()  # still the host
    teacher.get_by_role("button", name="Close").click()
    one.sentence("The vote is closed")
    expect(teacher.get_by_role("button", name="Reveal")).to_be_visible()
    teacher.wait_for_timeout(300)  # a press sooner than that is taken as part of the last one
    teacher.keyboard.press("PageDown")
    for phone in (one, two):
        expect(phone.main.get_by_text("✓ Right answer")).to_be_visible()
        expect(phone.figure.locator(".masked")).to_have_count(0)
        expect(phone.main.get_by_text("second vote: 2 of 2")).to_be_visible()
    picture("5-reveal")

    one.button("Explore on my own").click()
    one.in_address(room=link[-4:], dim="8")
    expect(teacher.get_by_role("button", name="Next")).to_be_visible()
    teacher.keyboard.press("PageDown")
    two.sentence("The question of the class appears here")
    one.button("Back to the class").click()
    one.sentence("The question of the class appears here")
    assert one.query == {"room": link[-4:]}
    teacher.get_by_role("button", name="Exit").click()
    expect(teacher.get_by_test_id("stSidebarNav")).to_be_visible()
    assert teacher.locator(".room-status").bounding_box()["x"] > 300  # beside the list of lessons
    assert console == []
    for page in pages:
        page.no_traceback()
        page.context.close()


def test_server_killed_in_the_middle_of_a_vote_gives_the_vote_back(browser: Browser, cached_server, tmp_path):
    store = RoomStore(f"sqlite:///{tmp_path}/rooms.sqlite3")
    code = store.open(SECRET, "lookup", "v=1")
    phone = LessonPage(browser.new_context(**PHONE).new_page())
    phone.goto(f"{by_name(cached_server)}/?room={code}")
    phone.sentence("The question of the class appears here")
    store.ask(code, SECRET, 0, Asked("lookup", "shape", "v=1", 4))
    option(phone, 3).click()
    phone.sentence("Your answer is stored")
    cached_server.kill()
    phone.sentence("trying to reconnect")
    store.close(code, SECRET, 1)
    cached_server.start()
    expect(phone.main.get_by_text("The vote is closed.")).to_be_visible()
    expect(phone.main.get_by_text("(your answer)")).to_be_visible()
    assert (store.read(code).joined, store.counts(code, 1, 4)) == (1, {1: [0, 0, 0, 1]})
    store.end(code, SECRET)
    phone.sentence(f"There is no room {code}")
    phone.context.close()


async def attend(fleet: Fleet, store: RoomStore, code: str) -> None:
    """Let a class vote while one process is killed; those whose process it was come back, and vote again."""
    async with AsyncExitStack() as stack:
        members = [await stack.enter_async_context(member(fleet.address, code, n)) for n in range(8)]
        store.ask(code, SECRET, 0, Asked("lookup", "shape", "v=1", 4))
        for each in members:
            await each.until("room_vote_1_1_0")
        for each in members[:4]:
            await each.vote(each.number % 4)
        next(iter(fleet.processes.values())).kill()
        lost = []
        for each in members[4:]:
            try:
                await each.vote(each.number % 4)
            except ConnectionClosed:
                lost.append(each.number)
        for number in lost:  # the browser reconnects, to the other process
            again = await stack.enter_async_context(member(fleet.address, code, number))
            await again.until(f"room_vote_1_1_{number % 4}")
            await again.vote(number % 4)


@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
def test_process_behind_nginx_killed_in_a_vote_loses_no_vote(database, tmp_path, monkeypatch):
    with ExitStack() as running:
        url = f"sqlite:///{tmp_path}/rooms.sqlite3"
        if database == "postgresql":
            url = running.enter_context(running_postgres()).url
        monkeypatch.setenv(URL_VARIABLE, url)
        fleet = running.enter_context(running_fleet(tmp_path))
        store = RoomStore(url)
        code = store.open(SECRET, "lookup", "v=1")
        finish(attend(fleet, store, code))
        room = store.read(code)
        assert (room.joined, room.answered, store.counts(code, 1, 4)) == (8, 8, {1: [2, 2, 2, 2]})
        store.dispose()


def test_postgresql_stopped_and_started_again_is_a_sentence_meanwhile(tmp_path, monkeypatch):
    with running_postgres() as postgres:
        monkeypatch.setenv(URL_VARIABLE, postgres.url)
        store = RoomStore(postgres.url)
        code = store.open(SECRET, "lookup", "v=1")
        store.ask(code, SECRET, 0, Asked("lookup", "shape", "v=1", 4))

        async def attend_without_postgresql(server: Server) -> None:
            async with member(server, code, 1) as learner:
                postgres.stop()
                refused = await learner.vote(2)
                assert any(AWAY.encode() in raw for raw in refused.raw)
                assert refused.exceptions == []
                other = await learner.who.open("combine", "v=1")  # lessons work meanwhile
                assert other.exceptions == []
            postgres.start()
            await asyncio.sleep(SECONDS_BETWEEN_TRIES)
            async with member(server, code, 1) as learner:
                await learner.vote(2)

        with running_server() as server:
            finish(attend_without_postgresql(server))
        assert store.counts(code, 1, 4) == {1: [0, 0, 1, 0]}
        store.dispose()


def test_replayed_and_forged_messages_of_a_learner_change_nothing(tmp_path, monkeypatch):
    monkeypatch.setenv("EMBEDDING_LAB_CACHE", str(tmp_path))
    store = RoomStore(f"sqlite:///{tmp_path}/rooms.sqlite3")
    code = store.open(SECRET, "lookup", "v=1")
    store.ask(code, SECRET, 0, Asked("lookup", "shape", "v=1", 4))

    async def attack(server: Server) -> None:
        async with member(server, code, 1) as learner:
            first = learner.page
            await learner.vote(1)
            assert store.counts(code, 1, 4) == {1: [0, 1, 0, 0]}
            # Another number in the same session is not another voter, and no secret makes it the host.
            mount = next(each.id for _, each in first.widgets if each.id.endswith("-room_browser"))
            for value in ({"code": code, "voter": "f" * 32, "claim": "x"}, [], None, {"voter": 7}, "x" * 10_000):
                kept = json.dumps([{"event": "kept", "value": value}])
                answer = await learner.send((f"$$STREAMLIT_INTERNAL_KEY_{mount}__events", "json_trigger_value", kept))
                assert answer.exceptions == []
            store.close(code, SECRET, 1)
            learner.page = first
            late = await learner.vote(2)  # from a page that still has the buttons
            assert late.exceptions == []
            learner.take(await learner.who.open("", f"room={code}&v=1"))
            buttons = [each.id for kind, each in first.widgets if kind == "button"]
            for forged in [*buttons, *(each.replace("_1_1_", "_1_1_9") for each in buttons)]:
                answer = await learner.send((forged, "trigger_value", True))
                assert answer.exceptions == []
        assert store.counts(code, 1, 4) == {1: [0, 1, 0, 0]}
        assert (store.read(code).joined, store.read(code).step) == (1, 2)

    with running_server() as server:
        finish(attack(server))
    store.dispose()
