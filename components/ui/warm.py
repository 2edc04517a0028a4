"""Once per process: the heavy libraries imported in the background, and freed memory given back to the system."""

import contextlib
import ctypes
import gc
from functools import cache
from threading import Timer

SECONDS_AFTER_FIRST_PAGE = 2.0  # by then the browser has what it needs to draw

# Settings of glibc's malloc by their numbers in malloc.h, and the values given to them.
M_MMAP_THRESHOLD, LARGE_BLOCK = -3, 128 * 1024  # bytes
M_ARENA_MAX, ARENAS = -8, 2


@cache
def warm_up() -> None:
    """Start the imports soon; called at the end of a page, when the learner already sees it."""
    _give_memory_back()
    timer = Timer(SECONDS_AFTER_FIRST_PAGE, _import_all)
    timer.daemon = True
    timer.start()


def _import_all() -> None:
    import torch  # noqa: F401, I001
    import altair  # noqa: F401
    import gensim.models  # noqa: F401

    from components.core.tokenizers import get_tokenizer

    get_tokenizer("gpt2")
    # What is loaded by now stays for good: later garbage collections need not walk through it (about 100 ms each).
    gc.collect()
    gc.freeze()


def _give_memory_back() -> None:
    """Have glibc return freed tables to the system at once; with another C library nothing is done.

    Left alone, glibc learns from the first freed table to keep blocks of up to 32 MB for later, in every thread:
    twenty learners then hold 250 MB that nobody uses.
    """
    with contextlib.suppress(OSError, AttributeError):
        mallopt = ctypes.CDLL(None).mallopt
        mallopt(M_MMAP_THRESHOLD, LARGE_BLOCK)
        mallopt(M_ARENA_MAX, ARENAS)
