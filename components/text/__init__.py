"""Text to token IDs: tokenizers, merges, the word vocabulary, sliding windows and batches.

The functions named here load their module on first use: counting windows needs no torch, and torch takes a second to
import.
"""

from importlib import import_module

_MODULES = {
    "get_tokenizer": "tokenizers",
    "merge_steps": "bpe",
    "train_bpe": "bpe",
    "sliding_windows": "windows",
    "window_dataloader": "windows",
}


def __getattr__(name: str) -> object:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
