"""The published word vectors that can be downloaded: URL, size, checksum and contents of each file."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from components.base.cache_folder import cache_folder
from components.base.limits import BYTES_PER_FLOAT, table_bytes
from components.base.text_format import readable_bytes
from components.downloads.published_file import PublishedFile
from components.vectors.convert import convert
from components.vectors.free_memory import free_memory
from components.vectors.load import SUFFIX

WORD_BYTES = 60  # of a converted word with its ID on the disk: 21.5 MB for 400,000 words
WORD_MEMORY = 240  # bytes of a word with its ID while gensim reads and saves the vectors
BASE_MEMORY = 120 * 10**6  # bytes of the process in which it does, without the vectors


@dataclass(frozen=True)
class Source(PublishedFile):
    """A published file of word vectors; it is converted once, to a folder that is mapped into memory."""

    words: int
    dim: int
    note: str
    licence: str | None = None  # None if the publisher states none
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


_GENSIM_DATA = "https://github.com/RaRe-Technologies/gensim-data/releases/download"

_SOURCES = (
    Source(
        name="glove-wiki-gigaword-50",
        title="GloVe (Wikipedia and newspapers)",
        url=f"{_GENSIM_DATA}/glove-wiki-gigaword-50/glove-wiki-gigaword-50.gz",
        bytes=69_182_535,
        checksum="md5:c289bc5d7f2f02c6dc9f2f9b67641813",
        words=400_000,
        dim=50,
        note="Trained on the English Wikipedia of 2014 and the newspaper archive Gigaword 5, all in lower case.",
        licence="Public Domain Dedication and License 1.0",
    ),
    Source(
        name="word2vec_sample",
        title="word2vec (sample of Google News)",
        url="https://raw.githubusercontent.com/nltk/nltk_data/gh-pages/packages/models/word2vec_sample.zip",
        bytes=49_396_025,
        checksum="md5:d1d1a23377f9ab4c12d77c7a078318ac",
        words=43_981,
        dim=300,
        note="A sample, made for NLTK, of the vectors that were trained on about 100 billion words of Google News.",
    ),
    Source(
        name="word2vec-google-news-300",
        title="word2vec (all of Google News)",
        url=f"{_GENSIM_DATA}/word2vec-google-news-300/word2vec-google-news-300.gz",
        bytes=1_743_563_840,
        checksum="md5:a5e5354d40acb95f9ec66d5977d140ef",
        words=3_000_000,
        dim=300,
        note="Trained on about 100 billion words of Google News; phrases have vectors of their own, such as New_York.",
        binary=True,
    ),
)
SOURCES: dict[str, Source] = {source.name: source for source in _SOURCES}
