"""GPT-2's tables and first layer: where they are published, and the one file in which this machine keeps them.

The file has a page-aligned copy of each tensor that the lessons use, sparse: what has not been fetched takes no disk. A
byte for each row states whether it has been fetched. It is mapped read-only, by all sessions and processes, so that a
row that one has fetched is there for all.
"""

import json
import os
from collections.abc import Iterable, Sequence
from contextlib import suppress
from hashlib import sha256
from math import prod
from pathlib import Path
from threading import Lock
from urllib.parse import urlsplit

import numpy as np

from components.base.cache_folder import cache_folder
from components.base.limits import BYTES_PER_FLOAT, GPT2_DIM, GPT2_VOCAB_SIZE, MAX_CONTEXT_LENGTH
from components.downloads.ranges import WrongAnswer

# The revision is pinned; where its tensors begin is read from the file's header.
REVISION = "607a30d783dfa663caf39e06633721c8d4cfcd7e"
ADDRESS = f"https://huggingface.co/openai-community/gpt2/resolve/{REVISION}/model.safetensors"
PUBLISHED_BYTES = 548_105_171  # of the file at that address
ADDRESS_VARIABLE = "EMBEDDING_LAB_GPT2_URL"

TOKENS, POSITIONS = "wte.weight", "wpe.weight"
SHAPES = {
    TOKENS: (GPT2_VOCAB_SIZE, GPT2_DIM),
    POSITIONS: (MAX_CONTEXT_LENGTH, GPT2_DIM),
    "h.0.ln_1.weight": (GPT2_DIM,),
    "h.0.ln_1.bias": (GPT2_DIM,),
    "h.0.attn.c_attn.weight": (GPT2_DIM, 3 * GPT2_DIM),
    "h.0.attn.c_attn.bias": (3 * GPT2_DIM,),
}
LAYER = tuple(SHAPES)[2:]
LENGTH_BYTES = 8  # with which a safetensors file begins: the length of its header, which is JSON
LARGEST = 1e4  # of a weight: text read as float32 has larger numbers
PAGE = 2**14  # bytes: pages are 4 or 16 kB
VERSION = 2


def address() -> str:
    """Return the address of the file: the published one, or the value of EMBEDDING_LAB_GPT2_URL."""
    return os.environ.get(ADDRESS_VARIABLE, "").strip() or ADDRESS


def host() -> str:
    return urlsplit(address()).hostname or address()


def cache_path() -> Path:
    """Return the file of the cache; each address has its own."""
    return cache_folder() / f"gpt2-{sha256(address().encode()).hexdigest()[:12]}.rows"


def read_begins(header: bytes, total: int) -> dict[str, int]:
    """Return the first byte of each tensor in a safetensors file: https://huggingface.co/docs/safetensors.

    Raises WrongAnswer if one is missing, is not float32, or is not within the file with its shape.
    """
    begins, data = {}, LENGTH_BYTES + len(header)
    try:
        entries = json.loads(header)
        for name, shape in SHAPES.items():
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


def check_floats(content: bytes, name: str) -> None:
    """Raise WrongAnswer if bytes, read as float32 numbers, cannot be weights."""
    numbers = np.frombuffer(content, "<f4")
    if not np.isfinite(numbers).all() or np.abs(numbers).max(initial=0) > LARGEST:
        raise WrongAnswer(f"what arrived for {name} is not finite float32 numbers of the size of weights.")


def row_bytes(name: str) -> int:
    return BYTES_PER_FLOAT * prod(SHAPES[name][1:])


def _offsets() -> tuple[dict[str, tuple[int, int]], int]:
    """Return the offsets of each tensor and of its marks in the file of the cache, and the size of the file."""
    offsets, at = {}, PAGE
    for name, (rows, *_) in SHAPES.items():
        marks = at + rows * row_bytes(name)
        offsets[name] = at, marks
        at = -(-(marks + rows) // PAGE) * PAGE
    return offsets, at


OFFSETS, SIZE = _offsets()


class RowFile:
    """The file of the cache, mapped read-only; `write` is for the one process that has the lock of the part."""

    def __init__(self, path: Path) -> None:
        """Map a file. Raises ValueError or OSError if it is none, or damaged."""
        self.path = path
        content = np.memmap(path, np.uint8, mode="r")
        length = int.from_bytes(content[:8].tobytes(), "little")
        published = json.loads(content[8 : 8 + min(length, PAGE)].tobytes())
        if published["version"] != VERSION or len(content) != SIZE:
            raise ValueError(f"{path} is damaged.")
        self.total: int = published["total"]
        self.begins: dict[str, int] = published["begins"]
        self._floats, self._marks = {}, {}
        for name, (at, marks) in OFFSETS.items():
            self._floats[name] = content[at:marks].view("<f4").reshape(SHAPES[name])
            self._marks[name] = content[marks : marks + SHAPES[name][0]]

    @staticmethod
    def create(path: Path, begins: dict[str, int], total: int) -> None:
        """Make a file without any row, for a published file of `total` bytes in which the tensors begin there."""
        published = json.dumps({"version": VERSION, "total": total, "begins": begins}).encode()
        new = path.with_name(f".{path.name}.{os.getpid()}")
        with new.open("wb") as file:
            file.write(len(published).to_bytes(8, "little") + published)
            file.truncate(SIZE)
        os.replace(new, path)

    def numbers(self, name: str) -> np.ndarray:
        """Return a tensor as a read-only view of the mapped file; rows that have not been fetched are zero."""
        return self._floats[name]

    def missing(self, name: str, rows: Iterable[int] | None = None) -> list[int]:
        """Return which of some rows of a tensor, or of all, have not been fetched, in order; others do not count."""
        marks = self._marks[name]
        if rows is None:
            return np.flatnonzero(marks == 0).tolist()
        return [row for row in sorted(set(rows)) if 0 <= row < len(marks) and not marks[row]]

    def has(self, *names: str) -> bool:
        """Return whether all rows of these tensors have been fetched."""
        return all(self._marks[name].all() for name in names)

    def write(self, name: str, first: int, content: bytes) -> None:
        """Write whole rows, and mark them when they are on the disk. Raises WrongAnswer if they are no weights."""
        check_floats(content, name)
        at, marks = OFFSETS[name]
        with self.path.open("r+b") as file:
            file.seek(at + first * row_bytes(name))
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
            file.seek(marks + first)
            file.write(b"\1" * (len(content) // row_bytes(name)))


_opened: dict[Path, tuple[tuple[int, int], RowFile]] = {}
_opening = Lock()


def row_file() -> RowFile | None:
    """Return the file of the cache, mapped once in this process; None if nothing has been fetched yet."""
    path = cache_path()
    with _opening, suppress(OSError, ValueError, KeyError, TypeError):
        found = path.stat()
        if path not in _opened or _opened[path][0] != (found.st_ino, found.st_size):
            _opened[path] = ((found.st_ino, found.st_size), RowFile(path))
        return _opened[path][1]
    return None


def runs(rows: Sequence[int]) -> list[tuple[int, int]]:
    """Return rows in ascending order as first row and count of each run.

    >>> runs([3, 4, 5, 9])
    [(3, 3), (9, 1)]
    """
    parts = np.split(np.array(rows, int), np.flatnonzero(np.diff(rows) != 1) + 1)
    return [(int(part[0]), len(part)) for part in parts if len(part)]
