"""A bounded cache for all sessions: a result is made once, and others wait for it meanwhile."""

from collections.abc import Callable, Hashable
from hashlib import sha256
from threading import Condition
from typing import Any

from cachetools import LRUCache, cached
from cachetools.keys import hashkey


def shared(
    limit: int, size: Callable[[Any], int] | None = None, key: Callable[..., Hashable] = hashkey
) -> Callable[[Callable], Callable]:
    """Return a decorator that caches up to `limit` results, or results with up to `limit` in all by their `size`.

    >>> made = []
    >>> append = shared(2)(lambda n: made.append(n))
    >>> [append(n) for n in (1, 1, 2)], made
    ([None, None, None], [1, 2])
    """
    return cached(LRUCache(limit, getsizeof=size), key=key, condition=Condition())


def digest(*texts: str) -> bytes:
    """Return 32 bytes that differ for other texts: a key for a cache bounded in bytes, which does not count its keys.

    >>> len(digest("a" * 100_000)), digest("a", "b") == digest("ab", "")
    (32, False)
    """
    return sha256("\0".join(texts).encode("utf-8", "surrogatepass")).digest()
