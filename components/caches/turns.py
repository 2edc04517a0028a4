"""Trainings take turns: a few at once in this process, so that the pages of those who do not train are not late."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from threading import BoundedSemaphore

from components.base.limits import MAX_TRAININGS_AT_ONCE

SECONDS_BETWEEN_LOOKS = 0.3
_turns = BoundedSemaphore(MAX_TRAININGS_AT_ONCE)
_show: ContextVar[Callable[[bool], None]] = ContextVar("show", default=lambda waits: None)


@contextmanager
def training_turn() -> Iterator[None]:
    """Wait for a turn, then train."""
    show = _show.get()
    while not _turns.acquire(timeout=SECONDS_BETWEEN_LOOKS):
        show(True)
    try:
        show(False)
        yield
    finally:
        _turns.release()


@contextmanager
def wait_shown_by(show: Callable[[bool], None]) -> Iterator[None]:
    """Call `show` while a training within waits, and with False when it begins; an exception from it ends the wait."""
    token = _show.set(show)
    try:
        yield
    finally:
        _show.reset(token)
