"""Byte-pair encoding (BPE) tokenizers: GPT-2's works offline, the larger ones are downloaded once by tiktoken."""

import time
from collections.abc import Sequence
from concurrent.futures import Future, wait
from functools import cache
from threading import Lock, Thread
from typing import Protocol, runtime_checkable

import tiktoken
import tiktoken.load

from components.text.gpt2 import gpt2_encoding, gpt2_ranks
from components.text.tokenizer_cache import CACHE_VARIABLE, delete_partial_files, limit_downloads, problem_of

DOWNLOADS = {"cl100k_base": "1.7 MB", "o200k_base": "3.6 MB"}
WAIT_SECONDS = 2.0  # of a page for a download that goes on in the background
RETRY_SECONDS = 60.0  # then a failed download is tried again, and one without an end is reported as failed


@runtime_checkable
class Tokenizer(Protocol):
    """The interface of all tokenizers; `Vocabulary` has it as well."""

    name: str
    n_vocab: int

    def encode(self, text: str) -> list[int]: ...
    def decode(self, token_ids: Sequence[int]) -> str: ...
    def token_bytes(self, token_id: int) -> bytes: ...


class TokenizerUnavailable(Exception):
    """A tokenizer is not on this machine, or not yet. The message is shown to learners."""


class BytePairTokenizer:
    """A tiktoken Encoding; special tokens in the text are treated as text."""

    def __init__(self, encoding: tiktoken.Encoding) -> None:
        self.encoding = encoding
        self.name = encoding.name
        self.n_vocab = encoding.n_vocab

    def encode(self, text: str) -> list[int]:
        """Return the token IDs of a text."""
        return self.encoding.encode_ordinary(text)

    def decode(self, token_ids: Sequence[int]) -> str:
        """Return the text of token IDs; incomplete characters become �."""
        return self.encoding.decode(list(token_ids))

    def token_bytes(self, token_id: int) -> bytes:
        """Return the bytes of one token. Raises KeyError for an unknown ID."""
        return self.encoding.decode_single_token_bytes(token_id)


@cache
def _gpt2() -> BytePairTokenizer:
    return BytePairTokenizer(gpt2_encoding(gpt2_ranks()))


# tiktoken has no timeout, and its lock would block the loading of all other tokenizers meanwhile.
tiktoken.load.read_file = limit_downloads(tiktoken.load.read_file)

_lock = Lock()
_loading: dict[str, tuple[float, Future]] = {}  # for each name: when its loading started, and its result


def _start_loading(name: str) -> tuple[float, Future]:
    """Start loading `name` in a thread, once for all sessions; return the start time and the future."""
    with _lock:
        started, future = _loading.get(name, (0.0, None))
        failed = future is not None and future.done() and future.exception() is not None
        if future is None or (failed and time.monotonic() - started > RETRY_SECONDS):
            started, future = _loading[name] = (time.monotonic(), Future())
            Thread(target=_load, args=(name, future), daemon=True).start()
        return started, future


def _load(name: str, future: Future) -> None:
    try:
        tokenizer = BytePairTokenizer(tiktoken.get_encoding(name))
        delete_partial_files()
    except Exception as error:  # any error of the network or the disk is explained on the page
        delete_partial_files(error)
        future.set_exception(error)
    else:
        future.set_result(tokenizer)


def get_tokenizer(name: str, timeout: float = WAIT_SECONDS) -> Tokenizer:
    """Return the tokenizer `name`: "gpt2" at once, "cl100k_base" and "o200k_base" once they have been downloaded.

    Raises ValueError for another name, and TokenizerUnavailable if the tokenizer is not loaded within `timeout`
    seconds; loading then continues in the background.

    >>> gpt2 = get_tokenizer("gpt2")
    >>> gpt2.encode(" café"), gpt2.n_vocab
    ([40304], 50257)
    >>> gpt2.token_bytes(40304)
    b' caf\\xc3\\xa9'
    """
    if name == "gpt2":
        return _gpt2()
    if name not in DOWNLOADS:
        raise ValueError(f"There is no tokenizer {name!r}: choose gpt2, {' or '.join(DOWNLOADS)}.")
    started, future = _start_loading(name)
    late = time.monotonic() - started > RETRY_SECONDS
    if not wait([future], 0 if late else timeout).done:
        state = f"was not downloaded within {RETRY_SECONDS:.0f} seconds" if late else "is still being downloaded"
    elif error := future.exception():
        state = problem_of(error, DOWNLOADS[name])
    else:
        return future.result()
    raise TokenizerUnavailable(
        f"The vocabulary of {name} ({DOWNLOADS[name]}) {state}. It is downloaded once, or read from the folder named "
        f"by {CACHE_VARIABLE}; until then choose gpt2, which works offline."
    )
