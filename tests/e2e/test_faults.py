import asyncio
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from components.base.link import VERSION

from .page_actions import LESSONS, path_of
from .server_processes import APP, Server, running_server
from .websocket_client import finish, visitor

NOBODY = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]


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


def test_every_page_works_without_a_home_folder_and_libraries_are_lazy(homeless):
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
