"""Parts of a file by range requests, one range each: RFC 9110, section 14."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from time import monotonic
from urllib.parse import urlsplit

import requests

CHUNK_BYTES = 2**16
SECONDS_TO_KEEP = 60.0  # the address that a redirect has led to: a classroom has one limit of redirects for all

Open = Callable[..., requests.Response]  # opens an address with headers; raises requests.RequestException
_redirected: dict[str, tuple[str, float]] = {}


class WrongAnswer(Exception):
    """A server answered with something else than was asked for. The message follows "… could not be downloaded: "."""


def read_range(
    open_url: Open, url: str, first: int, count: int, total: int | None = None
) -> tuple[int, Iterator[bytes]]:
    """Return the size of the whole file, and the bytes `first` to `first + count - 1` of it, in blocks as they arrive.

    `total` is the size if it is known. Raises WrongAnswer unless the server sends exactly this range; an iteration that
    ends has given all `count` bytes.
    """
    headers = {"Range": f"bytes={first}-{first + count - 1}"}
    kept, since = _redirected.get(url, ("", 0.0))
    response = None
    if kept and monotonic() - since < SECONDS_TO_KEEP:
        with suppress(requests.HTTPError):  # such addresses expire
            response = open_url(kept, headers)
    if response is None:
        response = open_url(url, headers)
        if response.url != url:
            _redirected[url] = (response.url, monotonic())
    try:
        size = checked_size(response, first, count, total)
    except WrongAnswer:
        _redirected.pop(url, None)
        response.close()
        raise
    return size, _blocks(response, count)


def checked_size(response: requests.Response, first: int, count: int, total: int | None) -> int:
    """Return the size of the whole file that an answer states. Raises WrongAnswer if it is not that of this range."""
    host = urlsplit(response.url).hostname
    if response.status_code == 200:
        raise WrongAnswer(f"{host} answered with the whole file instead of a part of it (200 instead of 206).")
    if response.status_code != 206:
        raise WrongAnswer(f"{host} answered with {response.status_code} instead of 206, a part of the file.")
    if "html" in response.headers.get("Content-Type", "").lower():
        raise WrongAnswer(f"{host} sent a web page instead of numbers.")
    stated = response.headers.get("Content-Range", "")
    wanted = f"bytes {first}-{first + count - 1}/"
    size = stated.removeprefix(wanted)
    if not stated.startswith(wanted) or not size.isascii() or not size.isdigit() or int(size) < first + count:
        raise WrongAnswer(f"{host} sent another part of the file: Content-Range is {stated[:60]!r}, not '{wanted}…'.")
    if total is not None and int(size) != total:
        raise WrongAnswer(f"the file of {host} has {int(size):,} bytes, not {total:,}: it is another one.")
    if (announced := response.headers.get("Content-Length", str(count))) != str(count):
        raise WrongAnswer(f"{host} announced {announced[:20]} bytes instead of {count}.")
    return int(size)


def _blocks(response: requests.Response, count: int) -> Iterator[bytes]:
    done = 0
    with response:
        for chunk in response.iter_content(CHUNK_BYTES):
            done += len(chunk)
            if done > count:
                break
            yield chunk
    if done != count:
        raise WrongAnswer(f"{urlsplit(response.url).hostname} sent {done:,} bytes instead of {count:,}.")
