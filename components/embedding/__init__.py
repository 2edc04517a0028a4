"""Token IDs to embeddings: tables, positions, one-hot products, the walk to the combined embedding; attention on it.

The functions named here load their module on first use, so that importing `embedding.projection` needs no torch.
"""

from importlib import import_module

_MODULES = {
    "token_table": "tables",
    "learned_positions": "positions",
    "sinusoidal_positions": "positions",
    "rotate": "rotary",
    "attention": "attention_head",
    "walk": "walkthrough",
}


def __getattr__(name: str) -> object:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
