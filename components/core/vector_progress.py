"""How far a piece of work in another thread is, safe to look at and to cancel from every session."""

from dataclasses import dataclass, replace
from threading import Event, Lock
from typing import Literal

Phase = Literal["waiting", "downloading", "checking", "converting", "ready", "failed", "cancelled"]
RUNNING = ("waiting", "downloading", "checking", "converting")


@dataclass(frozen=True)
class Moment:
    """How far the work is: `done` of `total` bytes, or words while they are converted, and that as a sentence."""

    phase: Phase
    done: int
    total: int
    sentence: str

    @property
    def running(self) -> bool:
        """Return whether the work has yet to end."""
        return self.phase in RUNNING


class Cancelled(Exception):
    """Raised in the thread that does the work once somebody has cancelled it."""


class Progress:
    """The state of one piece of work: read by many threads, moved on by one, cancelled by any.

    >>> work = Progress(Moment("waiting", 0, 8, "About to start."))
    >>> work.move_on("downloading", 2, 8, "2 of 8 bytes.")
    >>> work.cancel("Cancelled.")
    True
    >>> work.end("failed", "The connection broke off.")  # because it was cancelled
    >>> work.moment
    Moment(phase='cancelled', done=2, total=8, sentence='Cancelled.')
    """

    def __init__(self, moment: Moment) -> None:
        self._lock = Lock()
        self._over = Event()
        self._moment = moment  # replaced as a whole, so whoever reads it has parts that belong together

    @property
    def moment(self) -> Moment:
        """Return how far it is: one value, whose parts belong together."""
        return self._moment

    @property
    def phase(self) -> Phase:
        """Return what is being done, or how it ended."""
        return self._moment.phase

    @property
    def done(self) -> int:
        """Return how many bytes have arrived, or words have been converted."""
        return self._moment.done

    @property
    def total(self) -> int:
        """Return how many bytes, or words, there will be."""
        return self._moment.total

    @property
    def sentence(self) -> str:
        """Return for a learner what is being done, or what happened and what to do."""
        return self._moment.sentence

    @property
    def running(self) -> bool:
        """Return whether it has yet to end."""
        return self._moment.running

    def wait(self, seconds: float | None = None) -> bool:
        """Wait up to `seconds`, or without limit, until the thread has tidied up as well; return whether it has."""
        return self._over.wait(seconds)

    def check(self) -> None:
        """Raise Cancelled where somebody has cancelled."""
        if self.phase == "cancelled":
            raise Cancelled

    def move_on(self, phase: Phase, done: int, total: int, sentence: str) -> None:
        """Show that the work is so far; raises Cancelled where somebody has cancelled."""
        with self._lock:
            self.check()
            self._moment = Moment(phase, done, total, sentence)

    def end(self, phase: Phase, sentence: str) -> None:
        """Show how the work ended; failing is not news once it is cancelled, but what is ready after all is."""
        with self._lock:
            if self.phase != "cancelled" or phase == "ready":
                self._moment = replace(self._moment, phase=phase, sentence=sentence)

    def cancel(self, sentence: str) -> bool:
        """Show to all at once that the work is cancelled; return False where it had ended already."""
        with self._lock:
            running = self.running
            if running:
                self._moment = replace(self._moment, phase="cancelled", sentence=sentence)
        return running

    def tidied_up(self) -> None:
        """Let all who wait know that the thread has ended, with nothing left behind."""
        self._over.set()
