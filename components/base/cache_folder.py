"""The folder for what outlives a session: word vectors and parts of GPT-2, and the rooms of a class."""

import os
from pathlib import Path

import pooch

CACHE_VARIABLE = "EMBEDDING_LAB_CACHE"


def cache_folder() -> Path:
    """Return the absolute path of the folder: the value of EMBEDDING_LAB_CACHE, else the user's cache folder."""
    named = os.environ.get(CACHE_VARIABLE, "").strip()
    folder = Path(named) if named else pooch.os_cache("embedding-lab")
    return Path(os.path.abspath(os.path.expanduser(folder)))
