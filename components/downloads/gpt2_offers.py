"""What can be fetched of GPT-2: the rows of a text, the whole token embedding table, and the first layer."""

from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import ClassVar

import requests
from filelock import FileLock, Timeout

from components.base.limits import MAX_CONTEXT_LENGTH
from components.downloads.download import Download
from components.downloads.gpt2 import (
    ADDRESS,
    LAYER,
    LENGTH_BYTES,
    POSITIONS,
    PUBLISHED_BYTES,
    SHAPES,
    TOKENS,
    RowFile,
    address,
    cache_path,
    read_begins,
    row_bytes,
    row_file,
    runs,
)
from components.downloads.published_file import Offer
from components.downloads.ranges import WrongAnswer, read_range

AT_ONCE = 4  # requests
MAX_HEADER_BYTES = 10**6
BLOCK_ROWS = 1_024  # of the token embedding table, written and marked together
SECONDS_BETWEEN_TRIES = 0.1
Range = tuple[str, int, int]  # a tensor, the first of its rows and their number


@dataclass(frozen=True)
class GPT2Offer(Offer):
    """A part of GPT-2's file, fetched by ranges into the file of the cache."""

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

    @property
    def ready(self) -> bool:
        file = row_file()
        return file is not None and not self.missing(file)

    @abstractmethod
    def missing(self, file: RowFile) -> list[Range]:
        """Return what has not been fetched, in as few ranges as possible."""

    def fetch(self, job: Download) -> None:
        """Fetch what is missing. Raises WrongAnswer, requests.RequestException or OSError; what is whole is kept."""
        with _locked(self.target, "header", job):
            file = row_file() or _made_by_header(job)
        with _locked(self.target, self.lock, job):
            wanted, done = self.missing(file), 0
            total = sum(row_bytes(name) * count for name, _, count in wanted)

            def arrived(count: int) -> None:
                nonlocal done
                done += count
                job.count(done, total)

            def fetch(ranges: Sequence[Range]) -> None:
                with requests.Session() as session:  # keeps the connection
                    for each in ranges:
                        _fetch_rows(job, session, file, *each, arrived)

            arrived(0)
            with ThreadPoolExecutor(AT_ONCE) as pool:
                for each in [pool.submit(fetch, wanted[n::AT_ONCE]) for n in range(AT_ONCE)]:
                    each.result()


@dataclass(frozen=True)
class Rows(GPT2Offer):
    """The rows of some token IDs, one small range for each run of IDs, and with `positions` all position embeddings."""

    ids: frozenset[int] = frozenset()
    positions: bool = False

    title = "GPT-2's rows"  # without their number: why they are not here is shown for other texts as well
    lock = "rows"
    exclusive = False

    @property
    def bytes(self) -> int:
        file = row_file()
        n_rows = len(file.missing(TOKENS, self.ids)) if file else len(self.ids)
        needs_positions = self.positions and not (file and file.has(POSITIONS))
        return row_bytes(TOKENS) * n_rows + row_bytes(POSITIONS) * MAX_CONTEXT_LENGTH * needs_positions

    def missing(self, file: RowFile) -> list[Range]:
        found = [(TOKENS, first, count) for first, count in runs(file.missing(TOKENS, self.ids))]
        return found + ([(POSITIONS, 0, MAX_CONTEXT_LENGTH)] if self.positions and not file.has(POSITIONS) else [])


class Tensors(GPT2Offer):
    """Whole tensors, one range each. What has arrived when it is cancelled or fails is kept."""

    names: ClassVar[Sequence[str]]

    @property
    def bytes(self) -> int:
        return sum(SHAPES[name][0] * row_bytes(name) for name in self.names)

    def missing(self, file: RowFile) -> list[Range]:
        rows = {name: file.missing(name) for name in self.names}
        return [(name, missing[0], missing[-1] + 1 - missing[0]) for name, missing in rows.items() if missing]


class WholeTable(Tensors):
    title = "GPT-2's whole token embedding table"
    lock, names = "table", (TOKENS,)


class FirstLayerOffer(Tensors):
    title = "GPT-2's first layer"
    lock, names = "layer", (POSITIONS, *LAYER)  # it needs the position embeddings


def _made_by_header(job: Download) -> RowFile:
    """Read the header of the published file, and make the file of the cache by it."""
    total, blocks = read_range(job.open, address(), 0, LENGTH_BYTES)
    length = int.from_bytes(b"".join(blocks), "little")
    if address() == ADDRESS and total != PUBLISHED_BYTES:
        raise WrongAnswer(f"the file has {total:,} bytes, not the published {PUBLISHED_BYTES:,}.")
    if not 2 <= length <= min(MAX_HEADER_BYTES, total - LENGTH_BYTES):
        raise WrongAnswer(f"its header would have {length:,} bytes, so it is no safetensors file.")
    header = b"".join(read_range(job.open, address(), LENGTH_BYTES, length, total)[1])
    RowFile.create(cache_path(), read_begins(header, total), total)
    file = row_file()
    if file is None:
        raise OSError(f"{cache_path()} cannot be mapped.")
    return file


def _fetch_rows(
    job: Download,
    session: requests.Session,
    file: RowFile,
    name: str,
    first: int,
    count: int,
    arrived: Callable[[int], None],
) -> None:
    """Fetch consecutive rows of a tensor in one range, and store them in blocks of whole rows."""
    row, open_url = row_bytes(name), partial(job.open, session=session)
    _, blocks = read_range(open_url, address(), file.begins[name] + first * row, count * row, file.total)
    waiting = bytearray()
    for block in blocks:
        waiting += block
        arrived(len(block))
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
    while not lock.is_locked:
        job.check()
        with suppress(Timeout):
            lock.acquire(timeout=SECONDS_BETWEEN_TRIES)
    try:
        yield
    finally:
        lock.release()
