"""Downloads in the background: one of each offer in this process, shared by all sessions."""

import errno
import os
import shutil
import time
from collections.abc import Hashable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from threading import Event, Lock, Thread, Timer
from typing import Literal
from urllib.parse import urlsplit
from weakref import WeakSet

import pooch
import requests
from urllib3.exceptions import ReadTimeoutError

from components.base.field_types import quote
from components.base.text_format import readable_bytes
from components.downloads.published_file import Offer, PublishedFile
from components.downloads.ranges import WrongAnswer

TIMEOUT_SECONDS = (5.0, 20.0)  # to connect to one IP address (hosts have up to 4); to wait for the next bytes
SECONDS_IN_ALL, MIN_BYTES_PER_SECOND = 60.0, 10_000  # and one second more for so many bytes of the file
SECONDS_TO_REST = 60.0  # after a failure, before what is fetched by itself is tried again
STALE_SECONDS = 3_600.0  # a work folder not written to for so long belongs to a process that was killed
WORK_PREFIX = ".download-"
CHUNK_BYTES = 2**16
# Without this, some servers decompress a .gz, and its checksum is no longer the published one.
HEADERS = {"Accept-Encoding": "identity"}


@dataclass(frozen=True)
class Progress:
    """A snapshot of a download: `done` of `total` bytes, and a message for learners."""

    state: Literal["running", "ready", "failed", "cancelled"]
    done: int
    total: int
    message: str


class Stopped(Exception):
    """Raised in the thread of a download that was cancelled."""


class WrongFile(Exception):
    """What arrived is not the published file."""


class Download:
    """A download in a thread of its own; `start` creates and runs it, and any thread may read or cancel it."""

    def __init__(self, file: Offer) -> None:
        self.file = file
        # Replaced as a whole, so that a reader without the lock gets consistent fields.
        self.progress = Progress("running", 0, file.bytes, f"The download of {file.title} is starting.")
        self._lock, self._finished = Lock(), Event()
        self._responses: WeakSet[requests.Response] = WeakSet()
        self.begun, self._ended = time.monotonic(), 0.0

    @property
    def running(self) -> bool:
        """Whether the download has neither ended nor been cancelled."""
        return self.progress.state == "running"

    def wait(self, seconds: float | None = None) -> bool:
        """Wait up to `seconds`, or without limit, until the thread has deleted its files; return whether it has."""
        return self._finished.wait(seconds)

    def cancel(self) -> bool:
        """Cancel the download for all sessions; return False if it had ended."""
        rest = "its files are deleted" if isinstance(self.file, PublishedFile) else "what had arrived whole is stored"
        return self._stop("cancelled", f"The download of {self.file.title} was cancelled, and {rest}.")

    def run(self) -> None:
        """Download and prepare the file; any error becomes the message."""
        seconds = SECONDS_IN_ALL + self.file.bytes / MIN_BYTES_PER_SECOND
        slow = f"{urlsplit(self.file.url).hostname} sent too little in {round(seconds, 1):,} seconds."
        message = f"{self.file.title} could not be downloaded: {slow} Start again, now or later."
        limit = Timer(seconds, self._stop, ("failed", message))
        limit.daemon = True
        limit.start()
        fetch = self._fetch_whole if isinstance(self.file, PublishedFile) else partial(self.file.fetch, self)
        try:
            problem = None if self.file.ready else self.file.blocking_reason() or fetch()
        except Exception as error:  # of the network, the disk or the file
            problem = f"{self.file.title} could not be downloaded: {explain(error, self.file)}"
        if problem and not self.file.ready:  # it is ready if another process that shares the folder was faster
            self._stop("failed", problem)
        else:
            with self._lock:
                self.progress = replace(self.progress, state="ready", message=f"{self.file.title}: ready.")
        limit.cancel()
        self._ended = time.monotonic()
        self._finished.set()

    @property
    def failed_lately(self) -> bool:
        """Whether it ended without a result, so short a time ago that it is better not tried again by itself."""
        ended = self._ended or time.monotonic()
        return self.progress.state in ("failed", "cancelled") and time.monotonic() - ended < SECONDS_TO_REST

    def open(
        self, url: str, headers: Mapping[str, str] | None = None, session: requests.Session | None = None
    ) -> requests.Response:
        """Open an address, so that `cancel` can close the connection. Raises requests.RequestException."""
        headers = {**HEADERS, **(headers or {})}
        self.check()
        response = (session or requests).get(url, headers=headers, timeout=TIMEOUT_SECONDS, stream=True)
        with self._lock:
            self._responses.add(response)  # first, so that a concurrent `cancel` finds it or the next line raises
        try:
            self.check()
            response.raise_for_status()
        except (Stopped, requests.HTTPError):
            response.close()
            raise
        return response

    def check(self) -> None:
        """Raise Stopped if the download was cancelled."""
        if not self.running:
            raise Stopped

    def count(self, done: int, total: int) -> None:
        """Update the progress of bytes. Raises Stopped if the download was cancelled."""
        percent = 100 * done // max(1, total)
        message = f"Downloading {self.file.title}: {readable_bytes(done)} of {readable_bytes(total)} ({percent} %)."
        self._update(done, total, message)

    def _fetch_whole(self) -> None:
        target = self.file.target
        target.parent.mkdir(parents=True, exist_ok=True)
        delete_stale(target.parent)
        # A hidden folder for each download, deleted also when the process ends; if that fails, the result counts.
        with TemporaryDirectory(prefix=WORK_PREFIX, dir=target.parent, ignore_cleanup_errors=True) as work:
            file, prepared = Path(work, PurePosixPath(urlsplit(self.file.url).path).name), Path(work, target.name)
            self._download(file)
            self._update(self.file.bytes, self.file.bytes, f"Comparing the checksum of {self.file.title}.")
            algorithm, checksum = self.file.checksum.split(":")
            if pooch.file_hash(str(file), algorithm) != checksum:
                raise WrongFile
            self._on_prepared(0, 1)
            self.file.prepare(file, prepared, self._on_prepared)
            os.replace(prepared, target)

    def _download(self, path: Path) -> None:
        done = 0
        with self.open(self.file.url) as response, path.open("wb") as output:
            self.count(done, self.file.bytes)
            for chunk in response.iter_content(CHUNK_BYTES):
                done += len(chunk)
                if done > self.file.bytes:  # the checksum would not match anyway, so spare the disk
                    raise WrongFile
                output.write(chunk)
                self.count(done, self.file.bytes)

    def _on_prepared(self, done: int, total: int) -> None:
        self._update(done, total, f"Preparing {self.file.title}: {100 * done // max(1, total)} %.")

    def _update(self, done: int, total: int, message: str) -> None:
        with self._lock:
            if not self.running:
                raise Stopped
            self.progress = Progress("running", done, total, message)

    def _stop(self, state: Literal["failed", "cancelled"], message: str) -> bool:
        with self._lock:
            if running := self.running:
                self.progress = replace(self.progress, state=state, message=message)
            responses = list(self._responses) if running else []
        for response in responses:
            with suppress(Exception):  # the connection may have ended by itself
                response.raw.shutdown()  # wakes the thread if it is waiting for bytes
        return running


def explain(error: Exception, file: Offer) -> str:
    """Return what happened to the download of a file, and what to do."""
    host, folder = urlsplit(file.url).hostname or file.url, quote(file.target.parent, 200)
    again = "Start again, now or later."
    other_folder = f"set {file.folder_variable} to another folder"
    match error:
        case WrongAnswer():
            return f"{error} {again}"
        case requests.HTTPError(response=requests.Response(status_code=429)):
            return (
                f"{host} has limited the number of requests from this network for a while. Try again in five minutes."
            )
        case requests.TooManyRedirects():
            return f"{host} redirects in a circle. Check the address."
        case requests.HTTPError():
            return f"{host} answered with error {error.response.status_code} instead of the file. {again}"
        case requests.ReadTimeout() | requests.ConnectionError(args=[ReadTimeoutError(), *_]):
            return f"{host} sent nothing for {TIMEOUT_SECONDS[1]:g} seconds. {again}"
        case requests.exceptions.ChunkedEncodingError():
            return f"the connection to {host} was closed before all {readable_bytes(file.bytes)} arrived. {again}"
        case requests.exceptions.MissingSchema() | requests.exceptions.InvalidSchema():
            return f"{quote(file.url)} is not an address that begins with http:// or https://. Correct it."
        case requests.RequestException():
            return f"{host} cannot be reached ({type(error).__name__}). Check that the server is on the internet."
        case WrongFile():
            published = f"the published file of {file.bytes:,} bytes with the checksum {file.checksum}"
            return f"what {host} sent is not {published}. It was deleted. {again}"
        case OSError(errno=errno.ENOSPC | errno.EDQUOT):
            return f"the disk of {folder} is full. Free {readable_bytes(file.disk_bytes)}, or {other_folder}."
        case OSError(errno=int()):
            return f"{folder} cannot be written ({type(error).__name__}): {other_folder}."
        case MemoryError():
            return "this machine ran out of memory. Choose a smaller file, or stop other programs."
    return f"the file arrived, but could not be prepared ({type(error).__name__}: {quote(error, 300)})."


def delete_stale(folder: Path) -> None:
    """Delete the work folders of processes that were killed: those not written to for STALE_SECONDS."""
    for work in folder.glob(f"{WORK_PREFIX}*"):
        with suppress(OSError):  # its owner may be deleting it
            written = max(path.stat().st_mtime for path in (work, *work.rglob("*")))
            if time.time() - written > STALE_SECONDS:  # noqa: TID251
                shutil.rmtree(work)


_start_lock = Lock()
_downloads: dict[Hashable, Download] = {}  # the last one of each key


def last_download(file: Offer) -> Download | None:
    """Return the last download of an offer that any session of this process started; None before the first."""
    with _start_lock:  # a download that has begun is found, also by its own thread
        return _downloads.get(file.key)


def forget(file: Offer) -> None:
    """Forget how the last download of an offer ended, so that it is tried again; one in progress stays."""
    with _start_lock:
        if file.key in _downloads and not _downloads[file.key].running:
            del _downloads[file.key]


def start(file: Offer) -> Download:
    """Download a file in the background and return the download, which may be in progress already.

    Later errors are in its message. Raises ValueError if another file is being downloaded into the same folder.
    """
    key, folder = file.key, file.target.parent
    with _start_lock:
        for other_key, other in _downloads.items():
            if other.running and other_key == key:
                return other
            both = file.exclusive and other.file.exclusive
            if other.running and both and other.file.target.parent == folder:
                raise ValueError(
                    f"{other.file.title} is being downloaded, and only one download runs at a time: wait for it or "
                    f"cancel it, then start {file.title}."
                )
        download = Download(file)
        Thread(target=download.run, daemon=True).start()
        _downloads[key] = download  # set last: a thread that cannot start must not block other downloads
        return download
