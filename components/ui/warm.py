"""Import the heavy libraries in the background, so that the first page paints before them and the next has them."""

import gc
from functools import cache
from threading import Thread


@cache
def warm_up() -> None:
    """Start the imports, once per process; called at the end of a page, when the learner already sees it."""
    Thread(target=_import_all, daemon=True).start()


def _import_all() -> None:
    import torch  # noqa: F401, I001
    import altair  # noqa: F401

    from components.core.tokenizers import get_tokenizer

    get_tokenizer("gpt2")
    # What is loaded by now stays for good: later garbage collections need not walk through it (about 100 ms each).
    gc.collect()
    gc.freeze()
