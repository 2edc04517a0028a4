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
from pathlib import Path
from threading import Lock
from typing import NamedTuple
from urllib.parse import urlsplit

import numpy as np

from components.base.cache_folder import cache_folder
from components.base.limits import MAX_CONTEXT_LENGTH, MAX_VOCAB_SIZE
from components.downloads.ranges import WrongAnswer
from components.downloads.tensor_file import Tensor

# The revision is pinned. Sizes, shapes and offsets are read from the file's header: a mirror may have others.
REVISION = "607a30d783dfa663caf39e06633721c8d4cfcd7e"
ADDRESS = f"https://huggingface.co/openai-community/gpt2/resolve/{REVISION}/model.safetensors"
ADDRESS_VARIABLE = "EMBEDDING_LAB_GPT2_URL"

TOKENS, POSITIONS = "wte.weight", "wpe.weight"
LAYER = ("h.0.ln_1.weight", "h.0.ln_1.bias", "h.0.attn.c_attn.weight", "h.0.attn.c_attn.bias")
SHAPES = {TOKENS: "VD", POSITIONS: "TD", LAYER[0]: "D", LAYER[1]: "D", LAYER[2]: "DH", LAYER[3]: "H"}
DIM = 768  # of GPT-2 (small): twelve heads of 64
MIN_POSITIONS = 128  # that a figure shows
LARGEST = 1e4  # of a weight: text read as float32 has larger numbers
PAGE = 2**14  # bytes: pages are 4 or 16 kB
VERSION = 1


def address() -> str:
    """Return the address of the file: the published one, or the value of EMBEDDING_LAB_GPT2_URL."""
    return os.environ.get(ADDRESS_VARIABLE, "").strip() or ADDRESS


def host() -> str:
    return urlsplit(address()).hostname or address()


def cache_path() -> Path:
    """Return the file of the cache; each address has its own."""
    return cache_folder() / f"gpt2-{sha256(address().encode()).hexdigest()[:12]}.rows"


def check_sizes(tensors: dict[str, Tensor]) -> None:
    """Raise WrongAnswer if the tables of a file are not of sizes that the app can show, or the layer does not fit."""
    (V, D), (T, _) = tensors[TOKENS].shape, tensors[POSITIONS].shape
    if V > MAX_VOCAB_SIZE or D != DIM or not MIN_POSITIONS <= T <= MAX_CONTEXT_LENGTH:
        raise WrongAnswer(f"its tables, V = {V:,}, T = {T:,}, D = {D:,}, are not those of GPT-2 (small).")
    if tensors[LAYER[2]].shape[1] != 3 * D:
        raise WrongAnswer(f"its first layer has {tensors[LAYER[2]].shape[1]:,} columns, not 3 × D = {3 * D:,}.")


def check_floats(content: bytes, name: str) -> None:
    """Raise WrongAnswer if bytes, read as float32 numbers, cannot be weights."""
    numbers = np.frombuffer(content, "<f4")
    if not np.isfinite(numbers).all() or np.abs(numbers).max(initial=0) > LARGEST:
        raise WrongAnswer(f"what arrived for {name} is not finite float32 numbers of the size of weights.")


class Part(NamedTuple):
    """Where the file of the cache has a tensor: its offset in the published file, its own, and that of its marks."""

    tensor: Tensor
    at: int
    marks: int


class RowFile:
    """The file of the cache, mapped read-only; `write` is for the one process that has the lock of the part."""

    def __init__(self, path: Path) -> None:
        """Map a file. Raises ValueError or OSError if it is none, or damaged."""
        self.path = path
        content = np.memmap(path, np.uint8, mode="r")
        length = int.from_bytes(content[:8].tobytes(), "little")
        layout = json.loads(content[8 : 8 + min(length, PAGE)].tobytes())
        if layout["version"] != VERSION or layout["size"] != len(content):
            raise ValueError(f"{path} is damaged.")
        self.total: int = layout["total"]
        self.parts = {
            name: Part(Tensor(tuple(shape), begin), at, marks)
            for name, (shape, begin, at, marks) in layout["parts"].items()
        }
        self._floats, self._marks = {}, {}
        for name, part in self.parts.items():
            self._floats[name] = content[part.at : part.at + part.tensor.bytes].view("<f4").reshape(part.tensor.shape)
            self._marks[name] = content[part.marks : part.marks + part.tensor.shape[0]]

    @staticmethod
    def create(path: Path, tensors: dict[str, Tensor], total: int) -> None:
        """Make a file without any row, for a published file of `total` bytes with these tensors."""
        parts, at = {}, PAGE
        for name, tensor in tensors.items():
            marks = at + tensor.bytes
            parts[name] = (tensor.shape, tensor.begin, at, marks)
            at = -(-(marks + tensor.shape[0]) // PAGE) * PAGE
        layout = json.dumps({"version": VERSION, "total": total, "size": at, "parts": parts}).encode()
        path.parent.mkdir(parents=True, exist_ok=True)
        new = path.with_name(f".{path.name}.{os.getpid()}")
        with new.open("wb") as file:
            file.write(len(layout).to_bytes(8, "little") + layout)
            file.truncate(at)
        os.replace(new, path)

    @property
    def shape(self) -> tuple[int, int]:
        """V and D of the token embedding table."""
        return self.parts[TOKENS].tensor.shape

    @property
    def length(self) -> int:
        """T, the number of positions."""
        return self.parts[POSITIONS].tensor.shape[0]

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
        part = self.parts[name]
        with self.path.open("r+b") as file:
            file.seek(part.at + first * part.tensor.row_bytes)
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
            file.seek(part.marks + first)
            file.write(b"\1" * (len(content) // part.tensor.row_bytes))


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
