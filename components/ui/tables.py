"""Token tables that sessions share: drawn once for each V, D and seed, bounded in bytes, never changed.

Streamlit's caches count entries; tables here differ in size by a factor of a million, so this one counts bytes.
"""

from threading import Condition

from cachetools import LRUCache, cached

from components.core.limits import MAX_TABLE_BYTES_CACHED, table_bytes
from components.core.settings import Settings
from components.core.walkthrough import Tables, position_vectors, token_draw

_token_draw = cached(
    LRUCache(MAX_TABLE_BYTES_CACHED, getsizeof=lambda drawn: table_bytes(*drawn[0].weight.shape)),
    condition=Condition(),
)(token_draw)


def tables(settings: Settings) -> Tables:
    """Return both tables of these settings; the token table is the shared one."""
    token, generator = _token_draw(settings.vocab_size, settings.dim, settings.seed)
    return Tables(token, position_vectors(settings, generator))
