"""Once per process: imports in the background, freed memory given back, the theme kept, longer turns of threads."""

import contextlib
import ctypes
import gc
import sys
from functools import cache
from threading import Timer

from components.ui.theme import keep_theme

SECONDS_AFTER_FIRST_PAGE = 2.0  # by then the browser has what it needs to draw
# A run hands a hundred parts of a page to the thread that sends them: with Python's 5 ms the two take its lock from
# each other in mid-work, which costs a tenth of a rerun.
SECONDS_OF_A_TURN = 0.02

# Settings of glibc's malloc by their numbers in malloc.h, and the values given to them.
M_MMAP_THRESHOLD, LARGE_BLOCK = -3, 128 * 1024  # bytes
M_ARENA_MAX, ARENAS = -8, 2


@cache
def warm_up() -> None:
    """Start the imports soon; called at the end of a page, when the learner already sees it."""
    give_memory_back()
    keep_theme()
    sys.setswitchinterval(SECONDS_OF_A_TURN)
    timer = Timer(SECONDS_AFTER_FIRST_PAGE, import_all)
    timer.daemon = True
    timer.start()


def import_all() -> None:
    """Import what the pages need sooner or later, and set it apart from what is collected as garbage."""
    import torch  # noqa: F401, I001
    import altair  # noqa: F401
    import gensim.models  # noqa: F401

    from components.core.tokenizers import get_tokenizer

    get_tokenizer("gpt2")
    # What is loaded by now stays for good: later garbage collections need not walk through it (about 100 ms each).
    gc.collect()
    gc.freeze()


def give_memory_back() -> None:
    """Have glibc return freed tables to the system at once; with another C library nothing is done.

    Left alone, glibc learns from the first freed table to keep blocks of up to 32 MB for later, in every thread:
    twenty learners then hold 250 MB that nobody uses.
    """
    with contextlib.suppress(OSError, AttributeError):
        mallopt = ctypes.CDLL(None).mallopt
        mallopt(M_MMAP_THRESHOLD, LARGE_BLOCK)
        mallopt(M_ARENA_MAX, ARENAS)
