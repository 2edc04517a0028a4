"""Word vectors: training, loading, uploads, downloads, analogies and similarities.

`load_vectors` and `analogy` are available from the package. They are resolved on first access (PEP 562), because their
modules import gensim, and the app imports components.vectors.corpora at start, long before a lesson needs gensim.
"""

from importlib import import_module
from typing import Any

_MODULES = {"load_vectors": "load", "analogy": "analogies"}


def __getattr__(name: str) -> Any:
    """Return a function of the package; its module is imported on the first access."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
