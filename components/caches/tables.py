"""Embedding tables, cached for all sessions: bounded in bytes, never changed.

Streamlit's caches count entries; tables differ in size by a factor of a million, so this cache counts bytes.

If D is a multiple of 16, torch samples the numbers of a table block after block, so a table with fewer rows
is the beginning of one with more: the longest table serves all shorter ones, and a change of V costs nothing.

A run keeps its table until it ends, so a table evicted from the cache still takes memory. A new table is sampled when
those in memory leave room for it; a run keeps a table for a fraction of a second, so the wait is short. The numbers of
a table are a NumPy array: as long as any tensor shares its memory, a weak reference to the array finds it.
"""

from threading import Lock
from time import monotonic, sleep
from weakref import WeakValueDictionary

import numpy as np
import torch
from cachetools import LRUCache
from torch import Tensor, nn

from components.base.limits import (
    MAX_CONTEXT_LENGTH,
    MAX_POSITION_BYTES_CACHED,
    MAX_TABLE_BYTES,
    MAX_TABLE_BYTES_CACHED,
    table_bytes,
)
from components.base.settings import Settings
from components.caches.shared import shared
from components.caches.trained import gpt2_positions, mapped
from components.downloads.gpt2 import TOKENS
from components.embedding.positions import learned_positions, sinusoidal_positions
from components.embedding.tables import NORMAL_BLOCK, token_table
from components.embedding.walkthrough import Tables, position_table

_tables: LRUCache = LRUCache(MAX_TABLE_BYTES, getsizeof=lambda numbers: numbers.nbytes)
_in_memory: WeakValueDictionary[tuple, np.ndarray] = WeakValueDictionary()  # by key and number of rows
_looking, _sampling = Lock(), Lock()
SECONDS_TO_WAIT = 5.0
_sharing = shared(MAX_POSITION_BYTES_CACHED, lambda table: table.nbytes)  # one cache for both kinds
_cached_positions, _cached_sinusoids = map(_sharing, (learned_positions, sinusoidal_positions))


def shared_token_table(vocab_size: int, dim: int, seed: int) -> nn.Embedding:
    """Return the token embedding table [V, D], shared with other sessions."""
    of_one_stream = dim % NORMAL_BLOCK == 0
    key = (dim, seed) if of_one_stream else (vocab_size, dim, seed)
    numbers = _existing(key, vocab_size)
    if numbers is None:
        with _sampling:  # one at a time; a run that needs its table again finds it without waiting here
            numbers = _existing(key, vocab_size)
            if numbers is None:
                numbers = _sampled(key, vocab_size, dim, seed)
    return nn.Embedding(vocab_size, dim, _weight=torch.from_numpy(numbers)[:vocab_size])


def _existing(key: tuple, vocab_size: int) -> np.ndarray | None:
    """Return a table with at least so many rows that is in the cache, or evicted but in use; None if there is none."""
    with _looking:
        _tables.get(key)  # if it is there, it is now the one used last
        # All of them: an iteration that is left would end without the lock, and then delete from the dictionary.
        alive = [numbers for (its_key, _), numbers in _in_memory.items() if its_key == key]
    return next((numbers for numbers in alive if len(numbers) >= vocab_size), None)


def _sampled(key: tuple, vocab_size: int, dim: int, seed: int) -> np.ndarray:
    """Sample a table and store it; others are evicted before, so that all are never in memory at once."""
    size = table_bytes(vocab_size, dim)
    with _looking:
        _tables.pop(key, None)
        while _tables and _tables.currsize + size > MAX_TABLE_BYTES_CACHED:
            _tables.popitem()
    _wait_for_memory(size)
    numbers = token_table(vocab_size, dim, seed).weight.detach().numpy()
    with _looking:
        _tables[key] = _in_memory[key, vocab_size] = numbers
    return numbers


def _wait_for_memory(size: int) -> None:
    """Wait until the tables in memory leave room for `size` bytes, but not for ever: a run may need two tables."""
    deadline = monotonic() + SECONDS_TO_WAIT  # from its turn on: of a long queue all would go on at once
    while monotonic() < deadline:
        with _looking:
            taken = sum(numbers.nbytes for numbers in _in_memory.values())
        if taken + size <= MAX_TABLE_BYTES:
            return
        sleep(0.01)


def tables(settings: Settings, ids: Tensor | None = None) -> Tables:
    """Return both tables of these settings; the token embedding table is that of `tokens`."""
    return Tables(tokens(settings, ids), positions(settings))


def positions(settings: Settings) -> Tensor | None:
    """Return the position embeddings of these settings alone, as in `tables`."""
    learned = (lambda length, *_: gpt2_positions()[:length]) if settings.trained else shared_learned_positions
    return position_table(settings, learned, _cached_sinusoids)


def tokens(settings: Settings, ids: Tensor | None = None) -> nn.Embedding:
    """Return the token embedding table of these settings: the shared one, or GPT-2's mapped one.

    With `ids` it may end with the largest of them: the rows after it are not sampled if no other row depends on them.
    """
    if settings.trained:
        return nn.Embedding.from_pretrained(mapped(TOKENS))
    is_part = ids is not None and settings.dim % NORMAL_BLOCK == 0
    return shared_token_table(int(ids.max()) + 1 if is_part else settings.vocab_size, settings.dim, settings.seed)


def shared_learned_positions(length: int, dim: int, vocab_size: int, seed: int) -> Tensor:
    """Return the learned position embedding table [T, D], shared with other sessions."""
    sampled = MAX_CONTEXT_LENGTH if dim % NORMAL_BLOCK == 0 else length  # then a change of T costs nothing
    return _cached_positions(sampled, dim, vocab_size, seed)[:length]
