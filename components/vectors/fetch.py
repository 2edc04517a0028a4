"""Download one published file, compare its checksum, and explain each failure in a message.

pooch writes to a temporary file beside the target, compares the checksum and only then renames it.
"""

import errno
from collections.abc import Callable
from pathlib import Path, PurePosixPath
from urllib.parse import urlsplit

import pooch
import requests
from urllib3.exceptions import ReadTimeoutError

from components.base.field_types import quote
from components.base.streaming import TIMEOUT_SECONDS, iter_chunks
from components.base.text_format import readable_bytes
from components.vectors.folder import CACHE_VARIABLE
from components.vectors.preflight import disk_needed
from components.vectors.sources import Source

# Without this, some servers decompress a .gz, and its checksum is no longer the published one.
HEADERS = {"Accept-Encoding": "identity"}


class WrongFile(ValueError):
    """Raised if the downloaded file is not the published one."""


def fetch(
    source: Source,
    folder: Path,
    on_answer: Callable[[requests.Response], None],
    on_bytes: Callable[[int], None],
    seconds: tuple[float, float] = TIMEOUT_SECONDS,
) -> Path:
    """Download the file of `source` into `folder` and return its path once its checksum matches.

    `on_answer` is called with the open response, `on_bytes` with the number of bytes written so far; either may raise
    to cancel. `seconds` are the timeouts for a connection and for the next bytes. Raises WrongFile, OSError for errors
    of the disk, and requests.RequestException for errors of the network; `folder` is empty again then.
    """

    def read(url: str, output_file: str, _: object) -> None:
        done = 0
        with (
            requests.get(url, stream=True, timeout=seconds, headers=HEADERS) as response,
            open(output_file, "wb") as file,
        ):
            response.raise_for_status()
            on_answer(response)
            for chunk in iter_chunks(response):
                done += len(chunk)
                if done > source.bytes:  # the checksum would not match anyway, so spare the disk
                    raise WrongFile(f"more than {source.bytes:,} bytes arrived")
                file.write(chunk)
                on_bytes(done)

    pooch.get_logger().setLevel("WARNING")  # it would log every URL
    name = PurePosixPath(urlsplit(source.url).path).name
    try:
        return Path(pooch.retrieve(source.url, f"md5:{source.md5}", name, folder, downloader=read))
    except (requests.RequestException, WrongFile):
        raise
    except ValueError as error:  # raised by pooch if the checksum differs
        raise WrongFile(str(error)) from error


def explanation(error: Exception, source: Source, folder: Path, seconds: tuple[float, float]) -> str:
    """Return the message for an error of the download: what happened, and what to do."""
    host, size = urlsplit(source.url).hostname, readable_bytes(source.bytes)
    failed = f"{source.title} could not be downloaded"
    match error:
        case WrongFile():
            problem = f"what {host} sent is not the published file of {source.bytes:,} bytes with the MD5 {source.md5}"
            return f"{failed}: {problem}. It was deleted. Start again; if that repeats, the file has changed."
        case requests.HTTPError():
            answer = f"{host} answered with error {error.response.status_code} instead of the file"
            return f"{failed}: {answer}. Try again later; if that repeats, the file has moved."
        case requests.ConnectTimeout():
            return f"{failed}: {host} did not answer within {seconds[0]:g} seconds. Start again, now or later."
        case requests.Timeout() | requests.ConnectionError(args=[ReadTimeoutError(), *_]):
            return f"{failed}: {host} sent nothing for {seconds[1]:g} seconds. Start again, now or later."
        case requests.exceptions.ChunkedEncodingError():
            return f"{failed}: the connection to {host} was closed before all {size} had arrived. Start again."
        case requests.RequestException():
            reason = f"{host} cannot be reached ({type(error).__name__})"
            return f"{failed}: {reason}. Check that this machine is connected to the internet, and start again."
        case OSError(errno=errno.ENOSPC | errno.EDQUOT):
            needed = readable_bytes(disk_needed(source))
            fix = f"Free {needed}, or set {CACHE_VARIABLE} to another folder, and start again."
            return f"{failed}: the disk of {quote(folder, 200)} is full. {fix}"
        case OSError():
            problem = f"{quote(folder, 200)} cannot be written ({type(error).__name__})"
            return f"{failed}: {problem}. Set {CACHE_VARIABLE} to another folder, and start again."
        case MemoryError():
            fix = "Choose smaller vectors, or stop other programs and start again."
            return f"{failed}: this machine ran out of memory. {fix}"
    return f"{failed}: the file arrived, but could not be prepared ({type(error).__name__}: {quote(error, 300)})."
