"""The folder of downloaded vectors: one `name.kv` per source, and a hidden work folder per running download."""

import os
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pooch

from components.vectors.sources import source_named

CACHE_VARIABLE = "EMBEDDING_LAB_CACHE"
WORK_PREFIX = ".download-"
STALE_SECONDS = 3_600.0  # a work folder not written to for so long belongs to a process that was killed


def vectors_cache_dir() -> Path:
    """Return the folder of the vectors: the value of EMBEDDING_LAB_CACHE, else the user's cache folder.

    The folder may not exist or not be writable; see preflight.blocking_reason.
    """
    named = os.environ.get(CACHE_VARIABLE, "").strip()
    folder = Path(named) if named else pooch.os_cache("embedding-lab")
    return Path(os.path.abspath(os.path.expanduser(folder)))


def vectors_path(name: str, folder: Path) -> Path:
    """Return the path of the converted vectors of `name` in `folder`. Raises ValueError if the name is unknown.

    >>> vectors_path("word2vec_sample", Path("cache")).as_posix()
    'cache/word2vec_sample.kv'
    """
    return folder / f"{source_named(name).name}.kv"


def cached_vectors(name: str) -> Path | None:
    """Return the path of the converted vectors of `name` if they exist. Raises ValueError if the name is unknown."""
    path = vectors_path(name, vectors_cache_dir())
    return path if os.path.exists(path) else None


@contextmanager
def work_folder(folder: Path) -> Iterator[Path]:
    """Create a hidden folder inside `folder` for one download, and always delete it with its contents.

    Each download has its own, so processes that share a disk never write to the same file. Raises OSError if the folder
    cannot be created.

    >>> with TemporaryDirectory() as folder:
    ...     with work_folder(Path(folder)) as work:
    ...         _ = (work / "half a file").write_text("")
    ...     list(Path(folder).iterdir())
    []
    """
    folder.mkdir(parents=True, exist_ok=True)
    # A failed deletion must not hide the result of the download.
    with TemporaryDirectory(prefix=WORK_PREFIX, dir=folder, ignore_cleanup_errors=True) as work:
        yield Path(work)


def delete_stale(folder: Path) -> None:
    """Delete the work folders of processes that were killed: those not written to for STALE_SECONDS."""
    # `.name.kv.…` is the hidden folder of a conversion.
    for pattern in (f"{WORK_PREFIX}*", ".*.kv.*"):
        for work in folder.glob(pattern):
            if time.time() - _last_written(work) > STALE_SECONDS:
                shutil.rmtree(work, ignore_errors=True)


def _last_written(work: Path) -> float:
    try:
        return max(path.stat().st_mtime for path in (work, *work.iterdir()))
    except OSError:  # its owner has just deleted it
        return time.time()
