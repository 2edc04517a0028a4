"""The folder of what is downloaded for the lessons: word vectors, and parts of GPT-2."""

import os
from pathlib import Path

import pooch

CACHE_VARIABLE = "EMBEDDING_LAB_CACHE"


def cache_folder() -> Path:
    """Return the folder named by EMBEDDING_LAB_CACHE, else the user's cache folder."""
    named = os.environ.get(CACHE_VARIABLE, "").strip()
    folder = Path(named) if named else pooch.os_cache("embedding-lab")
    return Path(os.path.abspath(os.path.expanduser(folder)))
