"""The app on a faulty machine: no home folder, and a clock that jumps."""

import asyncio
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from email.utils import parsedate_to_datetime
from pathlib import Path
from urllib.parse import parse_qs, quote_plus
from urllib.request import urlopen

import pytest

from components.base.link import VERSION
from tests.skipping import skip_or_fail

from .page_actions import LESSONS, path_of
from .server_processes import APP, Server, running_server
from .websocket_client import addresses, finish, visitor

NOBODY = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
DAY = 86_400
TEXT = "before the rain the cat and the dog sat by the river"


@pytest.fixture
def homeless() -> Iterator[Server]:
    """The app of a user whose home folder does not exist and cannot be made."""
    if not shutil.which("setpriv") or subprocess.run([*NOBODY, "true"], capture_output=True).returncode:
        pytest.skip("setpriv is not permitted here: the app cannot be run by another user.")
    home = Path(tempfile.mkdtemp())  # other users cannot read pytest's own folders
    home.chmod(0o555)
    env = {"HOME": f"{home}/missing", "TIKTOKEN_CACHE_DIR": f"{home}/missing/tables", "PYTHONDONTWRITEBYTECODE": "1"}
    env |= {"EMBEDDING_LAB_CACHE": "", "XDG_CACHE_HOME": "", "XDG_CONFIG_HOME": ""}
    with running_server([*NOBODY, *APP], env=env) as server:
        yield server
    assert list(home.iterdir()) == []
    home.rmdir()


def loaded(server: Server, library: str) -> bool:
    """Return whether the server has loaded compiled code of this library."""
    return f"/{library}/" in Path(f"/proc/{server.process.pid}/maps").read_text()


def test_every_page_works_without_a_home_folder_and_loads_large_libraries_only_when_needed(homeless):
    """Pandas would take 45 MB, and altair fails in another session while it is half imported; gensim takes 67 MB."""

    async def open_all() -> None:
        async with visitor(homeless) as first, visitor(homeless) as second:
            for page in ("lookup", "tokens", ""):
                answers = await asyncio.gather(first.open(page), second.open(page))
                assert [answer.exceptions for answer in answers] == [[], []]
            assert not loaded(homeless, "pandas")
            for lesson in sorted(LESSONS, key=lambda lesson: lesson == "word2vec"):
                assert not loaded(homeless, "gensim")
                assert (await first.open(path_of(lesson), f"v={VERSION}&V=500")).exceptions == []
            assert loaded(homeless, "gensim")
            offer = await first.follow("word2vec", f"v={VERSION}&vectors=glove-wiki-gigaword-50")
            assert b"set the environment variable EMBEDDING\\_LAB\\_CACHE to another folder" in b"".join(offer.raw)
            (button,) = (each for kind, each in offer.widgets if kind == "button" and "69.2 MB" in each.label)
            assert button.disabled

    finish(open_all())
    assert "Traceback" not in homeless.log()


def clock_of(server: Server) -> float:
    """Return the server's time, which is a header of every answer."""
    with urlopen(f"{server.address}/_stcore/health", timeout=10) as answer:
        return parsedate_to_datetime(answer.headers["Date"]).timestamp()


def test_session_goes_on_when_the_clock_jumps(tmp_path):
    library = next(Path("/usr/lib").glob("*/faketime/libfaketime.so.1"), None)
    if library is None:
        skip_or_fail("faketime is not installed: the clock cannot jump.")
    ahead = tmp_path / "ahead"
    ahead.write_text("+0\n")
    env = {"LD_PRELOAD": str(library), "FAKETIME_TIMESTAMP_FILE": str(ahead), "FAKETIME_NO_CACHE": "1"}
    env |= {"FAKETIME_DONT_FAKE_MONOTONIC": "1", "DONT_FAKE_MONOTONIC": "1"}
    env |= {"FAKETIME_FORCE_MONOTONIC_FIX": "0"}  # a workaround for an old glibc: with it threads wait for seconds
    # If only the date is faked, the library refuses every sleep of Python; select waits in another way.
    (tmp_path / "sitecustomize.py").write_text(
        "import select, time\ntime.sleep = lambda s: select.select([], [], [], s)"
    )
    env |= {"PYTHONPATH": str(tmp_path)}

    async def go_on(server: Server) -> None:
        async with visitor(server) as who:
            await who.open("windows", f"seed=5&text={quote_plus(TEXT)}")
            now = clock_of(server)
            for jump, T, steps in ((DAY, 6, 200), (-DAY, 7, 400)):  # another T is another model
                ahead.write_text(f"{jump:+d}\n")
                while abs(clock_of(server) - (now + jump)) > DAY / 2:
                    await asyncio.sleep(0.05)
                answer = await who.change((who.last.widget("row_context_length.0").id, "double_value", T))
                for page in ("training", "windows"):
                    wanted = {"context_length": [str(T)], "seed": ["5"], "text": [TEXT]}
                    assert wanted.items() <= parse_qs(addresses(answer)[-1]).items()
                    answer = await who.open(page)
                    assert answer.exceptions == []
                    if page == "training":
                        training = asyncio.create_task(who.press("train"))
                        await asyncio.sleep(0.2)
                        ahead.write_text(f"{-jump:+d}\n")  # and the clock jumps while it trains
                        answer = await training
                        assert answer.exceptions == []
                        assert parse_qs(addresses(answer)[-1])["train_steps"] == [str(steps)]

    with running_server(env=env) as server:
        finish(go_on(server))
        assert "Traceback" not in server.log()
