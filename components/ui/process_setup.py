"""What is set up once per process: memory, threads, the log, and the imports that every lesson needs."""

import contextlib
import ctypes
import gc
import logging
import os
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from textwrap import indent
from threading import Timer
from typing import Any

import streamlit as st

from components.base.learner_text import show_hidden
from components.caches.shared import shared
from components.ui.imports import import_part

WARM_UP_SECONDS = 2.0  # after the first page: by then the browser has what it needs to render
SECONDS_BETWEEN_FREEZES = 3_600.0  # each takes about 150 ms
# A run sends dozens of elements to the thread that writes to the network. With Python's 5 ms the two interrupt each
# other, which costs a tenth of a rerun.
SWITCH_INTERVAL_SECONDS = 0.02

MAX_LOG_CHARS, MAX_TRACEBACK_CHARS = 2_000, 20_000  # of a message, of a traceback
STREAMLIT, APP = (f"{folder}{os.sep}" for folder in (Path(st.__file__).parent, Path(__file__).parents[1]))

# Parameters of glibc's malloc by their numbers in malloc.h, and their values.
M_MMAP_THRESHOLD, LARGE_BLOCK = -3, 128 * 1024  # bytes
M_ARENA_MAX, ARENAS = -8, 2

# When a container is opened first, Streamlit makes its variable for the open ones. If the first runs of two sessions at
# once made one each, a run could lose what it has opened, and fail. This module is imported by one thread.
with st.sidebar:
    pass


@shared(1)
def configure_process() -> None:
    """Configure memory, threads and the log, and start the imports soon; called in every run, has an effect once."""
    configure_malloc()
    logging.setLogRecordFactory(BoundedRecord)
    sys.setswitchinterval(SWITCH_INTERVAL_SECONDS)
    call_later(WARM_UP_SECONDS, import_all)


def call_later(seconds: float, function: Callable[[], None]) -> None:
    timer = Timer(seconds, function)
    timer.daemon = True
    timer.start()


def import_all() -> None:
    """Import what most pages need, and exclude it from garbage collection: one would take about 100 ms.

    gensim is imported with Word2vec only: it takes 67 MB.
    """
    for module in ("torch", "altair", "components.ui.batch"):
        import_part(module)
    import_part("components.text.tokenizers").get_tokenizer("gpt2")
    freeze()


def freeze() -> None:
    """Exclude all that is in memory from garbage collection, every hour anew.

    The sessions of this moment are excluded as well, after a restart those of a whole class. The next time those that
    have ended are collected.
    """
    gc.unfreeze()
    gc.collect()
    gc.freeze()
    call_later(SECONDS_BETWEEN_FREEZES, freeze)


def configure_malloc() -> None:
    """Have glibc return freed tables to the system at once; with another C library nothing is done.

    By default glibc raises its threshold with the first freed table and then keeps blocks of up to 32 MB in every
    thread: with twenty learners that is 250 MB in use by nobody.
    """
    with contextlib.suppress(OSError, AttributeError, TypeError):  # another C library, or Windows
        mallopt = ctypes.CDLL(None).mallopt
        mallopt(M_MMAP_THRESHOLD, LARGE_BLOCK)
        mallopt(M_ARENA_MAX, ARENAS)


class BoundedRecord(logging.LogRecord):
    """A log record of bounded length, in which a browser cannot forge another: some quote what it has sent.

    Streamlit's loggers do not propagate, so a handler or a filter of another logger would not get their records.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.exc_info and self.exc_info[1]:
            self.exc_text = bounded_traceback(self.exc_info[1])

    def getMessage(self) -> str:
        return one_line(super().getMessage())


def one_line(text: str) -> str:
    return bounded(text, MAX_LOG_CHARS).replace("\n", "⏎")


def bounded(text: str, limit: int) -> str:
    return show_hidden(f"{text[:limit]}… ({len(text):,} characters)" if len(text) > limit else text)


def bounded_traceback(error: BaseException) -> str:
    """Return the traceback of an error, indented; one line for an error that Streamlit itself raised.

    It does if a browser sends a value of a type that its widget cannot have, in most cases before the app runs.
    """
    frames = [each for each in traceback.extract_tb(error.__traceback__) if each.filename.startswith((STREAMLIT, APP))]
    if frames and frames[-1].filename.startswith(STREAMLIT):
        cause = one_line("".join(traceback.format_exception_only(error)).strip())
        lines = " < ".join(f"{Path(each.filename).name}:{each.lineno}" for each in reversed(frames[-8:]))
        return f"  {cause} at {lines}"
    return indent(bounded("".join(traceback.format_exception(error)), MAX_TRACEBACK_CHARS), "  ")
