"""The body of an HTTP response in chunks, as they arrive."""

from collections.abc import Iterator

import requests
from urllib3.exceptions import DecodeError, ProtocolError, ReadTimeoutError, SSLError

TIMEOUT_SECONDS = (5.0, 20.0)  # to connect to one IP address (hosts have up to 4); to wait for the next bytes
CHUNK_BYTES = 2**16


def iter_chunks(response: requests.Response) -> Iterator[bytes]:
    """Yield the decompressed body of an open response in chunks of at most CHUNK_BYTES, without waiting for full ones.

    So the caller can cancel between chunks even if the server sends one byte now and then: `iter_content` of requests
    waits until a chunk is full. Raises the same exceptions as `iter_content`, all of them requests.RequestException.
    """
    try:
        while chunk := response.raw.read1(CHUNK_BYTES, decode_content=True):
            yield chunk
    except ProtocolError as error:
        raise requests.exceptions.ChunkedEncodingError(error) from error
    except DecodeError as error:
        raise requests.exceptions.ContentDecodingError(error) from error
    except ReadTimeoutError as error:
        raise requests.ConnectionError(error) from error
    except SSLError as error:
        raise requests.exceptions.SSLError(error) from error
