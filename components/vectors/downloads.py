"""Downloads of word vectors in the background: one at a time in this process, shared by all sessions."""

import atexit
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Lock, Thread

import requests

from components.base.text_format import readable_bytes
from components.vectors import load
from components.vectors.fetch import TIMEOUT_SECONDS, explanation, fetch
from components.vectors.folder import delete_stale, vectors_cache_dir, vectors_path, work_folder
from components.vectors.preflight import blocking_reason
from components.vectors.progress import Moment, Progress
from components.vectors.sources import Source, source_named

Convert = Callable[[Path, Path, Callable[[int, int], None]], None]

SHUTDOWN_SECONDS = 3.0  # that the process waits at its end for a download to delete its files


class Download(Progress):
    """A download of a source into a folder, in a thread of its own; `start` creates and runs it."""

    def __init__(self, source: Source, folder: Path, seconds: tuple[float, float] = TIMEOUT_SECONDS) -> None:
        super().__init__(Moment("waiting", 0, source.bytes, f"The download of {source.title} is starting."))
        self.source = source
        self.folder = folder
        self.seconds = seconds
        self._response: requests.Response | None = None

    def cancel(self, message: str | None = None) -> bool:
        """Cancel the download for all sessions; the thread then deletes its files. Return False if it had ended."""
        cancelled = super().cancel(message or f"{self.source.title} was cancelled, and its files are deleted.")
        if cancelled and self._response is not None:
            with suppress(Exception):  # the connection may have ended by itself
                self._response.raw.shutdown()  # wakes the thread if it is waiting for a slow server
        return cancelled

    def run(self, before: "Download | None", convert: Convert | None) -> None:
        """Download and convert once the download `before` has finished; errors become the message."""
        try:
            if before is not None:
                before.wait()  # takes up to 30 seconds if it was cancelled while its server did not respond
            if not vectors_path(self.source.name, self.folder).exists():
                self.check()
                delete_stale(self.folder)
                if reason := blocking_reason(self.source, self.folder):
                    return self.end("failed", reason)
                self._download_and_convert(convert)
            self.end(
                "ready", f"{self.source.title} is ready: {self.source.words:,} words, {self.source.dim} numbers each."
            )
        except Exception as error:  # any error of the network, the disk or the file is shown as a message on the page
            self.end("failed", explanation(error, self.source, self.folder, self.seconds))
        finally:
            self.finish()

    def _download_and_convert(self, convert: Convert | None) -> None:
        target = vectors_path(self.source.name, self.folder)
        with work_folder(self.folder) as work:
            file = fetch(self.source, work, self._on_answer, self._on_bytes, self.seconds)
            self._on_words(0, self.source.words)
            try:
                (convert or load.convert)(file, target, self._on_words)
            except Exception:
                if not target.exists():  # if it exists, another process that shares the folder was faster
                    raise

    def _on_answer(self, response: requests.Response) -> None:
        self._response = response  # set before the check, so that a concurrent cancel sees it or the check fails
        self._on_bytes(0)

    def _on_bytes(self, done: int) -> None:
        total, size = self.source.bytes, readable_bytes(self.source.bytes)
        if done < total:
            message = f"Downloading {self.source.title}: {readable_bytes(done)} of {size} ({100 * done // total} %)."
            self.update("downloading", done, total, message)
        else:
            self.update("checking", done, total, f"Comparing the checksum of {size} with the published one.")

    def _on_words(self, done: int, total: int) -> None:
        self.update("converting", done, total, f"Preparing {self.source.title}: {done:,} of {total:,} words.")


_lock = Lock()
_current: Download | None = None


def current() -> Download | None:
    """Return the last download that any session of this process started; None before the first."""
    return _current


def start(name: str, convert: Convert | None = None, seconds: tuple[float, float] = TIMEOUT_SECONDS) -> Download:
    """Download the vectors `name` in the background and return the download, which may be in progress already.

    `convert(source, target, progress)` creates `target` completely or not at all; the default is load.convert.
    `seconds` are the timeouts for a connection and for each chunk of the file. Later errors are in the message of the
    download. Raises ValueError if the name is unknown or other vectors are being downloaded.
    """
    global _current
    source = source_named(name)
    with _lock:
        before = _current
        if before is not None and before.running:
            if before.source.name == name:
                return before
            raise ValueError(
                f"{before.source.title} is being downloaded, and only one download runs at a time: wait for it or "
                f"cancel it, then start {source.title}."
            )
        download = Download(source, vectors_cache_dir(), seconds)
        Thread(target=download.run, args=(before, convert), daemon=True).start()
        _current = download  # set last: a thread that cannot start must not block other downloads
        return download


@atexit.register
def _stop() -> None:
    # Python would stop the thread at any point and leave a partial file on the disk.
    if _current is not None and not _current.wait(0.0):
        _current.cancel()
        _current.wait(SHUTDOWN_SECONDS)
