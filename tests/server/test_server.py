"""What stands before the app: its policy, its headers, its places, and its answers when they are all taken."""

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.server.headers import SecurityHeaders
from components.server.limit import session_limit
from components.server.places import Places
from components.server.policy import content_security_policy, inline_scripts
from components.server.sessions import COOKIE, SessionLimit, browser_of, is_page
from components.server.uploads import UploadLimit

PROJECT = Path(__file__).parents[2]


class Clock:
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class Caller:
    """Calls an ASGI app as a server would, and keeps what it says."""

    def __init__(self, app) -> None:
        self.app = app

    def http(
        self, path: str, method: str = "GET", cookie: str = "", length: str = ""
    ) -> tuple[int, dict[str, str], str]:
        headers = cookie_header(cookie) + ([(b"content-length", length.encode())] if length else [])
        scope = {"type": "http", "method": method, "path": path, "headers": headers, "scheme": "http"}
        said = asyncio.run(self.run(scope))
        headers = {name.decode(): value.decode() for name, value in said[0].get("headers", [])}
        return said[0]["status"], headers, b"".join(message.get("body", b"") for message in said[1:]).decode()

    async def run(self, scope: dict, receive=None) -> list[dict]:
        said = []

        async def send(message):
            said.append(message)

        async def connect():
            return {"type": "websocket.connect"}

        await self.app(scope, receive or connect, send)
        return said


def cookie_header(browser: str) -> list[tuple[bytes, bytes]]:
    return [(b"cookie", f"other=1; {COOKIE}={browser}; more=2".encode())] if browser else []


async def plain_app(scope, receive, send) -> None:
    """Answer everything with 200, and hold a WebSocket until told that it is closed."""
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.accept"})
        await receive()
        return
    await send({"type": "http.response.start", "status": 200, "headers": [(b"x-frame-options", b"SAMEORIGIN")]})
    await send({"type": "http.response.body", "body": b"the page"})


def held(places: Places, browser: str) -> None:
    assert places.enter(browser)


def stream(browser: str = "") -> dict:
    return {
        "type": "websocket",
        "path": "/_stcore/stream",
        "headers": cookie_header(browser),
        "extensions": {"websocket.http.response": {}},
    }


def test_loading_the_middleware_loads_no_streamlit():
    names = [f"components.server.{path.stem}" for path in (PROJECT / "components/server").glob("[a-z]*.py")]
    code = f"import sys, {', '.join(names)}; print('streamlit' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], cwd=PROJECT, capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "False"


def test_a_wrong_limit_is_named_in_one_sentence_at_the_start():
    run = subprocess.run(
        [sys.executable, "-c", "import serve"],
        cwd=PROJECT,
        env={"EMBEDDING_LAB_SESSIONS": "-3"},
        capture_output=True,
        text=True,
    )
    assert run.returncode == 1
    assert run.stderr == "EMBEDDING_LAB_SESSIONS = '-3' is not a whole number from 0; 0 or \"none\" means no limit.\n"


@given(st.text())
def test_a_limit_is_a_whole_number_or_a_sentence_says_why_not(value):
    try:
        limit = session_limit(value)
    except ValueError as error:
        limit = str(error)
    assert limit >= 0 if isinstance(limit, int) else "is not a whole number from 0" in limit


def test_the_policy_knows_the_inline_scripts_of_the_installed_streamlit():
    import streamlit

    page = (Path(streamlit.__file__).parent / "static" / "index.html").read_text("utf-8")
    scripts = inline_scripts(page)
    assert scripts
    assert all(f"<script>{script}</script>" in page for script in scripts)
    policy = content_security_policy(page)
    assert policy.count("'sha256-") == len(scripts)
    assert "'unsafe-inline'" not in policy.split("script-src")[1].split(";")[0]
    assert "'unsafe-eval'" not in policy


def test_every_answer_has_the_headers_and_keeps_its_own():
    app = SecurityHeaders(plain_app, "default-src 'self'")
    _, headers, _ = Caller(app).http("/any")
    assert headers["content-security-policy"] == "default-src 'self'"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "SAMEORIGIN"


def test_a_refusal_of_a_websocket_has_the_headers_too():
    places = Places(1)
    held(places, "")
    app = SecurityHeaders(SessionLimit(plain_app, places), "default-src 'self'")
    start, _ = asyncio.run(Caller(app).run(stream()))
    assert start["status"] == 503
    assert (b"x-content-type-options", b"nosniff") in start["headers"]
    assert b"retry-after" in dict(start["headers"])


def test_a_server_that_cannot_answer_a_websocket_with_a_status_closes_it():
    places = Places(1)
    held(places, "")
    said = asyncio.run(Caller(SessionLimit(plain_app, places)).run(stream() | {"extensions": {}}))
    assert [message["type"] for message in said] == ["websocket.close"]


def test_a_page_without_a_websocket_takes_no_place():
    places = Places(2)
    caller = Caller(SessionLimit(plain_app, places))
    assert {caller.http("/tokens")[0] for _ in range(20)} == {200}
    assert places.taken == 0


def test_a_session_takes_a_place_for_as_long_as_it_is_open():
    places = Places(1, kept_seconds=0)

    async def visit() -> list[int]:
        left = asyncio.Event()
        taken = []

        async def receive():
            if not taken:
                taken.append(places.taken)
                return {"type": "websocket.connect"}
            await left.wait()
            return {"type": "websocket.disconnect"}

        session = asyncio.create_task(Caller(SessionLimit(plain_app, places)).run(stream("anna"), receive))
        while not taken:
            await asyncio.sleep(0)
        left.set()
        await session
        return [*taken, places.taken]

    assert asyncio.run(visit()) == [1, 0]


def test_a_websocket_that_the_app_refuses_keeps_no_place():
    async def refusing(scope, receive, send):
        await send({"type": "websocket.close", "code": 1008})

    places = Places(1)
    asyncio.run(Caller(SessionLimit(refusing, places)).run(stream("anna")))
    assert places.taken == 0


def test_a_full_server_says_so_to_newcomers_and_only_to_them():
    places = Places(1)
    caller = Caller(SessionLimit(plain_app, places))
    held(places, "anna")
    status, headers, page = caller.http("/tokens")
    assert (status, headers["cache-control"]) == (503, "no-store")
    assert f'http-equiv="refresh" content="{headers["retry-after"]}"' in page
    assert 20 <= int(headers["retry-after"]) <= 40
    assert caller.http("/tokens", cookie="anna")[0] == 200
    assert caller.http("/tokens", cookie="ben")[0] == 503
    assert caller.http("/tokens", "HEAD")[2] == ""
    for path in ("/_stcore/health", "/static/js/index.js", "/media/a.png", "/tokens/_stcore/host-config"):
        assert caller.http(path)[0] == 200
    assert caller.http("/_stcore/upload_file/a/b", "PUT")[0] == 200


def test_readiness_says_whether_there_is_room():
    places = Places(2)
    caller = Caller(SessionLimit(plain_app, places))
    held(places, "anna")
    assert caller.http("/ready")[::2] == (200, "ready: 1 of 2 places taken\n")
    held(places, "ben")
    assert caller.http("/ready")[::2] == (503, "full: 2 of 2 places taken\n")


def test_without_a_limit_everybody_comes_in():
    places = Places(0)
    for _ in range(500):
        held(places, "")
    assert Caller(SessionLimit(plain_app, places)).http("/ready")[0] == 200


def test_a_browser_is_given_a_name_once_and_keeps_it():
    caller = Caller(SessionLimit(plain_app, Places(2)))
    cookie = caller.http("/")[1]["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    name = cookie.split(";")[0].removeprefix(f"{COOKIE}=")
    assert browser_of({"headers": cookie_header(name)}) == name
    assert "set-cookie" not in caller.http("/", cookie=name)[1]
    assert "set-cookie" not in caller.http("/static/js/index.js")[1]


def test_a_reload_finds_its_place_again_and_nobody_else_takes_it():
    clock = Clock()
    places = Places(1, clock=clock)
    held(places, "anna")
    assert places.may_open("anna")
    places.leave("anna")
    assert not places.enter("")
    assert not places.may_open("ben")
    held(places, "anna")
    assert places.taken == 1


def test_a_place_that_nobody_comes_back_for_is_given_away():
    clock = Clock()
    places = Places(1, clock=clock)
    held(places, "anna")
    places.leave("anna")
    clock.now += 29
    assert places.full
    clock.now += 2
    assert not places.full
    assert places.enter("")


def test_those_who_were_given_the_page_share_a_few_spare_places():
    places = Places(20)
    for _ in range(20):
        held(places, "")
    assert not places.enter("")
    assert [places.enter(f"late {number}") for number in range(3)] == [True, True, False]


@given(st.lists(st.tuples(st.sampled_from(["", "anna", "ben", "clara"]), st.booleans(), st.integers(0, 40))))
def test_there_are_never_more_sessions_than_places_and_spare_ones(moves):
    clock = Clock()
    places = Places(3, clock=clock)
    inside: list[str] = []
    for browser, comes, seconds in moves:
        clock.now += seconds
        if comes:
            came_back = any(whose == browser for until, whose in places.kept if until > clock.now)
            entered = places.enter(browser)
            assert entered or not (browser and came_back)
            inside += [browser] * entered
        elif browser in inside:
            inside.remove(browser)
            places.leave(browser)
        assert places.inside.total() == len(inside)
        assert places.taken <= places.limit + places.spare


@pytest.mark.parametrize("path", ["/", "/tokens", "/base/word2vec", "/index.html", "/tokens/"])
def test_the_address_of_a_lesson_is_a_page(path):
    assert is_page("GET", path)
    assert not is_page("POST", path)


@pytest.mark.parametrize("cookie", ["", f"x{COOKIE}=a", f"{COOKIE}=", f"{COOKIE}=a b", f"{COOKIE}={'a' * 65}"])
def test_a_browser_without_a_proper_name_has_none(cookie):
    assert browser_of({"headers": [(b"cookie", cookie.encode())]}) == ""


UPLOAD = "/_stcore/upload_file/a-session/a-file"


def test_uploads_are_taken_until_the_memory_for_them_is_used_up_and_again_later():
    clock = Clock()
    caller = Caller(UploadLimit(plain_app, most_bytes=100, seconds=60, clock=clock))
    assert [caller.http(UPLOAD, "PUT", length=size)[0] for size in ("60", "40", "1", "0")] == [200, 200, 429, 200]
    clock.now = 59.9
    status, headers, sentence = caller.http(UPLOAD, "PUT", length="1")
    assert (status, headers["retry-after"]) == (429, "60")
    assert "wait a little" in sentence
    clock.now = 60.0
    assert caller.http(UPLOAD, "PUT", length="100")[0] == 200


@pytest.mark.parametrize("length", ["", "-1", "1e9", "many"])
def test_an_upload_has_to_say_how_long_it_is(length):
    assert Caller(UploadLimit(plain_app)).http(UPLOAD, "PUT", length=length)[0] == 411


def test_what_is_no_upload_is_not_counted():
    caller = Caller(UploadLimit(plain_app, most_bytes=1))
    assert caller.http(UPLOAD, "DELETE", length="9")[0] == 200
    assert caller.http("/tokens", "GET", length="9")[0] == 200


def test_an_upload_that_the_app_refuses_takes_nothing_from_the_others():
    async def refusing(scope, receive, send):
        status = 413 if scope["path"].endswith("large") else 204
        await send({"type": "http.response.start", "status": status, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    caller = Caller(UploadLimit(refusing, most_bytes=100))
    sent = [("large", "90"), ("small", "60"), ("large", "30"), ("small", "40"), ("small", "1")]
    assert [caller.http(f"{UPLOAD}/{name}", "PUT", length=size)[0] for name, size in sent] == [413, 204, 413, 204, 429]
