"""Downloads of tiktoken's vocabulary files: bounded, cleaned up after failures, and explained when they fail."""

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

from components.base.field_types import quote
from components.base.streaming import TIMEOUT_SECONDS, iter_chunks

CACHE_VARIABLE = "TIKTOKEN_CACHE_DIR"
DISK_FULL = (errno.ENOSPC, errno.EDQUOT)
PARTIAL_FILE = re.compile(r"[0-9a-f]{40}\.[0-9a-f-]{36}\.tmp")  # tiktoken's name for a file while it writes it
STALE_SECONDS = 10.0  # writing a file takes a moment: older partial files are left over
MAX_DOWNLOAD_SECONDS = 300.0  # for the whole file
MAX_FILE_BYTES = 10 * 10**6  # almost three times the largest


def limit_downloads(read_file: Callable[[str], bytes]) -> Callable[[str], bytes]:
    """Return tiktoken's function that reads a file, with limits on the time and the size of a download.

    The returned function raises requests.RequestException for all network errors, and ValueError if the file is too
    large.
    """

    @wraps(read_file)
    def read(url: str) -> bytes:
        if not url.startswith(("http://", "https://")):
            return read_file(url)
        deadline, content = time.monotonic() + MAX_DOWNLOAD_SECONDS, bytearray()
        with requests.get(url, stream=True, timeout=TIMEOUT_SECONDS) as response:
            response.raise_for_status()
            for chunk in iter_chunks(response):
                content += chunk
                if len(content) > MAX_FILE_BYTES:
                    raise ValueError(f"more than {MAX_FILE_BYTES:,} bytes arrived")
                if time.monotonic() > deadline:
                    raise requests.Timeout(f"not complete after {MAX_DOWNLOAD_SECONDS:g} seconds")
        return bytes(content)

    return read


def tokenizer_cache_dir() -> Path | None:
    """Return the folder in which tiktoken stores its files, or None if it is configured to store none."""
    folder = os.environ.get(CACHE_VARIABLE, os.environ.get("DATA_GYM_CACHE_DIR"))
    if folder is None:
        return Path(tempfile.gettempdir(), "data-gym-cache")
    return Path(folder) if folder else None


def _is_disk_full(error: BaseException | None) -> bool:
    return isinstance(error, OSError) and error.errno in DISK_FULL


def delete_partial_files(error: BaseException | None = None) -> None:
    """Delete files that tiktoken did not write to the end: all of them if `error` is a full disk, else stale ones.

    A partial file that is not stale can belong to another process that is writing it.
    """
    folder = tokenizer_cache_dir()
    if folder is None:
        return
    with suppress(OSError):
        for file in folder.iterdir():
            if PARTIAL_FILE.fullmatch(file.name) and (
                _is_disk_full(error) or abs(time.time() - file.stat().st_mtime) > STALE_SECONDS
            ):
                file.unlink()


def problem_of(error: BaseException, size: str) -> str:
    """Return what `error` means for a file of that size, as the end of a sentence that begins with the file.

    >>> problem_of(ValueError("Hash mismatch"), "1.7 MB")
    'is not the published file, and was deleted'
    """
    folder = quote(str(tokenizer_cache_dir()), 200)
    match error:
        case requests.HTTPError():
            return f"could not be downloaded (the server answered with error {error.response.status_code})"
        case requests.RequestException():
            return f"could not be downloaded ({type(error).__name__})"
        case _ if _is_disk_full(error):
            return f"cannot be stored: the disk of {folder} is full. Free {size} there"
        case OSError(errno=errno.EACCES | errno.EPERM | errno.EROFS | errno.ENOTDIR):
            return f"cannot be stored: {folder} is not writable. Choose another folder"
        case ValueError():
            return "is not the published file, and was deleted"
    return f"could not be downloaded ({type(error).__name__})"
