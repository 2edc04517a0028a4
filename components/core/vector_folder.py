"""The folder of the fetched vectors: one `name.kv` for each source, and hidden work folders while they are fetched."""

import os
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pooch

from components.core.vector_sources import source_named

CACHE_VARIABLE = "EMBEDDING_LAB_CACHE"
WORK_PREFIX = ".download-"
SECONDS_TO_ABANDON = 3_600.0  # work that nothing was written to for so long belongs to a process that was killed


def cache_folder() -> Path:
    """Return the folder of the vectors: the one named by EMBEDDING_LAB_CACHE, else the user's cache folder.

    The folder need not be there yet, and may not be writable: `refusal` tells.
    """
    named = os.environ.get(CACHE_VARIABLE, "").strip()
    folder = Path(named) if named else pooch.os_cache("embedding-lab")
    return Path(os.path.abspath(os.path.expanduser(folder)))


def place_of(name: str, folder: Path) -> Path:
    """Return where the converted vectors of `name` belong in `folder`; raises ValueError for an unknown name.

    >>> place_of("word2vec_sample", Path("cache")).as_posix()
    'cache/word2vec_sample.kv'
    """
    return folder / f"{source_named(name).name}.kv"


def ready(name: str) -> Path | None:
    """Return the converted vectors of `name` if they are in the folder; raises ValueError for an unknown name."""
    place = place_of(name, cache_folder())
    return place if os.path.exists(place) else None


@contextmanager
def work_folder(folder: Path) -> Iterator[Path]:
    """Give a hidden folder inside `folder` for one download; whatever happens, it is deleted with all it holds.

    Each download has its own, so processes that share a disk never write to the same file. Raises OSError where the
    disk refuses.

    >>> with TemporaryDirectory() as folder:
    ...     with work_folder(Path(folder)) as work:
    ...         _ = (work / "half a file").write_text("")
    ...     list(Path(folder).iterdir())
    []
    """
    folder.mkdir(parents=True, exist_ok=True)
    # Where deleting is refused, that must not hide how the download itself ended.
    with TemporaryDirectory(prefix=WORK_PREFIX, dir=folder, ignore_cleanup_errors=True) as work:
        yield Path(work)


def delete_abandoned(folder: Path) -> None:
    """Delete the work folders of processes that were killed: those that nothing was written to for an hour."""
    # `.name.kv.…` is what a conversion leaves behind
    for pattern in (f"{WORK_PREFIX}*", ".*.kv.*"):
        for work in folder.glob(pattern):
            if time.time() - _last_written(work) > SECONDS_TO_ABANDON:
                shutil.rmtree(work, ignore_errors=True)


def _last_written(work: Path) -> float:
    try:
        return max(path.stat().st_mtime for path in (work, *work.iterdir()))
    except OSError:  # it has just been deleted by its owner
        return time.time()
