"""Published word vectors: the catalogue, what they need of a machine, their download, and the command."""

import gzip
import re
from hashlib import md5
from pathlib import Path
from types import SimpleNamespace

import pytest

from components import fetch
from components.base.cache_folder import cache_folder
from components.downloads import download as downloads
from components.downloads.download import Download
from components.vectors import sources
from components.vectors.load import load_vectors
from components.vectors.sources import SOURCES, Source
from tests.downloads.test_download import SOON, files, run
from tests.faulty_server import running_http_server

DIM = 40
WORDS = b"4000 %d\n" % DIM + b"".join(b"word%d%s\n" % (i, b" 1" * DIM) for i in range(4_000))
PACKED = gzip.compress(WORDS, compresslevel=0, mtime=0)  # 0.4 MB, and 0.7 MB when converted


@pytest.fixture
def offer(monkeypatch, cache, no_downloads):
    """Add vectors to the catalogue that a server on this machine sends, correctly or with a fault."""
    with running_http_server(PACKED) as server:

        def offer(path: str, words: int = 4_000) -> Source:
            url, checksum = f"{server.address}/{path}.gz", f"md5:{md5(PACKED).hexdigest()}"
            source = Source("toy", "Toy", url, len(PACKED), checksum, words=words, dim=DIM, note="Made up.")
            monkeypatch.setitem(SOURCES, "toy", source)
            return source

        yield offer


def test_cache_folder_is_the_one_named_or_that_of_the_user(monkeypatch):
    monkeypatch.setenv("EMBEDDING_LAB_CACHE", "~/vectors")
    assert cache_folder() == Path.home() / "vectors"
    assert SOURCES["word2vec_sample"].target == Path.home() / "vectors/word2vec_sample.kv"
    monkeypatch.setenv("EMBEDDING_LAB_CACHE", " ")
    assert cache_folder().name == "embedding-lab"


def test_source_filling_disk_during_conversion_leaves_no_file(offer, small_disk):
    download = run(offer("good", words=1))  # so that the check before the download finds enough space
    assert (download.progress.state, files(small_disk)) == ("failed", [])
    assert f"the disk of '{small_disk}' is full" in download.progress.message


def test_source_that_needs_more_memory_than_is_free_is_refused(offer, monkeypatch):
    source = offer("good")
    assert source.blocking_reason() is None
    assert source.disk_bytes == len(PACKED) + 4_000 * (DIM * 4 + 4 + 60)
    assert source.memory_bytes == 4_000 * (DIM * 4 + 4 + 240) + 120_000_000
    memory = SimpleNamespace(available=source.memory_bytes)
    monkeypatch.setattr(sources.psutil, "virtual_memory", lambda: memory)
    assert source.blocking_reason() is None
    memory.available -= 1
    assert run(source).progress.message == (
        "Toy needs about 121.6 MB of memory while it is prepared, and this machine has 121.6 MB free: choose smaller "
        "vectors, or stop other programs and try again."
    )


@pytest.mark.parametrize(
    ("limit", "stat", "free"),
    [("100", "a 7\ninactive_file 10", 30), ("100", "a 7", 20), ("max", "a 7", 999), ("50", "", 0), ("2000", "", 999)],
)
def test_free_memory_in_a_container_is_limited(tmp_path, monkeypatch, limit, stat, free):
    for name, text in (("max", limit), ("current", "80"), ("stat", stat)):
        (tmp_path / f"memory.{name}").write_text(text and f"{text}\n")
    monkeypatch.setattr(sources, "CGROUP", tmp_path)
    monkeypatch.setattr(sources.psutil, "virtual_memory", lambda: SimpleNamespace(available=999))
    assert sources.free_memory() == free


def test_command_downloads_converts_and_lists_the_vectors(offer, cache, capsys):
    source = offer("good")
    assert fetch.main(["toy"]) == 0
    assert f"Toy: ready. {cache / 'toy.kv'}\n" in capsys.readouterr().out
    assert (source.ready, files(cache)) == (True, ["toy.kv"])
    assert load_vectors(source.target)["word7"].tolist() == [1] * DIM
    assert fetch.main([]) == 0
    listed = capsys.readouterr().out
    assert f"To download into {cache}:" in listed
    assert re.search(r"  word2vec-google-news-300    1.7 GB  .+\n +3,000,000 words x 300, 4.5 GB of memory", listed)
    assert re.search(r"  toy +354.9 kB  Toy  \(downloaded\)\n +4,000 words x 40, ", listed)
    next(source.target.glob("*.norms.npy")).write_bytes(b"")
    assert fetch.main(["toy"]) == 1
    message = "'toy.kv' is damaged (EOFError): delete it, and download it again."
    assert capsys.readouterr().err == f"{message} {source.target}\n"


def test_command_prints_its_progress_and_why_it_failed(offer, capsys, monkeypatch):
    monkeypatch.setattr(fetch, "SECONDS_PER_LINE", 0.05)
    monkeypatch.setattr(downloads, "TIMEOUT_SECONDS", (1.0, 1.5))  # time enough to print, on a busy machine
    offer("stalled")
    assert fetch.main(["toy"]) == 1
    printed = capsys.readouterr()
    assert "Downloading Toy: 131.1 kB of 354.9 kB (36 %).\n" in printed.out
    assert "sent nothing for 1.5 seconds" in printed.err
    assert printed.err.count("\n") == 1


def test_command_that_is_interrupted_deletes_its_files(offer, cache, capsys, monkeypatch):
    def interrupt(download: Download, seconds: float | None = None) -> bool:
        if seconds is None:
            return download._finished.wait(SOON)
        while download.running and not download.progress.done:
            download._finished.wait(0.01)
        raise KeyboardInterrupt

    offer("stalled")
    monkeypatch.setattr(Download, "wait", interrupt)
    assert fetch.main(["toy"]) == 1
    assert "The download of Toy was cancelled, and its files are deleted.\n" in capsys.readouterr().err
    assert files(cache) == []
