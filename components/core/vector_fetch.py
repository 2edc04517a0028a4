"""One published file over the network and onto the disk, checked against its checksum; and each failure in a sentence.

pooch writes to a temporary file beside the place, compares the checksum and only then renames.
"""

import errno
from collections.abc import Callable
from pathlib import Path, PurePosixPath
from urllib.parse import urlsplit

import pooch
import requests
from urllib3.exceptions import ReadTimeoutError

from components.core.arriving import SECONDS_TO_ANSWER, pieces
from components.core.kinds import quote
from components.core.limits import readable_bytes
from components.core.vector_folder import CACHE_VARIABLE
from components.core.vector_room import disk_needed
from components.core.vector_sources import Source

# Some servers would unpack a .gz on the way, and its checksum would no longer be the published one.
HEADERS = {"Accept-Encoding": "identity"}


class WrongFile(ValueError):
    """What arrived is not the published file."""


def fetch(
    source: Source,
    folder: Path,
    on_answer: Callable[[requests.Response], None],
    on_bytes: Callable[[int], None],
    seconds: tuple[float, float] = SECONDS_TO_ANSWER,
) -> Path:
    """Download the file of `source` into `folder` and return its path, once its checksum is the published one.

    `on_answer` is given the open response, `on_bytes` the number of bytes written so far; either may raise to cancel.
    `seconds` is how long to wait for a connection and for the next bytes. Raises WrongFile, OSError where the disk
    refuses, and requests.RequestException for all that the network does; nothing is left in `folder` then.
    """

    def read(url: str, output_file: str, _: object) -> None:
        done = 0
        with (
            requests.get(url, stream=True, timeout=seconds, headers=HEADERS) as response,
            open(output_file, "wb") as file,
        ):
            response.raise_for_status()
            on_answer(response)
            for piece in pieces(response):
                done += len(piece)
                if done > source.bytes:  # no need to fill the disk with what will be refused
                    raise WrongFile(f"more than {source.bytes:,} bytes arrived")
                file.write(piece)
                on_bytes(done)

    pooch.get_logger().setLevel("WARNING")  # it would print each address
    name = PurePosixPath(urlsplit(source.url).path).name
    try:
        return Path(pooch.retrieve(source.url, f"md5:{source.md5}", name, folder, downloader=read))
    except (requests.RequestException, WrongFile):
        raise
    except ValueError as error:  # pooch's, where the checksum is another one
        raise WrongFile(str(error)) from error


def explanation(error: Exception, source: Source, folder: Path, seconds: tuple[float, float]) -> str:
    """Return what `error` means to whoever waits for `source`: what happened, and what to do."""
    host, size = urlsplit(source.url).hostname, readable_bytes(source.bytes)
    lost = f"{source.title} could not be fetched"
    match error:
        case WrongFile():
            problem = f"what {host} sent is not the published file of {source.bytes:,} bytes with the MD5 {source.md5}"
            return f"{lost}: {problem}. It was thrown away; start again, and if that repeats, the file has changed."
        case requests.HTTPError():
            answer = f"{host} answered with error {error.response.status_code} in place of the file"
            return f"{lost}: {answer}. Try again later; if that repeats, the file has moved."
        case requests.ConnectTimeout():
            return f"{lost}: {host} did not answer within {seconds[0]:g} seconds. Start again, now or later."
        case requests.Timeout() | requests.ConnectionError(args=[ReadTimeoutError(), *_]):
            return f"{lost}: {host} was silent for {seconds[1]:g} seconds. Start again, now or later."
        case requests.exceptions.ChunkedEncodingError():
            return f"{lost}: the connection to {host} broke off before all {size} had arrived. Start again."
        case requests.RequestException():
            reason = f"{host} cannot be reached ({type(error).__name__})"
            return f"{lost}: {reason}. Check that this machine is connected to the internet, and start again."
        case OSError(errno=errno.ENOSPC | errno.EDQUOT):
            needed = readable_bytes(disk_needed(source))
            repair = f"Make room for {needed}, or name another folder in {CACHE_VARIABLE}, and start again."
            return f"{lost}: the disk of {quote(folder, 200)} is full. {repair}"
        case OSError():
            problem = f"{quote(folder, 200)} cannot be written ({type(error).__name__})"
            return f"{lost}: {problem}. Name another folder in {CACHE_VARIABLE}, and start again."
        case MemoryError():
            return (
                f"{lost}: this machine ran out of memory. Choose smaller vectors, or start again when less is running."
            )
    return f"{lost}: the file arrived, but could not be prepared ({type(error).__name__}: {quote(error, 300)})."
