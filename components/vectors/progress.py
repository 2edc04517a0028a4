"""The progress of a job in another thread, which every session can read and cancel."""

from dataclasses import dataclass, replace
from threading import Event, Lock
from typing import Literal

Phase = Literal["waiting", "downloading", "checking", "converting", "ready", "failed", "cancelled"]
RUNNING = ("waiting", "downloading", "checking", "converting")


@dataclass(frozen=True)
class Moment:
    """A snapshot of the progress: `done` of `total` bytes, or words during conversion, and a message for learners."""

    phase: Phase
    done: int
    total: int
    message: str

    @property
    def running(self) -> bool:
        """Whether the job has not ended yet."""
        return self.phase in RUNNING


class Cancelled(Exception):
    """Raised in the thread of the job once a session has cancelled it."""


class Progress:
    """The state of one job: any thread may read or cancel it, one thread updates it.

    >>> job = Progress(Moment("waiting", 0, 8, "Starting."))
    >>> job.update("downloading", 2, 8, "2 of 8 bytes.")
    >>> job.cancel("Cancelled.")
    True
    >>> job.end("failed", "The connection was closed.")  # because it was cancelled
    >>> job.moment
    Moment(phase='cancelled', done=2, total=8, message='Cancelled.')
    """

    def __init__(self, moment: Moment) -> None:
        self._lock = Lock()
        self._finished = Event()
        self._moment = moment  # replaced as a whole, so that a reader without the lock gets consistent fields

    @property
    def moment(self) -> Moment:
        """The current progress, all of it from the same moment."""
        return self._moment

    @property
    def phase(self) -> Phase:
        """The current phase, or the final one."""
        return self._moment.phase

    @property
    def message(self) -> str:
        """The message for learners: what is being done, or what happened and what to do."""
        return self._moment.message

    @property
    def running(self) -> bool:
        """Whether the job has not ended yet."""
        return self._moment.running

    def wait(self, seconds: float | None = None) -> bool:
        """Wait up to `seconds`, or without limit, until the thread has finished; return whether it has."""
        return self._finished.wait(seconds)

    def check(self) -> None:
        """Raise Cancelled if a session has cancelled the job."""
        if self.phase == "cancelled":
            raise Cancelled

    def update(self, phase: Phase, done: int, total: int, message: str) -> None:
        """Set the progress. Raises Cancelled if a session has cancelled the job."""
        with self._lock:
            self.check()
            self._moment = Moment(phase, done, total, message)

    def end(self, phase: Phase, message: str) -> None:
        """Set the final phase; a cancelled job stays cancelled unless it is ready after all."""
        with self._lock:
            if self.phase != "cancelled" or phase == "ready":
                self._moment = replace(self._moment, phase=phase, message=message)

    def cancel(self, message: str) -> bool:
        """Set the phase to cancelled. Return False if the job had ended already."""
        with self._lock:
            running = self.running
            if running:
                self._moment = replace(self._moment, phase="cancelled", message=message)
        return running

    def finish(self) -> None:
        """Wake all waiting threads: the thread of the job has ended and deleted its temporary files."""
        self._finished.set()
