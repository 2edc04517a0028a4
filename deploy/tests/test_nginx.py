"""Two processes of the app behind nginx: headers, learners who stay on their process, limits, and faults."""

import asyncio
import re
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager

import pytest
from playwright.sync_api import expect
from websockets.asyncio.client import connect as connect_async
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from deploy.tests.behind_nginx import DEPLOY, Fleet, ask, running_fleet, running_nginx
from tests.e2e.page_actions import LessonPage
from tests.e2e.server_processes import by_name
from tests.e2e.websocket_client import finish, visitor

SESSIONS, HEADER, BODY = "limit_conn sessions 100", "client_header_timeout 10s", "client_body_timeout 15s"
BURST, RATE, FLOOD = 200, 20, 400  # the first two are in deploy/nginx.conf
COOKIE = "embedding_lab_process"
SECONDS = 120  # for what takes a moment on a busy machine
UPLOAD = "/_stcore/upload_file/session/file"
VIOLATIONS = """window.violations = []; document.addEventListener("securitypolicyviolation",
    event => window.violations.push(`${event.violatedDirective}: ${event.blockedURI} ${event.sample}`))"""


@pytest.fixture(scope="module")
def fleet(browser, tmp_path_factory) -> Iterator[Fleet]:
    with running_fleet(tmp_path_factory.mktemp("nginx")) as running:
        yield running


@pytest.fixture
def behind(fleet, tmp_path) -> Callable[..., AbstractContextManager[Fleet]]:
    """Return a function that starts another nginx in front of the same processes, with other limits."""
    return lambda limits: running_nginx(tmp_path, fleet.processes, limits)


@contextmanager
def open_streams(fleet: Fleet, count: int) -> Iterator[list]:
    """Open this many streams, as sessions without a browser."""
    with ExitStack() as inside:
        yield [inside.enter_context(connect(fleet.stream, subprotocols=["streamlit"])) for _ in range(count)]


def until(condition: Callable[[], bool], wait: Callable[[int], object] = lambda ms: time.sleep(ms / 1_000)) -> None:
    """Wait until a condition holds; in the browser by its own way of waiting, for milliseconds."""
    last = time.monotonic() + SECONDS
    while not condition():
        assert time.monotonic() < last
        wait(50)


def sent_raw(fleet: Fleet, request: str) -> bytes:
    """Send a request that is not complete, and return what comes before the connection is closed."""
    with socket.create_connection(("127.0.0.1", int(fleet.address.rpartition(":")[2])), timeout=SECONDS) as client:
        client.sendall(request.replace("HTTP/1.1", "HTTP/1.1\nHost: lab").replace("\n", "\r\n").encode())
        try:
            return client.recv(9_999)
        except ConnectionResetError:
            return b""


# Headers and files


STATUS = {UPLOAD: 403, "/lookup/_stcore/metrics": 404, "/_stcore/metrics": 404, "/_stcore/agent/interact": 404}
STATUS |= {"/full.html": 404, "/": 200, "/tokens": 200, "/favicon.png": 200, "/_stcore/health": 200}


@pytest.mark.parametrize("path", STATUS)
def test_answer_of_open_or_closed_path_has_security_headers_once(fleet, path):
    status, headers, _ = ask(fleet.address + path, "PUT" if path == UPLOAD else "GET")
    assert status == STATUS[path]
    assert headers["content-security-policy"].count("'sha256-") == 1
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"
    assert "camera=()" in headers["permissions-policy"]
    assert headers["cross-origin-opener-policy"] == headers["cross-origin-resource-policy"] == "same-origin"


def test_pages_and_files_in_a_browser_do_not_violate_the_policy(fleet, page):
    page.context.clear_cookies()  # a newcomer
    page.add_init_script(VIOLATIONS)
    page.emulate_media(color_scheme="dark")
    errors = page.watch_console(fleet.address)

    def no_violation(name: str) -> None:
        page.at_rest()
        assert (errors, page.evaluate("window.violations")) == ([], []), name

    page.visit(fleet.address, "home", "dim=8&vocab_size=60&tokenizer=words&text=a+cat+and+a+hat&train_steps=1")
    for lesson in ("attention", "reproduce", "training", "word2vec", "lookup"):
        page.follow(lesson)
        no_violation(lesson)
    page.open_section("The code")
    expect(page.main.get_by_test_id("stCode").first).to_be_visible()
    with page.expect_download() as download:
        page.dialog("Download").get_by_role("button", name="Notebook").click()
    assert download.value.path().stat().st_size > 100
    no_violation("code and dialogs")
    page.visit(fleet.address, "word2vec", "vectors=upload")
    page.upload()
    expect(page.main).to_contain_text("5 words of your file")
    no_violation("upload")
    page.evaluate("document.head.append(Object.assign(document.createElement('script'), {text: 'window.ran = 1'}))")
    page.wait_for_function("window.violations.length > 0")  # an injected script
    assert page.evaluate("window.ran") is None
    page.visit(by_name(fleet.address), "lookup")  # an address that has a QR code
    picture = page.dialog("Share").get_by_test_id("stImage").locator("img").element_handle()
    page.wait_for_function("image => image.complete && image.naturalWidth > 0", arg=picture)
    assert page.evaluate("window.violations") == []


def test_largest_link_and_file_pass_and_a_larger_file_is_refused(fleet):
    status, _, _ = ask(f"{fleet.address}/tokens?packed_text={'A' * 9_000}", Referer=f"{fleet.address}/{'A' * 9_000}")
    assert status == 200
    largest = int(re.search(r"maxUploadSize = (\d+)", (DEPLOY.parent / ".streamlit/config.toml").read_text("utf-8"))[1])
    status, _, words = ask(fleet.address + UPLOAD, "PUT", bytes(largest * 2**20 + 1_000))
    assert (status, "XSRF" in words) == (403, True)  # the app's answer to an upload without a session
    answer = sent_raw(fleet, f"PUT {UPLOAD} HTTP/1.1\nContent-Length: {(largest + 2) * 2**20}\n\n").decode()
    assert " 413 " in answer
    assert "X-Content-Type-Options: nosniff" in answer
    assert answer.endswith(f"larger than {largest} MB, the limit of this server. Choose a smaller one.\n")


def test_log_contains_no_query_and_no_referrer(fleet):
    assert ask(f"{fleet.address}/tokens?text=sesame", Referer=f"{fleet.address}/?text=sesame")[0] == 200
    until(lambda: '"GET /tokens" 200' in fleet.log())
    assert "sesame" not in fleet.log() + "".join(process.log() for process in fleet.processes.values())


# Limits


def test_full_server_shows_its_page_and_keeps_those_inside(behind, page):
    page.context.clear_cookies()
    with behind({SESSIONS: "limit_conn sessions 3"}) as fleet, open_streams(fleet, 3) as others:
        for cookie in ("", f"{COOKIE}=12345"):  # an invented cookie takes no session
            status, headers, _ = ask(f"{fleet.address}/tokens?text=hers", Cookie=cookie)
            assert (status, headers["cache-control"]) == (503, "no-store")
            assert headers["refresh"] == headers["retry-after"]
            assert "'sha256-" in headers["content-security-policy"]
            assert "set-cookie" not in headers
            assert (20 <= int(headers["retry-after"]) <= 35) == (cookie == "")
        with pytest.raises(InvalidStatus, match="503"), connect(fleet.stream, subprotocols=["streamlit"]):
            pass
        for path in ("/_stcore/health", "/favicon.png", "/lookup/_stcore/host-config", "/media/a.png"):
            assert ask(fleet.address + path)[0] in (200, 404)
        assert ask(fleet.address + UPLOAD, "PUT")[0] == 403
        page.goto(f"{fleet.address}/lookup?text=mine")
        expect(page.get_by_role("heading", name="Server full")).to_be_visible()
        others[0].close()
        page.get_by_role("link", name="Try again now").click()
        page.drawn("lookup")
        assert ask(f"{fleet.address}/tokens")[0] == 503
        page.type_number("Seed", 9)
        page.in_address(seed="9", text="mine")
        page.reload()  # refused once, since the page is requested before the old stream is closed
        page.drawn("lookup")
        page.in_address(seed="9", text="mine")


def test_flood_of_streams_is_refused_and_those_inside_go_on(behind):
    async def is_refused(fleet: Fleet) -> bool:
        try:
            async with connect_async(fleet.stream, subprotocols=["streamlit"], open_timeout=SECONDS):
                await asyncio.sleep(1)
            return False
        except InvalidStatus:
            return True

    async def run(fleet: Fleet) -> None:
        async with visitor(fleet.address) as inside:
            await inside.open("lookup")
            start = time.monotonic()
            flood = asyncio.gather(*(is_refused(fleet) for _ in range(FLOOD)))
            assert (await inside.open("lookup", "seed=5")).exceptions == []
            refused = sum(await flood)
            assert FLOOD - BURST - RATE * (time.monotonic() - start + 1) <= refused <= FLOOD - BURST + 1
        async with visitor(fleet.address) as newcomer:
            assert (await newcomer.open("tokens")).exceptions == []

    with behind({SESSIONS: "limit_conn sessions 1000"}) as fleet:
        finish(run(fleet))


def test_slow_client_is_cut_off(behind):
    with behind({HEADER: "client_header_timeout 1s", BODY: "client_body_timeout 1s"}) as fleet:
        for sent in ("GET / HTTP/1.1\nX-Slow: ", f"PUT {UPLOAD} HTTP/1.1\nContent-Length: 9000\n\nslow"):
            start = time.monotonic()
            end = sent_raw(fleet, sent)
            assert end == b"" or b" 408 " in end
            assert time.monotonic() - start > 0.5
        assert ask(f"{fleet.address}/_stcore/health")[0] == 200


# Processes that are killed


def process_of_newcomer(fleet: Fleet) -> str:
    return next(iter(re.findall(rf"{COOKIE}=(\d+)", ask(fleet.address)[1].get("set-cookie", ""))), "")


def process_of(page: LessonPage) -> str:
    return {cookie["name"]: cookie["value"] for cookie in page.context.cookies()}[COOKIE]


def test_learner_of_a_killed_process_goes_on_at_the_other(fleet, page):
    assert {process_of_newcomer(fleet) for _ in range(4)} == {*fleet.processes}
    page.context.clear_cookies()
    page.visit(fleet.address, "tokens", "vocab_size=60&dim=8")
    page.type_text("typed by hand")
    page.in_address(text="typed by hand")
    lost = process_of(page)
    fleet.processes[lost].kill()
    until(lambda: process_of(page) != lost, page.wait_for_timeout)
    expect(page.get_by_role("textbox", name="Your text")).to_have_count(0)  # on the new session's page
    expect(page.text_area()).to_have_value("typed by hand")
    page.type_number("Seed", 80)
    page.in_address(seed="80", text="typed by hand", vocab_size="60", dim="8")
    page.visit(fleet.address, "word2vec", "vectors=upload")
    page.upload()  # reaches the process of its session
    (other,) = {*fleet.processes} - {lost}
    fleet.processes[other].kill()
    for cookie in ("", f"{COOKIE}={lost}"):
        status, headers, words = ask(f"{fleet.address}/tokens", Cookie=cookie)
        assert (status, "Server not available" in words) == (502, True)
        assert 1 <= int(headers["refresh"]) <= 35
    fleet.processes[lost].start()
    until(lambda: process_of_newcomer(fleet) == lost)  # nginx tries a process again some seconds after a failure
