"""The profile of hypothesis, files outside the project that tests compare with, and disks that are full or closed."""

import json
import subprocess
from collections.abc import Iterator
from functools import cache as cached
from importlib import metadata
from pathlib import Path

import pytest
from hypothesis import settings

from tests.skipping import skip_or_fail

settings.register_profile("no_deadline", deadline=None)
settings.load_profile("no_deadline")

SMALL_DISK_BYTES = 1_000_000


# Streamlit looks for components in the metadata of all packages, for each session of AppTest, which takes 0.2 s.
INSTALLED = [*metadata.distributions()]
metadata.distributions = lambda **narrowed: metadata.Distribution.discover(**narrowed) if narrowed else INSTALLED
metadata.Distribution.metadata = property(cached(metadata.Distribution.metadata.fget))


def shared_file(name: str) -> str:
    """Return a text of the folder `shared` beside the project; without it the test skips, or fails in CI."""
    path = Path(__file__).parents[2] / "shared" / name
    if not path.exists():
        reason = f"{path} is missing: it is not part of this project"
        skip_or_fail(reason)
    return path.read_bytes().decode("utf-8")


@pytest.fixture(scope="session")
def golden() -> dict:
    return json.loads(shared_file("golden.json"))


@pytest.fixture(scope="session")
def story() -> str:
    return shared_file("data/the-verdict.txt")


@pytest.fixture
def cache(monkeypatch, tmp_path) -> Path:
    """An empty folder for tokenizers and word vectors."""
    folder = tmp_path / "cache"
    folder.mkdir()
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(folder))
    monkeypatch.setenv("EMBEDDING_LAB_CACHE", str(folder))
    return folder


@pytest.fixture
def small_disk(cache) -> Iterator[Path]:
    """The same folder as a disk of its own, of a megabyte."""
    if subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={SMALL_DISK_BYTES}", "tmpfs", str(cache)], capture_output=True
    ).returncode:
        pytest.skip("mount is not permitted here: no disk can be made that fills up.")
    yield cache
    subprocess.run(["umount", str(cache)], check=True)


@pytest.fixture
def closed_folder(cache) -> Iterator[Path]:
    """The same folder, where nobody may write, not even root."""
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "ro", "tmpfs", str(cache)], capture_output=True).returncode:
        pytest.skip("mount is not permitted here: root may write everywhere.")
    yield cache
    subprocess.run(["umount", str(cache)], check=True)
