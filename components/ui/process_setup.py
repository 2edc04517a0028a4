"""What is set up once per process: memory, threads, and the imports that every lesson needs."""

import contextlib
import ctypes
import gc
import sys
from functools import cache
from threading import Timer

from components.ui.imports import import_part

WARM_UP_SECONDS = 2.0  # after the first page: by then the browser has what it needs to render
# A run sends dozens of elements to the thread that writes to the network. With Python's 5 ms the two interrupt each
# other, which costs a tenth of a rerun.
SWITCH_INTERVAL_SECONDS = 0.02

# Parameters of glibc's malloc by their numbers in malloc.h, and their values.
M_MMAP_THRESHOLD, LARGE_BLOCK = -3, 128 * 1024  # bytes
M_ARENA_MAX, ARENAS = -8, 2


@cache
def configure_process() -> None:
    """Configure memory and threads, and start the imports soon; called in every run, has an effect once."""
    configure_malloc()
    sys.setswitchinterval(SWITCH_INTERVAL_SECONDS)
    timer = Timer(WARM_UP_SECONDS, import_all)
    timer.daemon = True
    timer.start()


def import_all() -> None:
    """Import what most pages need, and exclude it from garbage collection: one would take about 100 ms.

    gensim is imported with Word2vec only: it takes 67 MB.
    """
    for module in ("torch", "altair", "components.ui.batch"):
        import_part(module)
    import_part("components.text.tokenizers").get_tokenizer("gpt2")
    gc.collect()
    gc.freeze()


def configure_malloc() -> None:
    """Have glibc return freed tables to the system at once; with another C library nothing is done.

    By default glibc raises its threshold with the first freed table and then keeps blocks of up to 32 MB in every
    thread: with twenty learners that is 250 MB in use by nobody.
    """
    with contextlib.suppress(OSError, AttributeError, TypeError):  # another C library, or Windows
        mallopt = ctypes.CDLL(None).mallopt
        mallopt(M_MMAP_THRESHOLD, LARGE_BLOCK)
        mallopt(M_ARENA_MAX, ARENAS)
