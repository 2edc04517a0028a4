"""Downloads of tokenizers from servers that are gone, silent or wrong, and to disks that are full or closed."""

import base64
import os
import time
from collections.abc import Iterator
from http.server import ThreadingHTTPServer
from uuid import uuid4

import pytest
import tiktoken
import tiktoken.load

from components.text import tokenizer_cache, tokenizers
from components.text.tokenizers import TokenizerUnavailable, get_tokenizer
from tests.faulty_server import FaultyHandler, running_http_server

NAME = "cl100k_base"
PUBLISHED = "https://openaipublic.blob.core.windows.net"
TABLE = b"".join(base64.b64encode(bytes([b])) + b" %d\n" % b for b in range(256))
PADDED = TABLE + b"\n" * 600_000  # more than the small disk can store
SOON = 15.0


class Faults(FaultyHandler):
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


@pytest.fixture
def server(monkeypatch) -> Iterator[ThreadingHTTPServer]:
    """A server on this machine in place of the published one; `mode` is what it does."""
    with running_http_server(Faults) as server:
        read_file = tiktoken.load.read_file
        monkeypatch.setattr(tiktoken.load, "read_file", lambda path: read_file(path.replace(PUBLISHED, server.address)))
        monkeypatch.setattr(tiktoken.registry, "ENCODINGS", {})
        monkeypatch.setattr(tokenizers, "_loading", {})
        monkeypatch.setenv("NO_PROXY", "127.0.0.1")
        yield server


def refusal(timeout: float = SOON) -> str:
    with pytest.raises(TokenizerUnavailable) as caught:
        get_tokenizer(NAME, timeout)
    return str(caught.value)


@pytest.mark.parametrize(
    ("mode", "told"),
    [
        ("missing", "could not be downloaded (the server answered with error 404)"),
        ("broken", "could not be downloaded (the server answered with error 503)"),
        ("garbage", "is not the published file, and was deleted"),
        ("short", "could not be downloaded (ChunkedEncodingError)"),
    ],
)
def test_a_table_from_a_server_that_errs_is_refused_in_a_sentence_and_nothing_is_kept(server, cache, mode, told):
    server.mode = mode
    assert refusal() == (
        f"The vocabulary of cl100k_base (1.7 MB) {told}. It is downloaded once, or read from the folder named by "
        "TIKTOKEN_CACHE_DIR; until then choose gpt2, which works offline."
    )
    assert list(cache.iterdir()) == []


def test_a_server_that_is_gone_is_told(server, cache):
    server.shutdown()
    server.server_close()
    assert "could not be downloaded (ConnectionError)" in refusal()


@pytest.mark.parametrize(
    ("mode", "told"),
    [
        ("silent", "could not be downloaded (ReadTimeout)"),
        ("drip", "could not be downloaded (Timeout)"),
        ("endless", "is not the published file, and was deleted"),
    ],
)
def test_a_server_that_never_comes_to_an_end_keeps_nobody_waiting_and_is_given_up(
    server, cache, monkeypatch, mode, told
):
    monkeypatch.setattr(tokenizer_cache, "TIMEOUT_SECONDS", (1.0, 1.0))
    monkeypatch.setattr(tokenizer_cache, "MAX_DOWNLOAD_SECONDS", 1.0)
    server.mode = mode
    began = time.monotonic()
    if mode != "endless":
        assert "is still being downloaded" in refusal(timeout=0.1)
    assert told in refusal()
    assert time.monotonic() - began < 10
    tokenizers._loading.clear()
    server.mode = "missing"
    assert "error 404" in refusal()  # and no other table has to wait for it


def test_a_table_that_the_disk_has_no_room_for_is_told_and_leaves_no_half_file(server, small_disk, monkeypatch):
    monkeypatch.setattr(tiktoken.load, "check_hash", lambda *_: True)
    (small_disk / "full").write_bytes(b"x" * 700_000)
    server.mode = "table"
    assert f"cannot be stored: the disk of '{small_disk}' is full. Free 1.7 MB there." in refusal()
    assert [path.name for path in small_disk.iterdir()] == ["full"]
    (small_disk / "full").unlink()
    when, future = tokenizers._loading[NAME]
    tokenizers._loading[NAME] = when - tokenizers.RETRY_SECONDS - 1, future
    assert get_tokenizer(NAME, SOON).encode("hi") == [104, 105]


def test_a_folder_that_cannot_be_written_is_told(server, closed_folder, monkeypatch):
    monkeypatch.setattr(tiktoken.load, "check_hash", lambda *_: True)
    server.mode = "table"
    assert f"cannot be stored: '{closed_folder}' is not writable. Choose another folder." in refusal()


def test_half_a_table_of_a_process_that_was_killed_is_deleted_and_a_new_one_is_not(server, cache):
    old, new = (f"{'0123456789abcdef' * 2}{kind}.{uuid4()}.tmp" for kind in ("deadbeef", "00c0ffee"))
    for name in (old, new, "thesis.tmp", f"{old[:39]}.tmp"):
        (cache / name).write_bytes(b"half")
        os.utime(cache / name, (time.time() - (0 if name == new else 60),) * 2)
    server.mode = "missing"
    refusal()
    assert {path.name for path in cache.iterdir()} == {new, "thesis.tmp", f"{old[:39]}.tmp"}
