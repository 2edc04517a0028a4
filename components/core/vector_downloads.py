"""Vectors fetched in the background: one download for all sessions of this process, which each of them may watch."""

import atexit
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Lock, Thread

import requests

from components.core.limits import readable_bytes
from components.core.vector_fetch import SECONDS_TO_ANSWER, explanation, fetch
from components.core.vector_folder import cache_folder, delete_abandoned, place_of, work_folder
from components.core.vector_progress import Moment, Progress
from components.core.vector_room import refusal
from components.core.vector_sources import Source, source_named

Convert = Callable[[Path, Path, Callable[[int, int], None]], None]

SECONDS_TO_TIDY_UP = 3.0  # what ending the process waits for a download


class Download(Progress):
    """One download of a source into a folder, in a thread of its own; `start` makes it and runs it."""

    def __init__(self, source: Source, folder: Path, seconds: tuple[float, float] = SECONDS_TO_ANSWER) -> None:
        super().__init__(Moment("waiting", 0, source.bytes, f"The download of {source.title} is about to start."))
        self.source = source
        self.folder = folder
        self.seconds = seconds
        self._response: requests.Response | None = None

    def cancel(self, sentence: str | None = None) -> bool:
        """End it at once for all who watch; the thread then tidies up. Return False where it had ended already."""
        cancelled = super().cancel(sentence or f"{self.source.title} was cancelled, and nothing of it is kept.")
        if cancelled and self._response is not None:
            with suppress(Exception):  # the connection may have ended by itself
                self._response.raw.shutdown()  # wakes the thread, which may be waiting for a slow server
        return cancelled

    def run(self, before: "Download | None", convert: Convert | None) -> None:
        """Fetch and convert once the download `before` has tidied up; whatever happens becomes the sentence."""
        try:
            if before is not None:
                before.wait()  # one that was cancelled while its server was silent takes up to 30 seconds
            if not place_of(self.source.name, self.folder).exists():
                self.check()
                delete_abandoned(self.folder)
                if reason := refusal(self.source, self.folder):
                    return self.end("failed", reason)
                self._fetch_and_convert(convert)
            self.end(
                "ready", f"{self.source.title} is ready: {self.source.words:,} words, {self.source.dim} numbers each."
            )
        except Exception as error:  # whatever the network, the disk or the file does becomes a sentence on the page
            self.end("failed", explanation(error, self.source, self.folder, self.seconds))
        finally:
            self.tidied_up()

    def _fetch_and_convert(self, convert: Convert | None) -> None:
        place = place_of(self.source.name, self.folder)
        with work_folder(self.folder) as work:
            file = fetch(self.source, work, self._on_answer, self._on_bytes, self.seconds)
            self._on_words(0, self.source.words)
            try:
                (convert or _converter())(file, place, self._on_words)
            except Exception:
                if not place.exists():  # else another process that shares the folder was faster, and all is well
                    raise

    def _on_answer(self, response: requests.Response) -> None:
        self._response = response  # before looking whether it was cancelled, so that one of the two threads sees both
        self._on_bytes(0)

    def _on_bytes(self, done: int) -> None:
        total, size = self.source.bytes, readable_bytes(self.source.bytes)
        if done < total:
            sentence = f"Downloading {self.source.title}: {readable_bytes(done)} of {size} ({100 * done // total} %)."
            self.move_on("downloading", done, total, sentence)
        else:
            self.move_on("checking", done, total, f"Checking that all {size} are as they were published.")

    def _on_words(self, done: int, total: int) -> None:
        self.move_on("converting", done, total, f"Preparing {self.source.title}: {done:,} of {total:,} words.")


def _converter() -> Convert:
    from components.core.word_vectors import convert  # only here: it brings gensim

    return convert


_lock = Lock()
_current: Download | None = None


def current() -> Download | None:
    """Return the download that was started last in this process, by whichever session; None before the first."""
    return _current


def start(name: str, convert: Convert | None = None, seconds: tuple[float, float] = SECONDS_TO_ANSWER) -> Download:
    """Fetch the vectors `name` in the background and return the download at once, the one in progress if it is theirs.

    `convert(source, target, progress)` turns the file into vectors at `target`, whole or not at all; word_vectors has
    the real one. `seconds` is how long to wait for a connection, and for each piece of the file. All that goes wrong
    later is in the download's sentence. Raises ValueError for an unknown name, and while other vectors are fetched.
    """
    global _current
    source = source_named(name)
    with _lock:
        before = _current
        if before is not None and before.running:
            if before.source.name == name:
                return before
            raise ValueError(
                f"{before.source.title} is being fetched, and only one download runs at a time: wait for it or cancel "
                f"it, then start {source.title}."
            )
        download = Download(source, cache_folder(), seconds)
        Thread(target=download.run, args=(before, convert), daemon=True).start()
        _current = download  # only now: a thread that cannot start must not keep others waiting
        return download


@atexit.register
def _stop() -> None:
    # Python would drop the thread where it is, and leave half a file on the disk.
    if _current is not None and not _current.wait(0.0):
        _current.cancel()
        _current.wait(SECONDS_TO_TIDY_UP)
