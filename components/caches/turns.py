"""Trainings take turns: a few at once in this process, so that the pages of those who do not train are not late."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from threading import Condition, Lock

from components.base.limits import MAX_TRAININGS_AT_ONCE

SECONDS_BETWEEN_LOOKS = 0.3
_queue: list[object] = []  # the trainings that run, and behind them those that wait, in the order in which they came
_changed = Condition()
# For trainings of a tenth of a second. Each of their many operations releases the GIL: two at once mostly wait for it.
torch_turn = Lock()
_show: ContextVar[Callable[[bool], None]] = ContextVar("show", default=lambda waits: None)


@contextmanager
def training_turn() -> Iterator[None]:
    """Wait for a turn, and keep it for the block."""
    show, ticket = _show.get(), object()
    with _changed:
        _queue.append(ticket)
    try:
        while not _may_begin(ticket):
            show(True)
        show(False)
        yield
    finally:
        with _changed:
            _queue.remove(ticket)
            _changed.notify_all()


def _may_begin(ticket: object) -> bool:
    with _changed:
        return _changed.wait_for(lambda: ticket in _queue[:MAX_TRAININGS_AT_ONCE], SECONDS_BETWEEN_LOOKS)


@contextmanager
def wait_shown_by(show: Callable[[bool], None]) -> Iterator[None]:
    """Call `show` while a training within waits, and with False when it begins; an exception from it ends the wait."""
    token = _show.set(show)
    try:
        yield
    finally:
        _show.reset(token)
