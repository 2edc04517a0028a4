"""The catalogue of published word vectors to download: URL, size, checksum and contents of each file."""

from dataclasses import dataclass

from components.base.field_types import quote
from components.base.limits import BYTES_PER_FLOAT, table_bytes

WORD_BYTES = 60  # of a converted word with its ID on the disk: 21.5 MB for 400,000 words


@dataclass(frozen=True)
class Source:
    """A published file of word vectors; sizes are in bytes, `md5` is the checksum of the published file.

    >>> SOURCES["glove-wiki-gigaword-50"].converted_bytes
    105600000
    """

    name: str
    title: str
    url: str
    bytes: int
    md5: str
    words: int
    dim: int
    note: str
    licence: str | None = None  # None if the publisher states none

    @property
    def converted_bytes(self) -> int:
        """An estimate of the disk usage of the converted vectors in bytes: numbers, norms and words."""
        return table_bytes(self.words, self.dim) + self.words * (BYTES_PER_FLOAT + WORD_BYTES)


_GENSIM_DATA = "https://github.com/RaRe-Technologies/gensim-data/releases/download"

_ALL = (
    Source(
        name="glove-wiki-gigaword-50",
        title="GloVe (Wikipedia and newspapers)",
        url=f"{_GENSIM_DATA}/glove-wiki-gigaword-50/glove-wiki-gigaword-50.gz",
        bytes=69_182_535,
        md5="c289bc5d7f2f02c6dc9f2f9b67641813",
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
        md5="d1d1a23377f9ab4c12d77c7a078318ac",
        words=43_981,
        dim=300,
        note="A sample, made for NLTK, of the vectors that were trained on about 100 billion words of Google News.",
    ),
    Source(
        name="word2vec-google-news-300",
        title="word2vec (all of Google News)",
        url=f"{_GENSIM_DATA}/word2vec-google-news-300/word2vec-google-news-300.gz",
        bytes=1_743_563_840,
        md5="a5e5354d40acb95f9ec66d5977d140ef",
        words=3_000_000,
        dim=300,
        note="Trained on about 100 billion words of Google News; phrases have vectors of their own, such as New_York.",
    ),
)
SOURCES: dict[str, Source] = {source.name: source for source in _ALL}


def source_named(name: str) -> Source:
    """Return the source `name`. Raises ValueError if it is not in the catalogue.

    >>> source_named("word2vec_sample").words
    43981
    >>> source_named("../secrets")
    Traceback (most recent call last):
    ...
    ValueError: There are no vectors '../secrets': choose glove-wiki-gigaword-50, word2vec_sample or ...
    """
    if name not in SOURCES:
        *first, last = SOURCES
        choices = f"{', '.join(first)} or {last}" if first else last
        raise ValueError(f"There are no vectors {quote(name)}: choose {choices}.")
    return SOURCES[name]
