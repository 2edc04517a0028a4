"""The published word vectors that can be downloaded: URL, size, checksum and contents of each file."""

import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import psutil

from components.base.cache_folder import cache_folder
from components.base.limits import BYTES_PER_FLOAT, table_bytes
from components.base.text_format import readable_bytes
from components.downloads.published_file import PublishedFile
from components.vectors.load import SUFFIX, convert

CGROUP = Path("/sys/fs/cgroup")
WORD_BYTES = 60  # of a converted word with its ID on the disk: 21.5 MB for 400,000 words
WORD_MEMORY = 240  # bytes of a word with its ID while gensim reads and saves the vectors
BASE_MEMORY = 120 * 10**6  # bytes of the process in which it does, without the vectors


def free_memory() -> int:
    """Return the free memory of the machine in bytes, or of its container if that is less."""
    machine = psutil.virtual_memory().available
    try:
        limit = int((CGROUP / "memory.max").read_text())  # "max" if there is no limit
        used = int((CGROUP / "memory.current").read_text())
        counts = dict(line.split() for line in (CGROUP / "memory.stat").read_text().splitlines())
    except (OSError, ValueError):  # no container, or no limit
        return machine
    # The page cache counts as used, but is evicted on demand: a large download fills memory with it.
    return min(machine, max(0, limit - used + int(counts.get("inactive_file", 0))))


@dataclass(frozen=True)
class Source(PublishedFile):
    """A published file of word vectors; it is converted once, to a folder that is mapped into memory."""

    words: int
    dim: int
    note: str
    license: str | None = None  # None if the publisher states none
    binary: bool = False  # word2vec's binary format

    @property
    def target(self) -> Path:
        return cache_folder() / f"{self.name}{SUFFIX}"

    @property
    def converted_bytes(self) -> int:
        """An estimate of the disk usage of the converted vectors: numbers, norms and words."""
        return table_bytes(self.words, self.dim) + self.words * (BYTES_PER_FLOAT + WORD_BYTES)

    @property
    def disk_bytes(self) -> int:
        return self.bytes + self.converted_bytes  # the download is deleted after the conversion

    @property
    def memory_bytes(self) -> int:
        """An estimate of the memory of the conversion: all numbers and words, in a process of its own."""
        return table_bytes(self.words, self.dim) + self.words * (BYTES_PER_FLOAT + WORD_MEMORY) + BASE_MEMORY

    def prepare(self, download: Path, target: Path, progress: Callable[[int, int], None]) -> None:
        if free_memory() < self.memory_bytes:  # the download may have taken long
            raise MemoryError
        convert(download, target, self.binary, progress)

    def blocking_reason(self) -> str | None:
        if (reason := super().blocking_reason()) or free_memory() >= self.memory_bytes:
            return reason
        return (
            f"{self.title} needs about {readable_bytes(self.memory_bytes)} of memory while it is prepared, and this "
            f"machine has {readable_bytes(free_memory())} free: choose smaller vectors, or stop other programs and try "
            f"again."
        )


_CATALOGUE = tomllib.loads((Path(__file__).parents[1] / "data" / "vectors.toml").read_text("utf-8"))
SOURCES = {name: Source(name=name, **fields) for name, fields in _CATALOGUE.items()}
