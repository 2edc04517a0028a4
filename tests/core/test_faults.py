"""Servers that are gone, silent or wrong, disks that are full or closed: each is told in a sentence."""

import base64
import os
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from hashlib import md5
from http.server import ThreadingHTTPServer
from pathlib import Path
from uuid import uuid4

import pytest
import tiktoken
import tiktoken.load

from components.core import tokenizer_cache, tokenizers, vector_downloads
from components.core.tokenizers import TokenizerUnavailable, get_tokenizer
from components.core.vector_downloads import Download, start
from components.core.vector_room import disk_needed
from components.core.vector_sources import SOURCES, Source
from components.core.word_vectors import convert
from tests.misbehaving import Answers, answering

NAME = "cl100k_base"
PUBLISHED = "https://openaipublic.blob.core.windows.net"
TABLE = b"".join(base64.b64encode(bytes([b])) + b" %d\n" % b for b in range(256))
PADDED = TABLE + b"\n" * 600_000  # more than the small disk holds
WORDS = b"".join(b"word%d 1 2 3\n" % i for i in range(30_000))
SMALL_DISK = 1_000_000
SOON = 15.0


class Moods(Answers):
    def send_table(self):
        self.send(PADDED)

    def send_broken(self):
        self.head(0, 503)

    def send_garbage(self):
        self.send(b"<html>Please log in to this hotel's network</html>")

    def send_short(self):
        self.head(len(TABLE))
        self.wfile.write(TABLE[:100])

    def send_drip(self):
        self.head(9_000_000)
        while not self.server.closing.wait(0.1):
            self.wfile.write(b"A" * 100)
            self.wfile.flush()

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
    """A server on this machine in the place of the published ones; `mood` is how it behaves."""
    with answering(Moods) as server:
        read_file = tiktoken.load.read_file
        monkeypatch.setattr(tiktoken.load, "read_file", lambda path: read_file(path.replace(PUBLISHED, server.address)))
        monkeypatch.setattr(tiktoken.registry, "ENCODINGS", {})
        monkeypatch.setattr(tokenizers, "_asked", {})
        monkeypatch.setattr(vector_downloads, "_current", None)
        monkeypatch.setenv("NO_PROXY", "127.0.0.1")
        yield server


@pytest.fixture
def cache(monkeypatch, tmp_path) -> Path:
    """A folder for tables and vectors with nothing in it."""
    folder = tmp_path / "cache"
    folder.mkdir()
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(folder))
    monkeypatch.setenv("EMBEDDING_LAB_CACHE", str(folder))
    return folder


@pytest.fixture
def small_disk(cache) -> Iterator[Path]:
    """The same folder as a disk of its own, of a megabyte."""
    if subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={SMALL_DISK}", "tmpfs", str(cache)], capture_output=True
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


def refusal(timeout: float = SOON) -> str:
    with pytest.raises(TokenizerUnavailable) as caught:
        get_tokenizer(NAME, timeout)
    return str(caught.value)


# Tokenizers


@pytest.mark.parametrize(
    ("mood", "told"),
    [
        ("missing", "could not be downloaded (its server answered with error 404)"),
        ("broken", "could not be downloaded (its server answered with error 503)"),
        ("garbage", "arrived, but is not the published file, and was thrown away"),
        ("short", "could not be downloaded (ChunkedEncodingError)"),
    ],
)
def test_a_table_from_a_server_that_errs_is_refused_in_a_sentence_and_nothing_is_kept(server, cache, mood, told):
    server.mood = mood
    assert refusal() == (
        f"The table of cl100k_base (1.7 MB) {told}. It comes from the internet once, or from the folder named by "
        "TIKTOKEN_CACHE_DIR; until then choose gpt2, which works offline."
    )
    assert list(cache.iterdir()) == []


def test_a_server_that_is_gone_is_told(server, cache):
    server.shutdown()
    server.server_close()
    assert "could not be downloaded (ConnectionError)" in refusal()


@pytest.mark.parametrize(
    ("mood", "told"),
    [
        ("silent", "could not be downloaded (ReadTimeout)"),
        ("drip", "could not be downloaded (Timeout)"),
        ("endless", "arrived, but is not the published file, and was thrown away"),
    ],
)
def test_a_server_that_never_comes_to_an_end_keeps_nobody_waiting_and_is_given_up(
    server, cache, monkeypatch, mood, told
):
    monkeypatch.setattr(tokenizer_cache, "SECONDS_TO_ANSWER", (1.0, 1.0))
    monkeypatch.setattr(tokenizer_cache, "SECONDS_TO_ARRIVE", 1.0)
    server.mood = mood
    began = time.monotonic()
    if mood != "endless":
        assert "is still on its way" in refusal(timeout=0.1)
    assert told in refusal()
    assert time.monotonic() - began < 10
    tokenizers._asked.clear()
    server.mood = "missing"
    assert "error 404" in refusal()  # and no other table has to wait for it


def test_a_table_that_the_disk_has_no_room_for_is_told_and_leaves_no_half_file(server, small_disk, monkeypatch):
    monkeypatch.setattr(tiktoken.load, "check_hash", lambda *_: True)
    (small_disk / "full").write_bytes(b"x" * 700_000)
    server.mood = "table"
    assert f"cannot be kept: the disk of '{small_disk}' is full. Make room for 1.7 MB there." in refusal()
    assert [path.name for path in small_disk.iterdir()] == ["full"]
    (small_disk / "full").unlink()
    when, future = tokenizers._asked[NAME]
    tokenizers._asked[NAME] = when - tokenizers.SECONDS_TO_RETRY - 1, future
    assert get_tokenizer(NAME, SOON).encode("hi") == [104, 105]


def test_a_folder_that_cannot_be_written_is_told(server, closed_folder, monkeypatch):
    monkeypatch.setattr(tiktoken.load, "check_hash", lambda *_: True)
    server.mood = "table"
    assert f"cannot be kept: '{closed_folder}' cannot be written. Name another folder." in refusal()


def test_half_a_table_of_a_process_that_was_killed_is_deleted_and_a_new_one_is_not(server, cache):
    old, new = (f"{'0123456789abcdef' * 2}{kind}.{uuid4()}.tmp" for kind in ("deadbeef", "00c0ffee"))
    for name in (old, new, "thesis.tmp", f"{old[:39]}.tmp"):
        (cache / name).write_bytes(b"half")
        os.utime(cache / name, (time.time() - (0 if name == new else 60),) * 2)
    server.mood = "missing"
    refusal()
    assert {path.name for path in cache.iterdir()} == {new, "thesis.tmp", f"{old[:39]}.tmp"}


# Word vectors


@pytest.fixture
def offer(server, monkeypatch) -> Callable[[str], Source]:
    """Puts vectors into the catalogue that the server sends in a mood of its own, and that claim little room."""

    def offer(mood: str) -> Source:
        server.mood = mood
        url, size = f"{server.address}/words.txt", len(WORDS)
        source = Source("toy", "Toy", url, size, size, md5(WORDS).hexdigest(), words=1, dim=3, note="Made up.")
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
    assert f"the disk of '{small_disk}' is full. Make room for {disk_needed(source) / 1000:.1f} kB" in download.sentence
    assert "name another folder in EMBEDDING_LAB_CACHE, and start again" in download.sentence


def test_a_disk_that_fills_up_while_vectors_are_prepared_is_told_and_keeps_no_half_file(small_disk, offer):
    offer("words")

    def on_a_full_disk(file, place, progress):
        fill(small_disk)
        convert(file, place, progress)

    download = fetched(on_a_full_disk)
    assert (download.phase, [path.name for path in small_disk.iterdir()]) == ("failed", ["full"])
    assert f"the disk of '{small_disk}' is full" in download.sentence


def test_a_closed_folder_is_refused_before_anything_is_fetched(closed_folder, offer):
    offer("words")
    assert fetched().sentence == (
        f"Toy cannot be kept, because '{closed_folder}' cannot be written: name another folder in the environment "
        "variable EMBEDDING_LAB_CACHE."
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
    assert download.sentence.startswith("Toy could not be fetched: words.invalid")
    assert list(cache.iterdir()) == []
