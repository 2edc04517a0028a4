"""Import the heavy libraries in the background, so that the first page paints before them and the next has them."""

import gc
from functools import cache
from threading import Timer

SECONDS_AFTER_FIRST_PAGE = 2.0  # by then the browser has what it needs to draw


@cache
def warm_up() -> None:
    """Start the imports soon, once per process; called at the end of a page, when the learner already sees it."""
    timer = Timer(SECONDS_AFTER_FIRST_PAGE, _import_all)
    timer.daemon = True
    timer.start()


def _import_all() -> None:
    import torch  # noqa: F401, I001
    import altair  # noqa: F401

    from components.core.tokenizers import get_tokenizer

    get_tokenizer("gpt2")
    # What is loaded by now stays for good: later garbage collections need not walk through it (about 100 ms each).
    gc.collect()
    gc.freeze()
