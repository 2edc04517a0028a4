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


def explain(error: Exception, file: PublishedFile, patience: float) -> str:
    """Return what happened to the download of a file, and what to do; `patience` is the limit of a silence in seconds.

    >>> from components.text.tokenizers import TOKENIZER_FILES
    >>> explain(requests.ReadTimeout(), TOKENIZER_FILES["cl100k_base"], 20)
    'openaipublic.blob.core.windows.net sent nothing for 20 seconds. Start again, now or later.'
    """
    host, folder, again = urlsplit(file.url).hostname, quote(file.target.parent, 200), "Start again, now or later."
    other_folder = f"set {file.folder_variable} to another folder"
    match error:
        case requests.HTTPError():
            return f"{host} answered with error {error.response.status_code} instead of the file. {again}"
        case requests.ReadTimeout() | requests.ConnectionError(args=[ReadTimeoutError(), *_]):
            return f"{host} sent nothing for {patience:g} seconds. {again}"
        case requests.exceptions.ChunkedEncodingError():
            return f"the connection to {host} was closed before all {readable_bytes(file.bytes)} arrived. {again}"
        case requests.RequestException():
            return f"{host} cannot be reached ({type(error).__name__}). Check that the server is on the internet."
        case WrongFile():
            published = f"the published file of {file.bytes:,} bytes with the checksum {file.checksum}"
            return f"what {host} sent is not {published}. It was deleted. {again}"
        case OSError(errno=errno.ENOSPC | errno.EDQUOT):
            return f"the disk of {folder} is full. Free {readable_bytes(file.disk_bytes)}, or {other_folder}."
        case OSError(errno=int()):
            return f"{folder} cannot be written ({type(error).__name__}): {other_folder}."
        case MemoryError():
            return "this machine ran out of memory. Choose a smaller file, or stop other programs."
    return f"the file arrived, but could not be prepared ({type(error).__name__}: {quote(error, 300)})."
