"""Downloads from servers that are gone, silent, slow or wrong, and to disks that are full or closed."""

import errno
import os
import shutil
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from hashlib import md5
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import Mock
from weakref import WeakSet

import pytest

from components.downloads import download as downloads
from components.downloads.download import Download, Stopped, forget, last_download, start
from components.downloads.published_file import PublishedFile
from tests.faulty_server import SECONDS_OF_SILENCE, running_http_server

GOOD = b"".join(b"word%d 1 2 3\n" % i for i in range(30_000))  # several chunks of a download
SOON = 60.0


@dataclass(frozen=True)
class Toy(PublishedFile):
    """A file that the server of a test sends; `convert` is called when it is prepared."""

    folder: Path
    convert: Callable = PublishedFile.prepare
    folder_variable = "TOY_FOLDER"
    disk_bytes = 500_000

    @property
    def target(self) -> Path:
        return self.folder / self.name

    def prepare(self, download, target, progress):
        progress(1, 1)
        self.convert(self, download, target, progress)


@pytest.fixture(scope="module")
def server():
    with running_http_server(GOOD) as server:
        yield server


@pytest.fixture
def offer(monkeypatch, server, cache, no_downloads) -> Callable[..., Toy]:
    """Makes a file of which the server sends `path`."""

    def offer(path: str, name: str = "toy", **fields) -> Toy:
        checksum = f"md5:{md5(GOOD).hexdigest()}"
        values = {"url": f"{server.address}/{path}.gz", "bytes": len(GOOD), "checksum": checksum, "folder": cache}
        return Toy(name, f"Toy {name}", **(values | fields))

    monkeypatch.setattr(downloads, "TIMEOUT_SECONDS", (2.0, 2.0))
    return offer


def run(file: PublishedFile) -> Download:
    download = start(file)
    assert download.wait(SOON), download.progress
    assert last_download(file) is download
    return download


def failure(file: Toy) -> str:
    """Return why a download fails; no file of it remains."""
    before = files(file.folder)
    download = run(file)
    assert download.progress.state == "failed", download.progress
    assert files(file.folder) == before
    return download.progress.message


def files(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir()) if folder.is_dir() else []


@pytest.mark.parametrize("path", ["good", "redirect"])
def test_download_of_a_good_file_stores_it_alone(offer, cache, path):
    folder, threads = cache / "new" / "inner", {*threading.enumerate()}
    file = offer(path, folder=folder)
    assert not file.ready
    progress = run(file).progress
    assert (progress.state, progress.message) == ("ready", "Toy toy: ready.")
    assert (file.target.read_bytes(), files(folder)) == (GOOD, ["toy"])
    assert run(offer("missing", folder=folder)).progress.state == "ready"  # there is nothing left to download
    for thread in {*threading.enumerate()} - threads:
        thread.join(SOON / 2)  # that of the time limit as well
        assert not thread.is_alive()


def test_progress_of_a_download_rises_from_bytes_to_preparation(offer, monkeypatch):
    seen = []
    update = Download._update

    def spy(self, *values):
        update(self, *values)
        seen.append(self.progress)

    monkeypatch.setattr(Download, "_update", spy)
    run(offer("good"))
    counts = [progress.done for progress in seen if progress.total == len(GOOD)]
    assert counts == sorted(counts)
    assert (counts[0], counts[-1]) == (0, len(GOOD))
    assert len(counts) > 3
    assert seen[0].message == "Downloading Toy toy: 0 bytes of 468.9 kB (0 %)."
    last = ["Comparing the checksum of Toy toy.", "Preparing Toy toy: 0 %.", "Preparing Toy toy: 100 %."]
    assert [progress.message for progress in seen[-3:]] == last


ZEROS = f"sha256:{'0' * 64}"
NOT_PUBLISHED = "what 127.0.0.1 sent is not the published file of 468,890 bytes with the checksum"


@pytest.mark.parametrize(
    ("path", "fields", "problem"),
    [
        ("short", {}, "the connection to 127.0.0.1 was closed before all 468.9 kB arrived. Start again, now or la"),
        ("circle", {}, "127.0.0.1 redirects in a circle. Check the address."),
        ("missing", {}, "127.0.0.1 answered with error 404 instead of the file. Start again, now or later."),
        ("endless", {}, f"{NOT_PUBLISHED} md5:"),
        ("good", {"checksum": ZEROS}, f"{NOT_PUBLISHED} {ZEROS}. It was deleted."),
        ("good", {"bytes": len(GOOD) - 1}, "what 127.0.0.1 sent is not the published file of 468,889 bytes"),
        ("good", {"url": "http://127.0.0.1:1/x"}, "127.0.0.1 cannot be reached (ConnectionError). Check that"),
        ("good", {"url": "file:///x"}, "'file:///x' is not an address that begins with http:// or https://."),
        ("good", {"url": "nonsense"}, "'nonsense' is not an address that begins with http:// or https://."),
        ("silent", {}, "127.0.0.1 sent nothing for 0.3 seconds. Start again, now or later."),
        ("stalled", {}, "127.0.0.1 sent nothing for 0.3 seconds. Start again, now or later."),
        ("dripping", {}, "127.0.0.1 sent too little in 0.5 seconds. Start again, now or later."),
    ],
)
def test_download_from_a_server_that_fails_has_a_message(offer, monkeypatch, path, fields, problem):
    if path in ("silent", "stalled"):
        monkeypatch.setattr(downloads, "TIMEOUT_SECONDS", (1.0, 0.3))
    if path == "dripping":
        monkeypatch.setattr(downloads, "SECONDS_IN_ALL", 0.5)
        monkeypatch.setattr(downloads, "MIN_BYTES_PER_SECOND", 10**12)
    assert failure(offer(path, **fields)).startswith(f"Toy toy could not be downloaded: {problem}")


@pytest.mark.parametrize(
    ("error", "problem"),
    [
        (OSError(errno.ENOSPC, "No space left"), "is full. Free 500.0 kB, or set TOY_FOLDER to another folder."),
        (PermissionError(errno.EACCES, "Permission denied"), "cannot be written (PermissionError): set TOY_FOLDER to"),
        (MemoryError(), "this machine ran out of memory"),
        (ValueError("Row 7 has 2 numbers."), "could not be prepared (ValueError: 'Row 7 has 2 numbers.')"),
    ],
)
def test_download_not_prepared_has_a_message_and_can_be_repeated(offer, error, problem):
    def fail(*_):
        raise error

    assert problem in failure(offer("good", convert=fail))
    assert run(offer("good")).progress.state == "ready"


def test_download_that_another_process_has_stored_is_ready(offer, cache):
    def lose(file, download, target, progress):
        (cache / "toy").mkdir()  # a folder cannot be replaced by a file
        os.replace(download, target)

    assert run(offer("good", convert=lose)).progress.state == "ready"


def test_download_to_too_small_a_disk_is_refused_with_sizes(offer, cache, monkeypatch):
    monkeypatch.setattr(shutil, "disk_usage", lambda path: SimpleNamespace(free=100_000))
    file = offer("good")
    assert failure(file) == (
        f"Toy toy needs 500.0 kB of disk, and '{cache}' has 100.0 kB free: delete files there, or set the environment "
        "variable TOY_FOLDER to another folder."
    )


def test_download_to_a_closed_folder_is_refused_before_it_begins(offer, closed_folder):
    assert f"'{closed_folder}' cannot be written: set the environment variable TOY_FOLDER" in failure(offer("missing"))
    file_instead = Path(__file__) / "inside"
    assert failure(offer("good", folder=file_instead)).startswith("Toy toy cannot be stored, because ")


def test_download_deletes_stale_work_folders_and_nothing_else(offer, cache):
    for name in (".download-old", ".download-new", ".mine"):
        (cache / name / "inner").mkdir(parents=True)
        (cache / name / "inner" / "part").write_text("half")
    for path in [*cache.rglob("*")]:
        os.utime(path, (time.time() - 4_000,) * 2)
    os.utime(cache / ".download-new" / "inner" / "part")
    run(offer("good"))
    assert files(cache) == [".download-new", ".mine", "toy"]


def test_download_when_cancelled_ends_at_once_and_leaves_no_file(offer, cache, monkeypatch):
    monkeypatch.setattr(downloads, "TIMEOUT_SECONDS", (SOON, SOON))
    download = start(offer("stalled"))
    while download.running and not download.progress.done:
        time.sleep(0.01)
    (limit,) = (each for each in threading.enumerate() if getattr(each, "function", None) == download._stop)
    runs = [each for each in threading.enumerate() if each.name.endswith("(run)")]  # this one, perhaps older ones
    assert runs
    assert all(each.daemon for each in (limit, *runs))  # a server that is stopped waits for none
    assert download.cancel()
    assert download.progress.state == "cancelled"
    assert download.wait(SECONDS_OF_SILENCE)  # the server closes the connection later
    assert download.progress.message == "The download of Toy toy was cancelled, and its files are deleted."
    assert files(cache) == []
    assert not download.cancel()


def test_download_that_is_prepared_can_be_cancelled(offer, cache):
    def cancel(*_):
        assert last_download(file).cancel()
        raise ValueError("cancelled while it was prepared")

    file = offer("good", convert=cancel)
    assert (run(file).progress.state, files(cache)) == ("cancelled", [])


def test_download_is_shared_by_many_sessions(offer, cache):
    file, other = offer("stalled"), offer("good", name="other")
    with ThreadPoolExecutor(8) as pool:
        started = [job.result(SOON) for job in [pool.submit(start, file) for _ in range(8)]]
    assert len({id(download) for download in started}) == 1
    with pytest.raises(ValueError, match=r"^Toy toy is being downloaded, .* cancel it, then start Toy other\.$"):
        start(other)
    assert last_download(other) is None
    assert run(offer("good", folder=cache / "elsewhere")).progress.state == "ready"
    started[0].cancel()
    assert run(other).progress.state == "ready"
    assert started[0].wait(SOON)
    assert files(cache) == ["elsewhere", "other"]


def test_download_can_be_forgotten_while_another_one_starts(offer, cache):
    class Slow(Toy):
        @property
        def exclusive(self):  # `start` asks it for each of the other downloads
            thread = threading.Thread(target=forget, args=(failed,))
            thread.start()
            thread.join(0.2)
            forgotten.append(thread)
            return True

    failed, forgotten = offer("missing"), []
    run(failed)
    run(offer("missing", name="other"))
    assert start(Slow(**vars(offer("good", name="slow")))).wait(SOON)
    for thread in forgotten:
        thread.join(SOON)
    assert last_download(failed) is None


def test_download_in_progress_is_not_forgotten(offer):
    file = offer("stalled")
    download = start(file)
    forget(file)
    assert start(file) is download


def test_download_is_cancelled_while_it_opens_connections(offer, monkeypatch):
    class Slow(WeakSet):
        def __iter__(self):  # `cancel` goes through the connections
            for each in super().__iter__():
                cancelling.set()
                thread.join(0.2)
                yield each

    def get_late(*_, **__):
        opening.set()
        cancelling.wait(SOON)
        return late

    def open_late():
        with suppress(Stopped):
            download.open("", session=Mock(get=get_late))

    monkeypatch.setattr(downloads, "WeakSet", Slow)
    download, late = Download(offer("good")), Mock()
    opening, cancelling = threading.Event(), threading.Event()
    first = download.open("", session=Mock())
    thread = threading.Thread(target=open_late)
    thread.start()
    assert opening.wait(SOON)
    assert download.cancel()
    thread.join(SOON)
    assert first.raw.shutdown.called
    assert late.close.called
