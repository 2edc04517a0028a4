"""Embedding tables, cached for all sessions: bounded in bytes, never changed.

Streamlit's caches count entries; tables differ in size by a factor of a million, so this cache counts bytes.

If D is a multiple of 16, torch samples the numbers of a table strictly one after the other, so a table with fewer rows
is the beginning of one with more: the longest table serves all shorter ones, and a change of V costs nothing.

A run keeps its table until it ends, so a table evicted from the cache still takes memory. A new table is sampled when
those in memory leave room for it; a run keeps a table for a fraction of a second, so the wait is short.
"""

from threading import Condition, RLock
from time import monotonic, sleep
from weakref import WeakSet

from cachetools import LRUCache, cached
from torch import Tensor, nn

from components.base.limits import (
    MAX_CONTEXT_LENGTH,
    MAX_POSITION_BYTES_CACHED,
    MAX_TABLE_BYTES,
    MAX_TABLE_BYTES_CACHED,
    table_bytes,
)
from components.base.settings import Settings
from components.embedding.positions import learned_positions
from components.embedding.tables import NORMAL_BLOCK, token_table
from components.embedding.walkthrough import Tables, position_embeddings

_tables: LRUCache = LRUCache(MAX_TABLE_BYTES_CACHED, getsizeof=lambda table: table_bytes(*table.weight.shape))
_in_memory: WeakSet[nn.Embedding] = WeakSet()
_drawing = RLock()
SECONDS_TO_WAIT = 5.0
_positions: LRUCache = LRUCache(MAX_POSITION_BYTES_CACHED, getsizeof=lambda table: table.nbytes)
_cached_positions = cached(_positions, condition=Condition())(learned_positions)


def shared_token_table(vocab_size: int, dim: int, seed: int) -> nn.Embedding:
    """Return the token embedding table [V, D], shared with other sessions."""
    of_one_stream = dim % NORMAL_BLOCK == 0
    key = (dim, seed) if of_one_stream else (vocab_size, dim, seed)
    with _drawing:
        table = _tables.get(key)
        if table is None or table.num_embeddings < vocab_size:
            _tables.pop(key, None)
            while _tables.currsize + table_bytes(vocab_size, dim) > _tables.maxsize:
                _tables.popitem()  # before sampling the new table, so that both are never in memory at once
            del table
            _wait_for_memory(table_bytes(vocab_size, dim))
            table = _tables[key] = token_table(vocab_size, dim, seed)
            _in_memory.add(table)
    if table.num_embeddings == vocab_size:
        return table
    shorter = nn.Embedding(vocab_size, dim, _weight=table.weight.detach()[:vocab_size])
    shorter.longer = [table]  # keeps the table in `_in_memory`; in a list, since a module would become a submodule
    return shorter


def _wait_for_memory(size: int) -> None:
    """Wait until the tables in memory leave room for `size` bytes, but not for ever: a run may need two tables."""
    deadline = monotonic() + SECONDS_TO_WAIT
    while monotonic() < deadline:
        if sum(table_bytes(*table.weight.shape) for table in list(_in_memory)) + size <= MAX_TABLE_BYTES:
            return
        sleep(0.01)


def tables(settings: Settings) -> Tables:
    """Return both tables of these settings; the token embedding table is the shared one."""
    token = shared_token_table(settings.vocab_size, settings.dim, settings.seed)
    return Tables(token, position_embeddings(settings, shared_learned_positions))


def shared_learned_positions(length: int, dim: int, vocab_size: int, seed: int) -> Tensor:
    """Return the learned position embedding table [T, D], shared with other sessions."""
    sampled = MAX_CONTEXT_LENGTH if dim % NORMAL_BLOCK == 0 else length  # then a change of T costs nothing
    return _cached_positions(sampled, dim, vocab_size, seed)[:length]
