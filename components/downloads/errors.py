"""Why a download failed, in sentences for learners: what happened, and what to do."""

import errno
from urllib.parse import urlsplit

import requests
from urllib3.exceptions import ReadTimeoutError

from components.base.field_types import quote
from components.base.text_format import readable_bytes
from components.downloads.published_file import PublishedFile


class WrongFile(Exception):
    """What arrived is not the published file."""


def explain(error: Exception, file: PublishedFile, timeouts: tuple[float, float]) -> str:
    """Return what happened to the download of a file, and what to do; `timeouts` are those of its requests.

    >>> from components.text.tokenizers import TOKENIZER_FILES
    >>> explain(requests.ConnectTimeout(), TOKENIZER_FILES["cl100k_base"], (5, 20))
    'openaipublic.blob.core.windows.net did not answer within 5 seconds. Start again, now or later.'
    """
    host, folder = urlsplit(file.url).hostname, quote(file.target.parent, 200)
    variable, again = file.folder_variable, "Start again, now or later."
    match error:
        case requests.HTTPError():
            answer = f"{host} answered with error {error.response.status_code} instead of the file"
            return f"{answer}. Try again later; if that repeats, the file has moved."
        case requests.ConnectTimeout():
            return f"{host} did not answer within {timeouts[0]:g} seconds. {again}"
        case requests.Timeout() | requests.ConnectionError(args=[ReadTimeoutError(), *_]):
            return f"{host} sent nothing for {timeouts[1]:g} seconds. {again}"
        case requests.exceptions.ChunkedEncodingError():
            return f"the connection to {host} was closed before all {readable_bytes(file.bytes)} arrived. {again}"
        case requests.RequestException():
            fix = "Check that the server is connected to the internet, and start again."
            return f"{host} cannot be reached ({type(error).__name__}). {fix}"
        case WrongFile():
            wrong = f"not the published file of {file.bytes:,} bytes with the checksum {file.checksum}"
            fix = "It was deleted. Start again; if that repeats, the file has changed."
            return f"what {host} sent is {wrong}. {fix}"
        case OSError(errno=errno.ENOSPC | errno.EDQUOT):
            fix = f"Free {readable_bytes(file.disk_bytes)}, or set {variable} to another folder, and start again."
            return f"the disk of {folder} is full. {fix}"
        case OSError():
            problem = f"{folder} cannot be written ({type(error).__name__})"
            return f"{problem}. Set {variable} to another folder, and start again."
        case MemoryError():
            return "this machine ran out of memory. Choose a smaller file, or stop other programs and start again."
    return f"the file arrived, but could not be prepared ({type(error).__name__}: {quote(error, 300)})."
