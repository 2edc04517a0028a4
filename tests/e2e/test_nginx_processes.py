"""Two processes behind nginx: learners are spread over them, stay on theirs, and survive the loss of one."""

import re
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from urllib.parse import parse_qs

import pytest
from playwright.sync_api import Page, expect
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.sync.client import connect

from .behind_nginx import Fleet, ask, running_fleet
from .page_actions import (
    at_rest,
    entry,
    in_address,
    no_traceback,
    text_area,
    type_number,
    type_text,
    upload_words,
    visit,
)

COOKIE = "embedding_lab_process"
SECONDS = 40  # for what takes a moment on a busy machine
PAGES = ("tokens", "windows", "lookup", "one_hot", "combine")


@pytest.fixture(scope="module")
def fleet(browser, tmp_path_factory) -> Iterator[Fleet]:
    with running_fleet(tmp_path_factory.mktemp("nginx")) as running:
        yield running


def wait_until(true: Callable[[], object], what: str) -> None:
    """Wait until a condition is true."""
    until = time.monotonic() + SECONDS
    while not true():
        assert time.monotonic() < until, f"not within {SECONDS} s: {what}"
        time.sleep(0.1)


def newcomer(fleet: Fleet) -> str:
    """Request the page without a cookie, and return the process that the answer names."""
    _, headers, _ = ask(fleet.address)
    return re.search(rf"{COOKIE}=(\d+)", headers["set-cookie"])[1]


def process_of(page: Page) -> str:
    """Return the process that a browser's cookie names."""
    return {cookie["name"]: cookie["value"] for cookie in page.context.cookies()}[COOKIE]


@dataclass
class Learner(threading.Thread):
    """A learner without a browser: opens page after page, and reconnects with the same address if disconnected."""

    fleet: Fleet
    number: int
    process: str = ""
    seen: list[tuple[str, int]] = field(default_factory=list)  # text and seed on every page
    processes: list[str] = field(default_factory=list)  # those it was connected to, in order
    problems: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__(daemon=True)
        self.leaving = threading.Event()

    __hash__ = threading.Thread.__hash__

    @property
    def text(self) -> str:
        return f"the words of learner {self.number}"

    def run(self) -> None:
        self.process = self.process or newcomer(self.fleet)
        while not self.leaving.is_set():
            try:
                with connect(
                    self.fleet.stream,
                    subprotocols=["streamlit"],
                    additional_headers={"Cookie": f"{COOKIE}={self.process}"},
                    max_size=None,
                    origin=self.fleet.address,
                ) as stream:
                    if moved := stream.response.headers.get("Set-Cookie"):
                        self.process = re.search(rf"{COOKIE}=(\d+)", moved)[1]
                    self.processes.append(self.process)
                    while not self.leaving.is_set():
                        self.open_page(stream, PAGES[len(self.seen) % len(PAGES)])
                        self.leaving.wait(0.5)
            except (ConnectionClosed, InvalidHandshake, OSError):
                self.leaving.wait(0.3)

    def open_page(self, stream, page: str) -> None:
        """Open a page by an address with text and seed, and store those that it shows."""
        message = BackMsg()
        message.rerun_script.page_name = page
        message.rerun_script.query_string = f"seed={1_000 + self.number}&text={self.text.replace(' ', '+')}"
        stream.send(message.SerializeToString())
        text, seed = "", 0
        while True:
            answer = ForwardMsg()
            answer.ParseFromString(stream.recv())
            element = answer.delta.new_element
            kind = element.WhichOneof("type")
            if answer.HasField("page_info_changed"):
                seed = int(parse_qs(answer.page_info_changed.query_string)["seed"][0])
            if kind == "button" and element.button.id.endswith("-panel_text"):
                text = element.button.label
            if kind == "exception":
                self.problems.append(element.exception.message)
            if answer.WhichOneof("type") == "script_finished":
                self.seen.append((text, seed))
                return

    def leave(self) -> None:
        self.leaving.set()
        self.join(SECONDS)


def test_lost_process_loses_no_text_and_no_settings(fleet, new_learner):
    first, second = fleet.processes
    learners = [Learner(fleet, number) for number in range(6)]
    pages = [new_learner() for _ in range(4)]
    try:
        for learner in learners:
            learner.start()
            wait_until(lambda learner=learner: learner.seen or learner.problems, "a learner is in")
        assert sorted(learner.processes[0] for learner in learners) == sorted([first, second] * 3)

        for number, page in enumerate(pages):
            visit(page, fleet.address, "tokens", f"vocab_size={60 + number}&dim=8")
            type_text(page, f"typed by page {number}")
            in_address(page, text=f"typed by page {number}")
            type_number(page, "Seed", 70 + number)
            in_address(page, seed=str(70 + number))
        assert sorted(map(process_of, pages)) == sorted([first, second] * 2)

        lost = process_of(pages[0])
        start = time.monotonic()
        fleet.processes[lost].kill()
        counts = [len(learner.seen) for learner in learners]
        for learner, count in zip(learners, counts, strict=True):
            wait_until(lambda learner=learner, count=count: len(learner.seen) > count, "a learner goes on")
        print(f"all six streams go on after {time.monotonic() - start:.1f} s")
        for number, page in enumerate(pages):
            wait_until(lambda page=page: process_of(page) != lost, "the browser has another process")
            expect(page.locator("[data-testid=stApp][data-test-connection-state=CONNECTED]")).to_be_attached()
            at_rest(page)
            expect(text_area(page)).to_have_value(f"typed by page {number}")
            expect(entry(page, "V")).to_have_value(str(60 + number))
            expect(entry(page, "Seed")).to_have_value(str(70 + number))
            type_number(page, "Seed", 80 + number)
            in_address(page, seed=str(80 + number), text=f"typed by page {number}")
            no_traceback(page)
        assert {len(learner.processes) for learner in learners if learner.processes[0] == lost} == {2}
        assert {len(learner.processes) for learner in learners if learner.processes[0] != lost} == {1}

        fleet.processes[lost].start()
        wait_until(lambda: newcomer(fleet) == lost, "newcomers come to it again")
        learners.append(Learner(fleet, 6, process=lost))
        learners[-1].start()
        wait_until(lambda: learners[-1].seen, "a newcomer is in")
        assert learners[-1].processes == [lost]
    finally:
        for learner in learners:
            learner.leave()
    for learner in learners:
        assert learner.problems == []
        assert set(learner.seen) == {(learner.text, 1_000 + learner.number)}


def test_upload_reaches_the_process_of_its_session(fleet, new_learner):
    pages = [new_learner() for _ in range(2)]
    for page in pages:
        visit(page, fleet.address, "word2vec", "vectors=upload")
        upload_words(page)
    assert len(set(map(process_of, pages))) == 2


def test_without_any_process_a_page_says_so(tmp_path):
    with running_fleet(tmp_path, 1) as alone:
        ((port, process),) = alone.processes.items()
        process.kill()
        for cookie in ("", f"{COOKIE}={port}"):
            status, headers, page = ask(f"{alone.address}/tokens", Cookie=cookie)
            assert (status, "Server not available" in page) == (502, True)
            assert 1 <= int(headers["refresh"]) <= 35
