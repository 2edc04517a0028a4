"""The words of the lessons, explained in a sentence or two, and the papers and documentation to read further in.

All of it stands in components/data/glossary.json; this file reads it, and loads nothing but the standard library.
"""

import json
import re
from dataclasses import dataclass
from pathlib import Path

FILE = Path(__file__).parents[1] / "data" / "glossary.json"


@dataclass(frozen=True)
class Source:
    """A paper or a page of documentation; `where` says in which journal or section, `year` is None for living pages."""

    key: str
    title: str
    authors: str
    year: int | None
    where: str
    url: str


@dataclass(frozen=True)
class Term:
    """A word as the lessons use it; `letter` is B, T, D, V, N or empty, `lesson` the page that explains it first."""

    name: str
    letter: str
    lesson: str
    text: str
    sources: tuple[Source, ...]

    @property
    def anchor(self) -> str:
        """The name as a part of an address.

        >>> Term("padding_idx", "", "errors", "", ()).anchor, Term("token ID", "", "tokens", "", ()).anchor
        ('padding-idx', 'token-id')
        """
        return re.sub(r"[^a-z0-9]+", "-", self.name.lower()).strip("-")


def read(text: str) -> tuple[tuple[Term, ...], tuple[Source, ...]]:
    """Return terms in alphabetical order and sources by author; raises KeyError for a source that is not listed.

    >>> terms, listed = read('{"terms": [], "sources": {}}')
    >>> terms, listed
    ((), ())
    """
    data = json.loads(text)
    listed = {key: Source(key, **source) for key, source in data["sources"].items()}
    terms = [Term(**{**term, "sources": tuple(listed[key] for key in term["sources"])}) for term in data["terms"]]
    by_author = sorted(listed.values(), key=lambda source: (source.authors.lower(), source.year or 0, source.title))
    return tuple(sorted(terms, key=lambda term: term.name.lower())), tuple(by_author)


TERMS, _SOURCES = read(FILE.read_text("utf-8"))


def terms_of(lesson: str) -> list[Term]:
    """Return the terms that belong to a lesson, in alphabetical order; none for a lesson without any.

    >>> [term.name for term in terms_of("one_hot")]
    ['gradient', 'linear layer', 'one-hot']
    """
    return [term for term in TERMS if term.lesson == lesson]


def find(words: str) -> list[Term]:
    """Return the terms in which every one of `words` occurs, whatever the case; all terms for an empty search.

    The term of a letter comes first, then those with the words in their name, then those with them in their text.

    >>> [term.name for term in find("Position Table")][0], find("t")[0].name, find("no such word")
    ('learned position table', 'context length', [])
    """
    wanted = words.lower().split()

    def rank(term: Term) -> int | None:
        if wanted == [term.letter.lower()]:
            return 0
        name = term.name.lower()
        if all(word in name for word in wanted):
            return 1
        return 2 if all(word in f"{name} {term.text.lower()}" for word in wanted) else None

    ranked = [(place, term) for term in TERMS if (place := rank(term)) is not None]
    return [term for _, term in sorted(ranked, key=lambda pair: pair[0])]


def sources() -> list[Source]:
    """Return all sources, by author and year.

    >>> [(source.authors, source.year) for source in sources()][0]
    ('Bengio, Ducharme, Vincent, Jauvin', 2003)
    """
    return list(_SOURCES)
