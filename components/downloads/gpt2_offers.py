"""What can be fetched of GPT-2: the rows of a text, the whole token embedding table, and the first layer."""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import requests
from filelock import FileLock, Timeout

from components.base.cache_folder import CACHE_VARIABLE
from components.base.text_format import pluralize
from components.downloads.download import Download
from components.downloads.gpt2 import (
    LAYER,
    POSITIONS,
    SHAPES,
    TOKENS,
    RowFile,
    address,
    cache_path,
    check_sizes,
    row_file,
    runs,
)
from components.downloads.published_file import Offer
from components.downloads.ranges import read_range
from components.downloads.tensor_file import LENGTH_BYTES, header_length, read_tensors

AT_ONCE = 4  # requests for rows
BLOCK_ROWS = 1_024  # written and marked together
SECONDS_BETWEEN_TRIES = 0.1
ROW_BYTES, POSITION_BYTES = 3_072, 3_145_728  # of the published file, until its header has been read


@dataclass(frozen=True)
class GPT2Offer(Offer):
    """A part of GPT-2's file, fetched by ranges into the file of the cache."""

    folder_variable: ClassVar[str] = CACHE_VARIABLE
    lock: ClassVar[str]  # parts with the same lock are fetched one after the other, by all processes

    @property
    def url(self) -> str:
        return address()

    @property
    def target(self) -> Path:
        return cache_path()

    @property
    def key(self) -> tuple:
        return self.target, self.lock

    def fetch(self, job: Download) -> None:
        """Fetch what is missing. Raises WrongAnswer, requests.RequestException or OSError; what is whole is kept."""
        with _locked(self.target, "header", job):
            file = row_file() or _made_by_header(job)
        with _locked(self.target, self.lock, job):
            self._fetch_parts(job, file)

    @abstractmethod
    def _fetch_parts(self, job: Download, file: RowFile) -> None:
        """Fetch what is missing; the lock is taken."""


@dataclass(frozen=True)
class Rows(GPT2Offer):
    """The rows of some token IDs, one small range for each run of IDs, and with `positions` all position embeddings."""

    ids: frozenset[int] = frozenset()
    positions: bool = False

    lock = "rows"
    exclusive = False

    @property
    def title(self) -> str:
        positions = " and position embeddings" * self.positions
        return f"GPT-2's {pluralize(len(self.ids), 'row')}{positions}"

    @property
    def bytes(self) -> int:
        file = row_file()
        row = file.parts[TOKENS].tensor.row_bytes if file else ROW_BYTES
        positions = file.parts[POSITIONS].tensor.bytes if file else POSITION_BYTES
        return row * len(self._missing()) + positions * self._needs_positions()

    @property
    def ready(self) -> bool:
        return row_file() is not None and not self._missing() and not self._needs_positions()

    def _missing(self) -> list[int]:
        file = row_file()
        return file.missing(TOKENS, self.ids) if file else sorted(self.ids)

    def _needs_positions(self) -> bool:
        file = row_file()
        return self.positions and not (file and file.has(POSITIONS))

    def _fetch_parts(self, job: Download, file: RowFile) -> None:
        wanted = [(TOKENS, first, count) for first, count in runs(self._missing())]
        if self._needs_positions():
            wanted.append((POSITIONS, 0, file.length))
        done = Done(job, sum(file.parts[name].tensor.row_bytes * count for name, _, count in wanted))

        def fetch(parts: Sequence[tuple[str, int, int]]) -> None:
            with requests.Session() as session:  # keeps the connection
                for name, first, count in parts:
                    _fetch_rows(job, file, name, first, count, done, session)

        with ThreadPoolExecutor(AT_ONCE) as pool:
            for each in [pool.submit(fetch, wanted[n::AT_ONCE]) for n in range(AT_ONCE)]:
                each.result()


@dataclass(frozen=True)
class WholeTable(GPT2Offer):
    """The whole token embedding table, in one range. What has arrived when it is cancelled or fails is kept."""

    title: ClassVar[str] = "GPT-2's whole token embedding table"
    lock = "table"

    @property
    def bytes(self) -> int:
        return _size((TOKENS,))

    @property
    def ready(self) -> bool:
        return (file := row_file()) is not None and file.has(TOKENS)

    def _fetch_parts(self, job: Download, file: RowFile) -> None:
        if not (missing := file.missing(TOKENS)):
            return
        first, last = missing[0], missing[-1]
        row = file.parts[TOKENS].tensor.row_bytes
        done = Done(job, file.parts[TOKENS].tensor.bytes, row * first)
        _fetch_rows(job, file, TOKENS, first, last + 1 - first, done)


@dataclass(frozen=True)
class FirstLayer(GPT2Offer):
    """The first layer and the position embeddings, which it needs, one range each."""

    title: ClassVar[str] = "GPT-2's first layer"
    lock = "layer"

    @property
    def bytes(self) -> int:
        return _size((POSITIONS, *LAYER))

    @property
    def ready(self) -> bool:
        return (file := row_file()) is not None and file.has(POSITIONS, *LAYER)

    def _fetch_parts(self, job: Download, file: RowFile) -> None:
        wanted = [name for name in (POSITIONS, *LAYER) if not file.has(name)]
        done = Done(job, sum(file.parts[name].tensor.bytes for name in wanted))
        for name in wanted:
            _fetch_rows(job, file, name, 0, file.parts[name].tensor.shape[0], done)


class Done:
    """Counts the bytes of a download for its progress; raises Stopped if it was cancelled."""

    def __init__(self, job: Download, total: int, before: int = 0) -> None:
        self.job, self.total, self.bytes = job, total, before
        self.add(0)

    def add(self, count: int) -> None:
        self.bytes += count
        self.job.count(self.bytes, self.total)


def _size(names: Sequence[str]) -> int:
    """Return the bytes of some tensors; those of the published file until a header has been read."""
    file = row_file()
    if file:
        return sum(file.parts[name].tensor.bytes for name in names)
    published = {TOKENS: 154_389_504, POSITIONS: POSITION_BYTES, LAYER[2]: 7_077_888}
    return sum(published.get(name, 0) for name in names)


def _made_by_header(job: Download) -> RowFile:
    """Read the header of the published file, and make the file of the cache by it."""
    total, blocks = read_range(job.open, address(), 0, LENGTH_BYTES)
    length = header_length(b"".join(blocks), total)
    header = b"".join(read_range(job.open, address(), LENGTH_BYTES, length, total)[1])
    tensors = read_tensors(header, total, SHAPES)
    check_sizes(tensors)
    RowFile.create(cache_path(), tensors, total)
    file = row_file()
    if file is None:
        raise OSError(f"{cache_path()} cannot be mapped.")
    return file


def _fetch_rows(
    job: Download, file: RowFile, name: str, first: int, count: int, done: Done, session: requests.Session | None = None
) -> None:
    """Fetch consecutive rows of a tensor in one range, and store them in blocks of whole rows."""
    tensor = file.parts[name].tensor
    row = tensor.row_bytes
    begin = tensor.begin + first * row

    def open_url(url: str, headers: dict[str, str]) -> requests.Response:
        return job.open(url, headers, session)

    _, blocks = read_range(open_url, address(), begin, count * row, file.total)
    waiting = bytearray()
    for block in blocks:
        waiting += block
        done.add(len(block))
        if len(waiting) >= BLOCK_ROWS * row and name == TOKENS:
            whole = len(waiting) // row
            file.write(name, first, bytes(waiting[: whole * row]))
            del waiting[: whole * row]
            first += whole
    file.write(name, first, bytes(waiting))


@contextmanager
def _locked(target: Path, name: str, job: Download) -> Iterator[None]:
    """Wait for the lock of a part among all threads and processes, but not longer than the job is wanted."""
    target.parent.mkdir(parents=True, exist_ok=True)
    lock = FileLock(f"{target}.{name}.lock")
    while True:
        job.check()
        try:
            lock.acquire(timeout=SECONDS_BETWEEN_TRIES)
            break
        except Timeout:
            continue
    try:
        yield
    finally:
        lock.release()
