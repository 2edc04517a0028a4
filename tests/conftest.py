"""The profile of hypothesis, files outside the project that tests compare with, and disks that are full or closed."""

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache as cached
from importlib import metadata
from pathlib import Path

import pytest
from hypothesis import settings

from components.downloads import download
from tests.faulty_server import running_http_server
from tests.gpt2_server import MadeUpFile, RangeHandler
from tests.skipping import shared_file
from tests.toy_tokenizer import toy_tokenizer  # noqa: F401

settings.register_profile("no_deadline", deadline=None)
settings.load_profile("no_deadline")

# Streamlit looks for components in the metadata of all packages, for each session of AppTest, which takes 0.2 s.
INSTALLED = [*metadata.distributions()]
metadata.distributions = lambda **narrowed: metadata.Distribution.discover(**narrowed) if narrowed else INSTALLED
metadata.Distribution.metadata = property(cached(metadata.Distribution.metadata.fget))
metadata.Distribution.files = property(cached(metadata.Distribution.files.fget))


@pytest.fixture(scope="session", autouse=True)
def no_network_and_empty_caches(tmp_path_factory) -> Iterator[None]:
    """Block the internet for states with GPT-2's table, and the user's own caches for all states."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("EMBEDDING_LAB_GPT2_URL", "http://127.0.0.1:1/model.safetensors")
        for cache_of in ("EMBEDDING_LAB_CACHE", "TIKTOKEN_CACHE_DIR"):
            patch.setenv(cache_of, str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="session")
def golden() -> dict:
    return json.loads(shared_file("golden.json").read_bytes())


@pytest.fixture(scope="session")
def story() -> str:
    return shared_file("data/the-verdict.txt").read_bytes().decode("utf-8")


@pytest.fixture
def cache(monkeypatch, tmp_path) -> Path:
    """An empty folder for tokenizers and word vectors."""
    folder = tmp_path / "cache"
    folder.mkdir()
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(folder))
    monkeypatch.setenv("EMBEDDING_LAB_CACHE", str(folder))
    return folder


@contextmanager
def disk_at(folder: Path, options: str) -> Iterator[Path]:
    """Mount a disk of its own at a folder; if that is not permitted the test skips."""
    if subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)], capture_output=True).returncode:
        pytest.skip("mount is not permitted here: no disk can be made that is full, or closed even for root.")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


@pytest.fixture
def small_disk(cache) -> Iterator[Path]:
    """The same folder, on a disk of a megabyte."""
    with disk_at(cache, "size=1000000") as disk:
        yield disk


@pytest.fixture
def closed_folder(cache) -> Iterator[Path]:
    """The same folder, without permission to write, even for root."""
    with disk_at(cache, "ro") as disk:
        yield disk


@pytest.fixture
def no_downloads(monkeypatch) -> Iterator:
    """No file has been downloaded by this process yet, and servers of tests are asked without a proxy."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setattr(download, "_downloads", {})
    yield
    for each in download._downloads.values():
        each.cancel()


@pytest.fixture
def gpt2(monkeypatch, cache, no_downloads) -> Iterator:
    """A server with a made-up GPT-2."""
    with running_http_server(handler=RangeHandler) as server:
        monkeypatch.setenv("EMBEDDING_LAB_GPT2_URL", f"{server.address}/model.safetensors")
        monkeypatch.setattr(RangeHandler, "file", MadeUpFile(), raising=False)
        monkeypatch.setattr(RangeHandler, "faulty_from", 0)
        monkeypatch.setattr(RangeHandler, "requests", [])
        yield server
