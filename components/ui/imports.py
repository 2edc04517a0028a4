"""Imports during a run, by one thread at a time."""

from importlib import import_module
from threading import RLock
from types import ModuleType

importing = RLock()
imported: dict[str, ModuleType] = {}


def import_part(name: str) -> ModuleType:
    """Import a module while no other run of any session imports one.

    Two threads that import modules which import each other would wait for each other: Python then gives one of them a
    module that is not complete, and its page fails.

    >>> import_part("components.ui.imports").import_part is import_part
    True
    """
    if name not in imported:
        with importing:
            imported[name] = import_module(name)
    return imported[name]
