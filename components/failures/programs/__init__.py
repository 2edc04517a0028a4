"""The programs of the error lab: functions that fail, and that run with `fixed=True`.

Their modules are imported on first use: they import torch and gensim, and the app lists the experiments at start, long
before it runs one.
"""

from importlib import import_module
from types import ModuleType

_MODULES = ("addition", "lookup", "own", "table", "training", "words")


def __getattr__(name: str) -> ModuleType:
    """Return a module of programs; it is imported on the first access."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return import_module(f"{__name__}.{name}")
