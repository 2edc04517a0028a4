"""How tiktoken's tables are downloaded and where it keeps them, and what it means when one of the two fails."""

import errno
import os
import re
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from pathlib import Path

import requests

from components.core.arriving import SECONDS_TO_ANSWER, pieces
from components.core.kinds import quote

CACHE_VARIABLE = "TIKTOKEN_CACHE_DIR"
FULL = (errno.ENOSPC, errno.EDQUOT)
HALF = re.compile(r"[0-9a-f]{40}\.[0-9a-f-]{36}\.tmp")  # as tiktoken names a table while it writes it
SECONDS_TO_ABANDON = 10.0  # writing a table takes a moment: what is older was left behind
SECONDS_TO_ARRIVE = 300.0  # for the whole of it
MAX_TABLE_BYTES = 10 * 10**6  # almost three times the largest


def bounded(read_file: Callable[[str], bytes]) -> Callable[[str], bytes]:
    """Return tiktoken's function for reading a file, which for a download now waits only so long, and takes so much.

    The function that is returned raises requests.RequestException for all that the network does, and ValueError for
    more bytes than a table has.
    """

    @wraps(read_file)
    def read(address: str) -> bytes:
        if not address.startswith(("http://", "https://")):
            return read_file(address)
        until, content = time.monotonic() + SECONDS_TO_ARRIVE, bytearray()
        with requests.get(address, stream=True, timeout=SECONDS_TO_ANSWER) as response:
            response.raise_for_status()
            for piece in pieces(response):
                content += piece
                if len(content) > MAX_TABLE_BYTES:
                    raise ValueError(f"more than {MAX_TABLE_BYTES:,} bytes arrived")
                if time.monotonic() > until:
                    raise requests.Timeout(f"not all had arrived after {SECONDS_TO_ARRIVE:g} seconds")
        return bytes(content)

    return read


def cache_folder() -> Path | None:
    """Return the folder in which tiktoken keeps its tables; None where it is told to keep none."""
    named = os.environ.get(CACHE_VARIABLE, os.environ.get("DATA_GYM_CACHE_DIR"))
    if named is None:
        return Path(tempfile.gettempdir(), "data-gym-cache")
    return Path(named) if named else None


def is_full(error: BaseException | None) -> bool:
    """Return whether it was the disk that had no room."""
    return isinstance(error, OSError) and error.errno in FULL


def delete_halves(error: BaseException | None = None) -> None:
    """Delete what tiktoken left where it could not write a table to the end: at once where `error` is a full disk.

    Else only what is not new, for another process may be writing at this moment.
    """
    folder = cache_folder()
    if folder is None:
        return
    with suppress(OSError):
        for half in folder.iterdir():
            if HALF.fullmatch(half.name) and (
                is_full(error) or abs(time.time() - half.stat().st_mtime) > SECONDS_TO_ABANDON
            ):
                half.unlink()


def problem_of(error: BaseException, size: str) -> str:
    """Return what `error` means for a table of that size: the end of a sentence that begins with the table.

    >>> problem_of(ValueError("Hash mismatch"), "1.7 MB")
    'arrived, but is not the published file, and was thrown away'
    """
    folder = quote(str(cache_folder()), 200)
    match error:
        case requests.HTTPError():
            return f"could not be downloaded (its server answered with error {error.response.status_code})"
        case requests.RequestException():
            return f"could not be downloaded ({type(error).__name__})"
        case _ if is_full(error):
            return f"cannot be kept: the disk of {folder} is full. Make room for {size} there"
        case OSError(errno=errno.EACCES | errno.EPERM | errno.EROFS | errno.ENOTDIR):
            return f"cannot be kept: {folder} cannot be written. Name another folder"
        case ValueError():
            return "arrived, but is not the published file, and was thrown away"
    return f"could not be downloaded ({type(error).__name__})"
