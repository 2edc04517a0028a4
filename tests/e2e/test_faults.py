"""The app of a user without a home folder: every page works, tries to reach no other machine, and imports lazily."""

import asyncio
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from components.base.link import VERSION

from .page_actions import LESSONS, path_of, title_of
from .server_processes import APP, ROOT, Server, running_server
from .websocket_client import finish, visitor

NOBODY = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
# Python imports a module of this name at its start: it records each name looked up, connection and port opened.
SITECUSTOMIZE = """
import sys

def record(event, args):
    if event in ("socket.bind", "socket.connect", "socket.getaddrinfo", "socket.gethostbyname"):
        with open(__file__.replace("sitecustomize.py", "connections"), "a") as file:
            print(event, args, file=file)

sys.addaudithook(record)
"""
OWN_MACHINE = ("127.0.0.1", "'localhost'", "'::'", "::1")


@pytest.fixture
def recorder() -> Iterator[Path]:
    """A folder with a program that records connections into a file beside it."""
    with tempfile.TemporaryDirectory() as name:  # other users cannot read pytest's own folders
        folder = Path(name)
        folder.chmod(0o755)
        (folder / "sitecustomize.py").write_text(SITECUSTOMIZE)
        (folder / "connections").touch()
        (folder / "connections").chmod(0o666)
        yield folder


@pytest.fixture
def homeless(recorder) -> Iterator[Server]:
    """The app of a user whose home folder does not exist and cannot be made, started as the README does."""
    if not shutil.which("setpriv") or subprocess.run([*NOBODY, "true"], capture_output=True).returncode:
        pytest.skip("setpriv is not permitted here: the app cannot be run by another user.")
    home = Path(tempfile.mkdtemp())
    home.chmod(0o555)
    env = {"HOME": f"{home}/missing", "TIKTOKEN_CACHE_DIR": f"{home}/missing/tables", "PYTHONDONTWRITEBYTECODE": "1"}
    env |= {"EMBEDDING_LAB_CACHE": "", "XDG_CACHE_HOME": "", "XDG_CONFIG_HOME": "", "PYTHONPATH": f"{recorder}:{ROOT}"}
    command = [*NOBODY, *(part for part in APP if part not in ("--server.address", "127.0.0.1"))]
    with running_server(command, env=env) as server:
        yield server
        print(server.log())  # shown with the test if it has failed
    assert list(home.iterdir()) == []
    home.rmdir()


def loaded(server: Server, library: str) -> bool:
    """Return whether the server has loaded compiled code of this library."""
    return f"/{library}/" in Path(f"/proc/{server.process.pid}/maps").read_text()


def test_pages_work_offline_without_home_folder_and_load_lazily(homeless, recorder):
    """Pandas would take 45 MB, and altair fails in another session while it is half imported; gensim takes 67 MB."""

    async def open_all() -> None:
        async with visitor(homeless) as first, visitor(homeless) as second:
            for page in ("lookup", "tokens", ""):
                answers = await asyncio.gather(first.open(page), second.open(page))
                assert [answer.exceptions for answer in answers] == [[], []]
            assert not loaded(homeless, "pandas")
            for lesson in sorted(LESSONS, key=lambda lesson: lesson == "word2vec"):
                assert not loaded(homeless, "gensim")
                elements = (await first.open(path_of(lesson))).elements
                shown = [(kind, each.body) for kind, each in elements if kind in ("heading", "alert", "exception")]
                assert shown == [("heading", title_of(lesson))]
            assert loaded(homeless, "gensim")
            offers = (
                ("vectors=glove-wiki-gigaword-50", "word2vec", "69.2 MB", rb"EMBEDDING\_LAB\_CACHE"),
                ("tokenizer=cl100k_base", "tokens", "1.7 MB", rb"TIKTOKEN\_CACHE\_DIR"),
            )
            for link, page, size, variable in offers:
                offer = await first.follow(page, f"v={VERSION}&{link}")
                assert b"set the environment variable %s to another folder" % variable in b"".join(offer.raw)
                (button,) = (each for kind, each in offer.widgets if kind == "button" and size in each.label)
                assert button.disabled

    finish(open_all())
    assert "Traceback" not in homeless.log()
    printed = [line.split()[-1] for line in homeless.log().splitlines() if "URL: " in line]
    assert printed == [homeless.address.replace("127.0.0.1", "localhost")]
    connections = (recorder / "connections").read_text().splitlines()
    assert connections, "nothing was recorded"
    assert [line for line in connections if not any(own in line for own in OWN_MACHINE)] == []
