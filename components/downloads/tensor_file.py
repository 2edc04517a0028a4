"""The header of a safetensors file, read without its data: https://huggingface.co/docs/safetensors."""

import json
from collections.abc import Mapping
from math import prod
from typing import Any

from components.base.limits import BYTES_PER_FLOAT
from components.downloads.ranges import WrongAnswer

LENGTH_BYTES = 8
MAX_HEADER_BYTES = 10**6


def header_length(content: bytes, total: int) -> int:
    """Return the length of the JSON header, from the first eight bytes of a file of `total` bytes."""
    length = int.from_bytes(content, "little")
    if not 2 <= length <= min(MAX_HEADER_BYTES, total - LENGTH_BYTES):
        raise WrongAnswer(f"the file begins with a header of {length:,} bytes, which is no safetensors file.")
    return length


def read_begins(header: bytes, total: int, shapes: Mapping[str, tuple[int, ...]]) -> dict[str, int]:
    """Return the first byte in the file of each tensor named by `shapes`.

    Raises WrongAnswer if one is missing, is not float32, or is not within the file with this shape.
    """
    begins, data = {}, LENGTH_BYTES + len(header)
    try:
        entries: dict[str, Any] = json.loads(header)
        for name, shape in shapes.items():
            if name not in entries:
                raise WrongAnswer(f"the file has no tensor {name}.")
            dtype, found, (begin, end) = (entries[name][key] for key in ("dtype", "shape", "data_offsets"))
            if (dtype, found, end - begin) != ("F32", [*shape], BYTES_PER_FLOAT * prod(shape)):
                raise WrongAnswer(f"the tensor {name} is not {[*shape]} numbers of float32 (F32), as in GPT-2 (small).")
            if not data <= data + begin <= data + end <= total:
                raise WrongAnswer(f"the tensor {name} ends beyond the {total:,} bytes of the file.")
            begins[name] = data + begin
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise WrongAnswer(f"the header of the file cannot be read ({type(error).__name__}).") from None
    return begins
