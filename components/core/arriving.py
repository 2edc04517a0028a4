"""The body of an answer over the network, piece by piece, as it arrives."""

from collections.abc import Iterator

import requests
from urllib3.exceptions import DecodeError, ProtocolError, ReadTimeoutError, SSLError

SECONDS_TO_ANSWER = (5.0, 20.0)  # to connect to one address (hosts have up to 4), and for the next bytes
PIECE_BYTES = 2**16


def pieces(response: requests.Response) -> Iterator[bytes]:
    """Yield the body of an open response, unpacked, at most `PIECE_BYTES` at a time and never waiting for a full piece.

    So whoever asks can give up in between, also where the server sends a byte now and then: `iter_content` of requests
    waits until a piece is whole. Raises the same exceptions as that, all of them requests.RequestException.
    """
    try:
        while piece := response.raw.read1(PIECE_BYTES, decode_content=True):
            yield piece
    except ProtocolError as error:
        raise requests.exceptions.ChunkedEncodingError(error) from error
    except DecodeError as error:
        raise requests.exceptions.ContentDecodingError(error) from error
    except ReadTimeoutError as error:
        raise requests.ConnectionError(error) from error
    except SSLError as error:
        raise requests.exceptions.SSLError(error) from error
