"""Imports during a run, by one thread at a time."""

from functools import cache
from importlib import import_module
from threading import RLock
from types import ModuleType

importing = RLock()


@cache
def import_part(name: str) -> ModuleType:
    """Import a module while no other run of any session imports one.

    Two threads that import modules which import each other would wait for each other: Python then gives one of them a
    module that is not complete, and its page fails.
    """
    with importing:
        return import_module(name)
