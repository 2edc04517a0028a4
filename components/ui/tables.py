"""Token tables that sessions share: drawn once, bounded in bytes, never changed.

Streamlit's caches count entries; tables here differ in size by a factor of a million, so these count bytes.

Where D is a multiple of 16, torch draws the numbers of a table strictly one after the other, so a table with fewer
rows is the beginning of one with more: the longest asked for serves them all, and moving V costs nothing.
"""

from threading import Condition, RLock

from cachetools import LRUCache, cached
from torch import Generator, nn

from components.core.embeddings import DRAWN_IN_BLOCKS, token_table
from components.core.limits import MAX_TABLE_BYTES_CACHED, table_bytes
from components.core.settings import Settings
from components.core.walkthrough import Tables, generator_after, position_vectors

_tables: LRUCache = LRUCache(MAX_TABLE_BYTES_CACHED, getsizeof=lambda table: table_bytes(*table.weight.shape))
_drawing = RLock()
_after = cached(LRUCache(64), condition=Condition())(generator_after)


def shared_token_table(vocab_size: int, dim: int, seed: int) -> nn.Embedding:
    """Return the token table [V, D], which other sessions read as well."""
    of_one_stream = dim % DRAWN_IN_BLOCKS == 0
    key = (dim, seed) if of_one_stream else (vocab_size, dim, seed)
    with _drawing:
        table = _tables.get(key)
        if table is None or table.num_embeddings < vocab_size:
            _tables.pop(key, None)
            while _tables.currsize + table_bytes(vocab_size, dim) > _tables.maxsize:
                _tables.popitem()  # before the new one is drawn, so that the two never stand beside each other
            table = _tables[key] = token_table(vocab_size, dim, seed)
    if table.num_embeddings == vocab_size:
        return table
    return nn.Embedding(vocab_size, dim, _weight=table.weight.detach()[:vocab_size])


def tables(settings: Settings) -> Tables:
    """Return both tables of these settings; the token table is the shared one."""
    token = shared_token_table(settings.vocab_size, settings.dim, settings.seed)

    def after() -> Generator:
        return _after(settings.vocab_size, settings.dim, settings.seed)

    return Tables(token, position_vectors(settings, after))
