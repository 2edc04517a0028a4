"""The app on a faulty machine: no home folder, and a clock that jumps."""

import asyncio
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from email.utils import parsedate_to_datetime
from pathlib import Path
from urllib.request import urlopen

import pytest
from playwright.sync_api import expect

from tests.skipping import skip_or_fail

from .page_actions import LESSONS, path_of
from .server_processes import APP, Server, running_server
from .websocket_client import finish, visitor

NOBODY = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
DAY = 86_400


@pytest.fixture(params=["read-only", "missing"])
def homeless(request) -> Iterator[Server]:
    """The app of a user who cannot write to the home folder."""
    if not shutil.which("setpriv") or subprocess.run([*NOBODY, "true"], capture_output=True).returncode:
        pytest.skip("setpriv is not permitted here: the app cannot be run by another user.")
    home = Path(tempfile.mkdtemp())  # other users cannot read pytest's own folders
    home.chmod(0o555)
    env = {"HOME": str(home if request.param == "read-only" else home / "missing")}
    env |= {"EMBEDDING_LAB_CACHE": "", "XDG_CACHE_HOME": "", "XDG_CONFIG_HOME": "", "PYTHONDONTWRITEBYTECODE": "1"}
    env |= {"TIKTOKEN_CACHE_DIR": f"{env['HOME']}/tables"}
    with running_server([*NOBODY, *APP], env=env) as server:
        yield server
    assert list(home.iterdir()) == []
    home.rmdir()


def test_every_page_works_without_a_home_folder(homeless):
    async def open_all() -> None:
        async with visitor(homeless) as who:
            for lesson in LESSONS:
                assert (await who.open(path_of(lesson), "v=2&V=500")).exceptions == []
            offer = await who.follow("word2vec", "v=2&vectors=glove-wiki-gigaword-50")
            assert b"set the environment variable EMBEDDING\\_LAB\\_CACHE to another folder" in b"".join(offer.raw)
            (button,) = (each for kind, each in offer.widgets if kind == "button" and "69.2 MB" in each.label)
            assert button.disabled

    finish(open_all())
    assert "Traceback" not in homeless.log()


def test_change_of_page_does_not_load_pandas():
    """It would take 45 MB; and in another session altair fails while it is half imported."""

    async def turn(app: Server) -> None:
        async with visitor(app) as first, visitor(app) as second:
            for page in ("lookup", "tokens", ""):
                answers = await asyncio.gather(first.open(page), second.open(page))
                assert [answer.exceptions for answer in answers] == [[], []]

    with running_server() as fresh:
        finish(turn(fresh))
        assert [library.path for library in fresh.process.memory_maps() if "/pandas/" in library.path] == []


def clock_of(server: Server) -> float:
    """Return the server's time, which is a header of every answer."""
    with urlopen(f"{server.address}/_stcore/health", timeout=10) as answer:
        return parsedate_to_datetime(answer.headers["Date"]).timestamp()


def test_session_goes_on_when_the_clock_jumps(page, tmp_path):
    library = next(Path("/usr/lib").glob("*/faketime/libfaketime.so.1"), None)
    if library is None:
        skip_or_fail("faketime is not installed: the clock cannot jump.")
    ahead = tmp_path / "ahead"
    ahead.write_text("+0\n")
    env = {"LD_PRELOAD": str(library), "FAKETIME_TIMESTAMP_FILE": str(ahead), "FAKETIME_NO_CACHE": "1"}
    env |= {"FAKETIME_DONT_FAKE_MONOTONIC": "1", "DONT_FAKE_MONOTONIC": "1"}
    env |= {"FAKETIME_FORCE_MONOTONIC_FIX": "0"}  # a workaround for an old glibc: with it threads wait for seconds
    with running_server(env=env) as server:
        page.visit(server.address, "tokens", "V=5000&text=before")
        now = clock_of(server)
        for jump, V in ((DAY, "6000"), (-DAY, "7000")):
            ahead.write_text(f"{jump:+d}\n")
            while abs(clock_of(server) - (now + jump)) > DAY / 2:
                page.wait_for_timeout(50)
            page.type_number("V", V)
            page.in_address(vocab_size=V)
            page.text_area().fill(f"typed and then clicked, {jump}")
            page.sidebar_link("lookup").click(delay=100)
            page.in_address(text=f"typed and then clicked, {jump}", vocab_size=V)
            page.drawn("lookup")
            for lesson in ("training", "word2vec", "tokens"):
                page.follow(lesson)
            expect(page.text_area()).to_have_value(f"typed and then clicked, {jump}")
            expect(page.entry("V")).to_have_value(V)
            assert page.get_by_test_id("stException").count() == 0
        assert "Traceback" not in server.log()
