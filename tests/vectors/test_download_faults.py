"""Downloads of word vectors through a silent proxy, and to disks that are full or closed."""

import os
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from hashlib import md5
from http.server import ThreadingHTTPServer
from pathlib import Path

import pytest

from components.vectors import downloads as vector_downloads
from components.vectors.downloads import Download, start
from components.vectors.load import convert
from components.vectors.preflight import disk_needed
from components.vectors.sources import SOURCES, Source
from tests.faulty_server import FaultyHandler, running_http_server

WORDS = b"".join(b"word%d 1 2 3\n" % i for i in range(30_000))
SOON = 15.0


class Faults(FaultyHandler):
    def send_words_until_the_disk_is_full(self):
        self.head(len(WORDS))
        self.wfile.write(WORDS[:100_000])
        self.wfile.flush()
        self.server.fill()
        self.wfile.write(WORDS[100_000:])

    def send_words(self):
        self.send(WORDS)


@pytest.fixture
def server(monkeypatch) -> Iterator[ThreadingHTTPServer]:
    """A server on this machine in place of the published one; `mode` is what it does."""
    with running_http_server(Faults) as server:
        monkeypatch.setattr(vector_downloads, "_current", None)
        monkeypatch.setenv("NO_PROXY", "127.0.0.1")
        yield server


@pytest.fixture
def offer(server, monkeypatch) -> Callable[[str], Source]:
    """Puts vectors into the catalogue that the server sends in a mode of its own, and that claim little room."""

    def offer(mode: str) -> Source:
        server.mode = mode
        url, size = f"{server.address}/words.txt", len(WORDS)
        source = Source("toy", "Toy", url, size, md5(WORDS).hexdigest(), words=1, dim=3, note="Made up.")
        monkeypatch.setitem(SOURCES, "toy", source)
        return source

    return offer


def fetched(convert: Callable = convert) -> Download:
    download = start("toy", convert, (2.0, 2.0))
    assert download.wait(SOON), download.moment
    return download


def fill(folder: Path) -> None:
    """Write until the disk has no byte left."""
    with suppress(OSError), (folder / "full").open("wb", buffering=0) as file:
        while True:
            file.write(b"x" * 4_096)


def test_a_disk_that_fills_up_during_a_download_is_told_and_keeps_no_half_file(small_disk, offer, server):
    source = offer("words_until_the_disk_is_full")
    server.fill = lambda: fill(small_disk)
    download = fetched()
    assert (download.phase, [path.name for path in small_disk.iterdir()]) == ("failed", ["full"])
    assert f"the disk of '{small_disk}' is full. Free {disk_needed(source) / 1000:.1f} kB" in download.message
    assert "set EMBEDDING_LAB_CACHE to another folder, and start again" in download.message


def test_a_disk_that_fills_up_while_vectors_are_prepared_is_told_and_keeps_no_half_file(small_disk, offer):
    offer("words")

    def on_a_full_disk(file, place, progress):
        fill(small_disk)
        convert(file, place, progress)

    download = fetched(on_a_full_disk)
    assert (download.phase, [path.name for path in small_disk.iterdir()]) == ("failed", ["full"])
    assert f"the disk of '{small_disk}' is full" in download.message


def test_a_closed_folder_is_refused_before_anything_is_fetched(closed_folder, offer):
    offer("words")
    assert fetched().message == (
        f"Toy cannot be stored, because '{closed_folder}' cannot be written: set the environment variable "
        "EMBEDDING_LAB_CACHE to another folder."
    )


def test_a_proxy_that_says_nothing_is_given_up(offer, cache, monkeypatch):
    offer("words")
    monkeypatch.setenv("NO_PROXY", "")
    with socket.create_server(("127.0.0.1", 0)) as silent:
        monkeypatch.setenv("HTTPS_PROXY", f"http://127.0.0.1:{silent.getsockname()[1]}")
        monkeypatch.setenv("https_proxy", os.environ["HTTPS_PROXY"])
        source = SOURCES["toy"]
        monkeypatch.setitem(SOURCES, "toy", Source(**{**vars(source), "url": "https://words.invalid/words.txt"}))
        began = time.monotonic()
        download = start("toy", convert, (0.5, 0.5))
        assert download.wait(SOON)
        assert time.monotonic() - began < 10
    assert download.phase == "failed"
    assert download.message.startswith("Toy could not be downloaded: words.invalid")
    assert list(cache.iterdir()) == []
