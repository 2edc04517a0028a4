"""Three replicas behind nginx: learners are spread over them, stay on theirs, and survive the loss of one."""

import re
import threading
import time
from contextlib import ExitStack
from dataclasses import dataclass, field
from urllib.parse import parse_qs

import pytest
from playwright.sync_api import expect

from tests.skipping import skip_or_fail

from .multi_process import Fleet, ask, find_nginx, running_fleet
from .page_actions import (
    at_rest,
    drawn,
    entry,
    in_address,
    no_traceback,
    text_area,
    type_number,
    type_text,
    upload_words,
    visit,
)

SECONDS = 40  # for what takes a moment on a busy machine
PAGES = ("tokens", "windows", "lookup", "one_hot", "combine")


@pytest.fixture(scope="module", autouse=True)
def nginx():
    if not find_nginx():
        skip_or_fail("nginx is not installed: nobody shares learners out.")


@pytest.fixture(scope="module")
def fleet(browser, tmp_path_factory):
    with running_fleet(tmp_path_factory.mktemp("fleet")) as running:
        yield running


def wait_until(true, what: str) -> None:
    """Wait until a condition is true."""
    until = time.monotonic() + SECONDS
    while not true():
        assert time.monotonic() < until, f"not within {SECONDS} s: {what}"
        time.sleep(0.1)


def newcomer(fleet: Fleet) -> tuple[int, dict[str, str]]:
    """Request the page without a cookie; return the status and the cookies of the answer."""
    status, headers, _ = ask(fleet.address)
    return status, dict(re.findall(r"(embedding_lab_\w+)=([\w-]+)", headers.get("set-cookie", "")))


@dataclass
class Learner(threading.Thread):
    """A learner without a browser: opens page after page, and reconnects with the same address if disconnected."""

    fleet: Fleet
    number: int
    cookies: dict[str, str] = field(default_factory=dict)
    seen: list[tuple[str, int]] = field(default_factory=list)  # text and seed on every page
    replicas: list[str] = field(default_factory=list)  # those it was connected to, in order
    problems: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__(daemon=True)
        self.leaving = threading.Event()

    __hash__ = threading.Thread.__hash__

    @property
    def text(self) -> str:
        return f"the words of learner {self.number}"

    def arrive(self) -> str:
        """Load the page without cookies, and return its replica."""
        self.cookies = newcomer(self.fleet)[1]
        return self.cookies["embedding_lab_replica"]

    def run(self) -> None:
        from websockets.exceptions import ConnectionClosed, InvalidHandshake
        from websockets.sync.client import connect

        if not self.cookies:
            self.arrive()
        stream = self.fleet.address.replace("http", "ws") + "/_stcore/stream"
        while not self.leaving.is_set():
            sent = {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())}
            try:
                with connect(
                    stream,
                    subprotocols=["streamlit"],
                    additional_headers=sent,
                    max_size=None,
                    origin=self.fleet.address,
                ) as socket:
                    moved = socket.response.headers.get("Set-Cookie")
                    if moved:
                        self.cookies["embedding_lab_replica"] = moved.split(";")[0].split("=")[1]
                    self.replicas.append(self.cookies["embedding_lab_replica"])
                    while not self.leaving.is_set():
                        self.open_page(socket, PAGES[len(self.seen) % len(PAGES)])
                        self.leaving.wait(0.5)
            except (ConnectionClosed, InvalidHandshake, OSError):
                self.leaving.wait(0.3)

    def open_page(self, socket, page: str) -> None:
        """Open a page by an address with text and seed, and keep those that it shows."""
        from streamlit.proto.BackMsg_pb2 import BackMsg
        from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

        message = BackMsg()
        message.rerun_script.page_name = page
        message.rerun_script.query_string = f"seed={1_000 + self.number}&text={self.text.replace(' ', '+')}"
        socket.send(message.SerializeToString())
        text, seed = "", 0
        while True:
            answer = ForwardMsg()
            answer.ParseFromString(socket.recv())
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


def replica_of(page) -> str:
    cookies = {cookie["name"]: cookie["value"] for cookie in page.context.cookies()}
    return cookies["embedding_lab_replica"]


def test_lost_replica_loses_no_text_and_no_settings(fleet, new_learner):
    learners = [Learner(fleet, number) for number in range(6)]
    pages = [new_learner() for _ in range(3)]
    try:
        for learner in learners:
            learner.start()
            wait_until(lambda learner=learner: learner.seen or learner.problems, "a learner is in")
        assert sorted(learner.replicas[0] for learner in learners) == list("aabbcc")

        for number, page in enumerate(pages):
            visit(page, fleet.address, "tokens", f"vocab_size={60 + number}&dim=8")
            type_text(page, f"typed by page {number}")
            in_address(page, text=f"typed by page {number}")
            type_number(page, "Seed", 70 + number)
            in_address(page, seed=str(70 + number))
        assert sorted(map(replica_of, pages)) == list("abc")
        assert fleet.taken() == {"a": 3, "b": 3, "c": 3}

        lost = replica_of(pages[0])
        fleet.replicas[lost].kill()
        left = [name for name in "abc" if name != lost]
        wait_until(lambda: sum(fleet.taken().values()) == 9, "all nine are back")
        for page_number, page in enumerate(pages):
            at_rest(page)
            assert replica_of(page) in left
            expect(text_area(page)).to_have_value(f"typed by page {page_number}")
            expect(entry(page, "V")).to_have_value(str(60 + page_number))
            expect(entry(page, "Seed")).to_have_value(str(70 + page_number))
            type_number(page, "Seed", 80 + page_number)
            in_address(page, seed=str(80 + page_number), text=f"typed by page {page_number}")
            no_traceback(page)
        for learner in learners:
            before = len(learner.seen)
            wait_until(lambda learner=learner, before=before: len(learner.seen) > before, "a learner goes on")
        assert [len(learner.replicas) for learner in learners if learner.replicas[0] == lost] == [2, 2]
        assert [len(learner.replicas) for learner in learners if learner.replicas[0] != lost] == [1, 1, 1, 1]

        fleet.replicas[lost].start()
        back = Learner(fleet, 6)
        wait_until(lambda: back.arrive() == lost, "newcomers come to it again")
        learners.append(back)
        back.start()
        wait_until(lambda: back.seen, "a newcomer is in")
        assert back.replicas == [lost]
    finally:
        for learner in learners:
            learner.leave()
    for learner in learners:
        assert learner.problems == []
        assert set(learner.seen) == {(learner.text or "", 1_000 + learner.number)}


def test_upload_reaches_the_replica_of_its_session(fleet, new_learner):
    pages = [new_learner() for _ in range(3)]
    for page in pages:
        visit(page, fleet.address, "word2vec", "vectors=upload")
        upload_words(page)
    assert len(set(map(replica_of, pages))) > 1


def test_link_with_the_longest_text_passes_nginx(fleet, new_learner):
    page = new_learner()
    text = "x" * 2_999
    visit(page, fleet.address, "tokens", f"text={text}")
    expect(text_area(page)).to_have_value(text)
    page.reload()
    drawn(page, "tokens")
    status, _, _ = ask(f"{fleet.address}/tokens?packed_text={'A' * 9_000}", referer=f"{fleet.address}/{'A' * 9_000}")
    assert status == 200


def test_log_of_nginx_does_not_contain_the_text(fleet):
    assert ask(f"{fleet.address}/tokens?text=sesame", referer=f"{fleet.address}/?text=sesame")[0] == 200
    log = fleet.folder / "embedding-lab.log"
    wait_until(lambda: "GET /tokens" in log.read_text("utf-8"), "the request is in the log")
    assert "sesame" not in log.read_text("utf-8")


def test_new_sessions_are_refused_only_if_all_replicas_are_full(browser, tmp_path):
    from websockets.exceptions import InvalidStatus
    from websockets.sync.client import connect

    with running_fleet(tmp_path, EMBEDDING_LAB_SESSIONS="1") as fleet, ExitStack() as inside:
        stream = fleet.address.replace("http", "ws") + "/_stcore/stream"
        # All of them have the cookie of replica a.
        options = {"subprotocols": ["streamlit"], "additional_headers": {"Cookie": "embedding_lab_replica=a"}}
        sockets = [inside.enter_context(connect(stream, **options)) for _ in range(3)]
        assert fleet.taken() == {"a": 1, "b": 1, "c": 1}
        for _ in range(3):
            status, headers, page = ask(fleet.address)
            assert (status, "Full for the moment" in page) == (503, True)
            assert "retry-after" in headers
        with pytest.raises(InvalidStatus, match="503"), connect(stream, **options):
            pass
        sockets[1].close()
        wait_until(lambda: newcomer(fleet)[0] == 200, "the place is given to a newcomer")
