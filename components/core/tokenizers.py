"""Byte-pair tokenizers under one roof; GPT-2's works offline, the larger ones come from tiktoken's cache or download.

GPT-2's table follows Radford et al. (2019), "Language Models are Unsupervised Multitask Learners", section 2.2.
"""

import gzip
import hashlib
import time
import zlib
from collections.abc import Sequence
from concurrent.futures import Future, wait
from functools import cache
from pathlib import Path
from threading import Lock, Thread
from typing import Protocol, runtime_checkable

import tiktoken
import tiktoken.load
from tiktoken_ext.openai_public import r50k_pat_str

from components.core.tokenizer_cache import CACHE_VARIABLE, bounded, delete_halves, problem_of

MERGES = Path(__file__).parents[1] / "data" / "gpt2_merges.bpe.gz"
MERGES_SHA256 = "1ce1664773c50f3e0cc8842619a93edc4624525b728b188a9e0be33b7726adc5"
DOWNLOADS = {"cl100k_base": "1.7 MB", "o200k_base": "3.6 MB"}
SECONDS_TO_WAIT = 2.0  # what a learner waits before the page goes on without it
SECONDS_TO_RETRY = 60.0  # a failed download is asked for again after this, a hanging one given up


@runtime_checkable
class Tokenizer(Protocol):
    """What every tokenizer here can do; `Vocabulary` answers to it as well."""

    name: str
    n_vocab: int

    def encode(self, text: str) -> list[int]: ...
    def decode(self, token_ids: Sequence[int]) -> str: ...
    def token_bytes(self, token_id: int) -> bytes: ...


class TokenizerUnavailable(Exception):
    """A tokenizer's table is not on this machine, or not yet; the message says what is missing."""


class BytePairTokenizer:
    """A tiktoken Encoding; special tokens in the text are treated as text."""

    def __init__(self, encoding: tiktoken.Encoding) -> None:
        self.encoding = encoding
        self.name = encoding.name
        self.n_vocab = encoding.n_vocab

    def encode(self, text: str) -> list[int]:
        return self.encoding.encode(text, disallowed_special=())

    def decode(self, token_ids: Sequence[int]) -> str:
        return self.encoding.decode(list(token_ids))

    def token_bytes(self, token_id: int) -> bytes:
        return self.encoding.decode_single_token_bytes(token_id)


def gpt2_ranks() -> dict[bytes, int]:
    """Return GPT-2's 50,256 tokens with their IDs: 256 single bytes, then one token for each published merge.

    Raises ValueError where the shipped list is not the published one.

    >>> ranks = gpt2_ranks()
    >>> len(ranks), ranks[b" the"]
    (50256, 262)
    """
    try:
        merges = gzip.decompress(MERGES.read_bytes())
    except (OSError, EOFError, zlib.error):
        merges = b""
    if hashlib.sha256(merges).hexdigest() != MERGES_SHA256:
        raise ValueError(f"{MERGES.name} is not GPT-2's published merge list: install the app again.")
    printable = [b for b in range(256) if chr(b).isprintable() and chr(b) != " "]
    order = printable + [b for b in range(256) if b not in printable]
    # The list writes the 188 printable bytes as themselves and the others as the characters from U+0100 on.
    spelled = {chr(b) if i < len(printable) else chr(256 + i - len(printable)): b for i, b in enumerate(order)}
    ranks = {bytes([b]): i for i, b in enumerate(order)}
    for pair in merges.decode("utf-8").splitlines()[1:]:
        ranks[bytes(spelled[c] for c in pair.replace(" ", "", 1))] = len(ranks)
    return ranks


@cache
def _gpt2() -> BytePairTokenizer:
    ranks = gpt2_ranks()
    special_tokens = {"<|endoftext|>": len(ranks)}
    return BytePairTokenizer(
        tiktoken.Encoding("gpt2", pat_str=r50k_pat_str, mergeable_ranks=ranks, special_tokens=special_tokens)
    )


# tiktoken would wait for ever, and let no other table be loaded meanwhile.
tiktoken.load.read_file = bounded(tiktoken.load.read_file)

_lock = Lock()
_asked: dict[str, tuple[float, Future]] = {}


def _fetch(name: str) -> tuple[float, Future]:
    """Start loading `name` in a thread of its own, once for all sessions; return when that was, and the promise."""
    with _lock:
        when, future = _asked.get(name, (0.0, None))
        failed = future is not None and future.done() and future.exception() is not None
        if future is None or (failed and time.monotonic() - when > SECONDS_TO_RETRY):
            when, future = _asked[name] = (time.monotonic(), Future())
            Thread(target=_load, args=(name, future), daemon=True).start()
        return when, future


def _load(name: str, future: Future) -> None:
    try:
        table = BytePairTokenizer(tiktoken.get_encoding(name))
        delete_halves()
    except Exception as error:  # whatever the network or the disk raises becomes the sentence on the page
        delete_halves(error)
        future.set_exception(error)
    else:
        future.set_result(table)


def get_tokenizer(name: str, timeout: float = SECONDS_TO_WAIT) -> Tokenizer:
    """Return the byte-pair tokenizer `name`: "gpt2" at once, "cl100k_base" and "o200k_base" when they are here.

    Raises ValueError for another name, and TokenizerUnavailable when the table is not here within `timeout` seconds;
    the loading then goes on in the background.

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
    when, future = _fetch(name)
    late = time.monotonic() - when > SECONDS_TO_RETRY
    if not wait([future], 0 if late else timeout).done:
        state = f"did not arrive within {SECONDS_TO_RETRY:.0f} seconds" if late else "is still on its way"
    elif error := future.exception():
        state = problem_of(error, DOWNLOADS[name])
    else:
        return future.result()
    raise TokenizerUnavailable(
        f"The table of {name} ({DOWNLOADS[name]}) {state}. It comes from the internet once, or from the folder "
        f"named by {CACHE_VARIABLE}; until then choose gpt2, which works offline."
    )
