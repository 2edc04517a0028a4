"""The header of a safetensors file, read without its data: https://huggingface.co/docs/safetensors."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from math import prod
from typing import Any

from components.downloads.ranges import WrongAnswer

LENGTH_BYTES = 8
MAX_HEADER_BYTES = 10**6
FLOAT_BYTES = 4  # F32


@dataclass(frozen=True)
class Tensor:
    """A float32 tensor in a file: its shape, and its first byte counted from the beginning of the file."""

    shape: tuple[int, ...]
    begin: int

    @property
    def bytes(self) -> int:
        return FLOAT_BYTES * prod(self.shape)

    @property
    def row_bytes(self) -> int:
        return self.bytes // self.shape[0]


def header_length(content: bytes, total: int) -> int:
    """Return the length of the JSON header, from the first eight bytes of a file of `total` bytes."""
    length = int.from_bytes(content, "little")
    if not 2 <= length <= min(MAX_HEADER_BYTES, total - LENGTH_BYTES):
        raise WrongAnswer(f"the file begins with a header of {length:,} bytes, which is no safetensors file.")
    return length


def read_tensors(header: bytes, total: int, shapes: Mapping[str, str]) -> dict[str, Tensor]:
    """Return the tensors named by `shapes`, which has a letter for each axis: equal letters are equal sizes.

    Raises WrongAnswer if one is missing, is not float32, or has other bytes than its shape needs.
    """
    try:
        entries: dict[str, Any] = json.loads(header)
        found = {name: _tensor(name, entries.get(name), len(header), total) for name in shapes}
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise WrongAnswer(f"the header of the file cannot be read ({type(error).__name__}).") from None
    sizes: dict[str, int] = {}
    for name, letters in shapes.items():
        shape = found[name].shape
        if len(shape) != len(letters) or any(
            sizes.setdefault(axis, n) != n for axis, n in zip(letters, shape, strict=True)
        ):
            raise WrongAnswer(f"the tensor {name} has the shape {list(shape)}, which does not fit the others.")
    return found


def _tensor(name: str, entry: Any, header_bytes: int, total: int) -> Tensor:
    if entry is None:
        raise WrongAnswer(f"the file has no tensor {name}.")
    if entry["dtype"] != "F32":
        raise WrongAnswer(f"the tensor {name} is {str(entry['dtype'])[:20]}, not float32 (F32).")
    begin, end = map(int, entry["data_offsets"])
    tensor = Tensor(tuple(map(int, entry["shape"])), LENGTH_BYTES + header_bytes + begin)
    if not tensor.shape or min(tensor.shape) < 1 or end - begin != tensor.bytes or begin < 0:
        raise WrongAnswer(f"the tensor {name} of the shape {list(tensor.shape)} has {end - begin:,} bytes.")
    if tensor.begin + tensor.bytes > total:
        raise WrongAnswer(f"the tensor {name} ends beyond the {total:,} bytes of the file.")
    return tensor
