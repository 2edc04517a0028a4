"""What nginx refuses, and that those who are inside go on: a full server, a flood, slow clients, large files."""

import asyncio
import http.client
import re
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager

import pytest
from playwright.sync_api import Page, expect
from websockets.asyncio.client import connect as connect_async
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from .behind_nginx import DEPLOY, Fleet, ask, running_fleet, running_nginx
from .page_actions import drawn, in_address, type_number, visit
from .websocket_client import finish, visitor

SESSIONS, HEADER, BODY = "limit_conn sessions 100", "client_header_timeout 10s", "client_body_timeout 15s"
BURST, RATE = 200, 20  # in deploy/nginx.conf
FLOOD = 500
MIB = 2**20
SCRIPT = "**/static/js/index*"  # without it a page is loaded and opens no stream
UPLOAD = "/_stcore/upload_file/session/file"

Behind = Callable[..., AbstractContextManager[Fleet]]


@pytest.fixture(scope="module")
def processes(browser, tmp_path_factory) -> Iterator[Fleet]:
    with running_fleet(tmp_path_factory.mktemp("nginx")) as running:
        yield running


@pytest.fixture
def behind(processes, tmp_path) -> Behind:
    """Return a function that starts another nginx in front of the same processes, with other limits."""
    return lambda limits: running_nginx(tmp_path, processes.processes, limits)


@contextmanager
def open_streams(fleet: Fleet, count: int) -> Iterator[list]:
    """Hold so many streams open, as sessions without a browser."""
    with ExitStack() as inside:
        yield [inside.enter_context(connect(fleet.stream, subprotocols=["streamlit"])) for _ in range(count)]


def wait_for(page: Page, true: Callable[[], object]) -> None:
    """Wait until a condition is true, and let the browser work meanwhile."""
    until = time.monotonic() + 20
    while not true():
        assert time.monotonic() < until
        page.wait_for_timeout(50)


def test_full_server_shows_its_page_and_keeps_those_inside(behind, new_learner):
    with behind({SESSIONS: "limit_conn sessions 3"}) as fleet:
        anna, ben = new_learner(), new_learner(color_scheme="dark")
        visit(anna, fleet.address, "lookup", "text=mine")
        with open_streams(fleet, 2) as others:
            status, headers, _ = ask(f"{fleet.address}/tokens?text=hers")
            assert (status, headers["cache-control"]) == (503, "no-store")
            assert 20 <= int(headers["retry-after"]) <= 35
            assert headers["refresh"] == headers["retry-after"]
            assert "'sha256-" in headers["content-security-policy"]
            assert "set-cookie" not in headers
            with pytest.raises(InvalidStatus, match="503"), connect(fleet.stream, subprotocols=["streamlit"]):
                pass
            for path in ("/_stcore/health", "/favicon.png", "/lookup/_stcore/host-config", "/media/a.png"):
                assert ask(fleet.address + path)[0] in (200, 404)
            assert ask(fleet.address + UPLOAD, "PUT")[0] == 403
            ben.goto(f"{fleet.address}/glossary?seed=5")
            expect(ben.get_by_role("heading", name="Server full")).to_be_visible()
            assert ben.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(18, 23, 30)"
            type_number(anna, "Seed", 9)
            in_address(anna, seed="9", text="mine")
            others[0].close()
            ben.get_by_role("link", name="Try again now").click()
            drawn(ben, "glossary")
            in_address(ben, seed="5")


def test_reload_on_a_full_server_comes_back_by_itself(behind, new_learner):
    with behind({SESSIONS: "limit_conn sessions 2"}) as fleet, open_streams(fleet, 1):
        anna = new_learner()
        visit(anna, fleet.address, "lookup", "seed=7")
        anna.reload()
        drawn(anna, "lookup")
        in_address(anna, seed="7")


def test_page_whose_stream_is_refused_connects_when_somebody_leaves(behind, new_learner):
    with behind({SESSIONS: "limit_conn sessions 2"}) as fleet:
        page, waiting = new_learner(), []
        page.route(SCRIPT, lambda route: waiting.append(route))
        page.goto(f"{fleet.address}/glossary", wait_until="commit")
        wait_for(page, lambda: waiting)
        with open_streams(fleet, 2) as others:
            page.unroute(SCRIPT)  # the waiting requests go on
            wait_for(page, lambda: '"GET /_stcore/stream" 503' in fleet.log())
            others[0].close()
            drawn(page, "glossary")


def test_invented_cookies_take_no_session(behind):
    with behind({SESSIONS: "limit_conn sessions 2"}) as fleet:
        for number in range(10_000, 10_060):
            assert ask(fleet.address, Cookie=f"embedding_lab_process={number}")[0] == 200
        with open_streams(fleet, 2):
            assert ask(fleet.address)[0] == 503


async def flooding(fleet: Fleet, count: int) -> int:
    """Open so many streams at once, close them, and return how many were refused."""

    async def one() -> bool:
        try:
            async with connect_async(fleet.stream, subprotocols=["streamlit"]):
                await asyncio.sleep(2)
            return False
        except InvalidStatus:
            return True

    return sum(await asyncio.gather(*(one() for _ in range(count))))


def test_flood_of_streams_is_refused_and_those_inside_go_on(behind):
    async def run(fleet: Fleet) -> tuple[int, int, float]:
        async with visitor(fleet.address) as who:
            await who.open("lookup")
            start = time.monotonic()
            flood = asyncio.create_task(flooding(fleet, FLOOD))
            moves, slowest = 0, 0.0
            while not flood.done():
                slowest = max(slowest, (await who.open("lookup", f"seed={moves}")).seconds)
                moves += 1
                await asyncio.sleep(0.2)
            seconds = time.monotonic() - start
            print(f"{flood.result()} of {FLOOD} refused in {seconds:.1f} s, {moves} moves, slowest {slowest:.2f} s")
            assert flood.result() >= FLOOD - BURST - RATE * (seconds + 1)
            assert moves >= 3
            await asyncio.sleep(0.2)
        async with visitor(fleet.address) as newcomer:
            assert (await newcomer.open("tokens")).exceptions == []

    with behind({SESSIONS: "limit_conn sessions 1000"}) as fleet:
        finish(run(fleet))


def test_class_of_two_hundred_may_open_at_once(behind):
    with behind({SESSIONS: "limit_conn sessions 1000"}) as fleet:
        assert finish(flooding(fleet, BURST)) == 0


@pytest.mark.parametrize(
    "sent",
    [
        b"GET / HTTP/1.1\r\nHost: lab\r\nX-Slow: ",
        f"PUT {UPLOAD} HTTP/1.1\r\nHost: lab\r\nContent-Length: 9000\r\n\r\nslow".encode(),
    ],
    ids=["header", "body"],
)
def test_slow_client_is_cut_off(behind, sent):
    with behind({HEADER: "client_header_timeout 1s", BODY: "client_body_timeout 1s"}) as fleet:
        with socket.create_connection(("127.0.0.1", int(fleet.address.rpartition(":")[2]))) as client:
            client.settimeout(5)
            client.sendall(sent)
            start = time.monotonic()
            try:
                end = client.recv(1_000)
            except ConnectionResetError:
                end = b""
        assert end == b"" or b" 408 " in end
        assert 0.5 < time.monotonic() - start < 4
        assert ask(f"{fleet.address}/_stcore/health")[0] == 200


def test_file_of_the_largest_size_passes_and_a_larger_one_is_refused(processes):
    largest = int(re.search(r"maxUploadSize = (\d+)", (DEPLOY.parent / ".streamlit/config.toml").read_text("utf-8"))[1])
    status, _, words = ask(processes.address + UPLOAD, "PUT", bytes(largest * MIB + 1_000))
    assert (status, "XSRF" in words) == (403, True)  # the app's answer to an upload of nobody's
    connection = http.client.HTTPConnection(processes.address.removeprefix("http://"), timeout=5)
    connection.putrequest("PUT", UPLOAD)
    connection.putheader("Content-Length", str((largest + 2) * MIB))
    connection.endheaders()
    answer = connection.getresponse()
    assert answer.status == 413
    assert (
        answer.read().decode()
        == f"This file is larger than {largest} MB, the limit of this server. Choose a smaller one.\n"
    )
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    connection.close()


@pytest.mark.parametrize(
    "path", ["/_stcore/metrics", "/lookup/_stcore/metrics", "/_stcore/agent/interact", "/full.html"]
)
def test_paths_for_machines_are_closed(processes, path):
    assert ask(processes.address + path)[0] == 404


def test_log_contains_no_query_and_no_referrer(processes):
    address = processes.address
    assert ask(f"{address}/tokens?text=sesame", Referer=f"{address}/?text=sesame")[0] == 200
    until = time.monotonic() + 5
    while "GET /tokens" not in processes.log() and time.monotonic() < until:
        time.sleep(0.05)
    assert '"GET /tokens" 200' in processes.log()
    assert "sesame" not in processes.log()
    for process in processes.processes.values():
        assert "sesame" not in process.log()
