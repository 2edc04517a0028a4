"""The terms of the lessons with their meaning and sources, read from components/data/glossary.json.

This module imports the standard library only.
"""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

FILE = Path(__file__).parents[1] / "data" / "glossary.json"


@dataclass(frozen=True)
class Source:
    """A paper or a page of documentation; `where` is its journal or a term's section; undated pages have no `year`."""

    key: str
    title: str
    authors: str
    year: int | None
    where: str
    url: str


@dataclass(frozen=True)
class Term:
    """A term of the lessons; `letter` is B, T, D, V, N or empty, `lesson` the page that explains it first.

    `also` has other forms of its name in texts. A `common` name is an everyday word too: outside its lesson it is not
    taken for the term.
    """

    name: str
    letter: str
    lesson: str
    text: str
    sources: tuple[Source, ...]
    also: tuple[str, ...] = ()
    common: bool = False


def read() -> tuple[tuple[Term, ...], tuple[Source, ...]]:
    """Return the terms in alphabetical order, and the sources by author and year."""
    data = json.loads(FILE.read_text("utf-8"))
    listed = {key: Source(key, **source) for key, source in data["sources"].items()}

    def located(named: str) -> Source:  # such as "vaswani2017 section 3.2"
        key, _, section = named.partition(" ")
        return replace(listed[key], where=section or listed[key].where)

    terms = [
        Term(**term | {"sources": tuple(map(located, term["sources"])), "also": tuple(term.get("also", ()))})
        for term in data["terms"]
    ]
    by_author = sorted(listed.values(), key=lambda source: (source.authors.lower(), source.year or 0, source.title))
    return tuple(sorted(terms, key=lambda term: term.name.lower())), tuple(by_author)


def pattern(name: str) -> str:
    """Return the regular expression of a name and its plural; if it has no capitals, one may begin it."""
    plural = f"{re.escape(name[:-1])}(?:y|ies)" if name.endswith("y") else f"{re.escape(name)}s?"
    return plural if name != name.lower() else f"[{name[0]}{name[0].upper()}]{plural[1:]}"


TERMS, SOURCES = read()
_NAMES = {name: term for term in TERMS for name in (term.name, *term.also)}
_LONGEST_FIRST = sorted(_NAMES, key=len, reverse=True)
_LETTERS = {term.letter: term for term in TERMS if term.letter}
_EACH = "|".join(f"({pattern(name)})" for name in _LONGEST_FIRST)
_MENTION = re.compile(rf"(?<![\w-])(?:{_EACH}|([BTDVN])(?!\())(?![\w-])")  # N(0, 1) is no number of windows


def terms_of(lesson: str) -> list[Term]:
    """Return the terms that a lesson explains first, in alphabetical order."""
    return [term for term in TERMS if term.lesson == lesson]


def named(names: Iterable[str]) -> list[Term]:
    """Return the terms with these names, in alphabetical order."""
    wanted = {*names}
    return [term for term in TERMS if term.name in wanted]


def mentions(text: str, lesson: str) -> Iterator[tuple[re.Match[str], Term]]:
    """Yield the first mention of each term in a text on the page of a lesson."""
    found = set()
    for match in _MENTION.finditer(text):
        number = match.lastindex - 1
        term = _NAMES[_LONGEST_FIRST[number]] if number < len(_LONGEST_FIRST) else _LETTERS[match[0]]
        if term not in found and not (term.common and term.lesson != lesson):
            found.add(term)
            yield match, term


def _singular(words: str) -> list[str]:
    """Return words in lower case without the ending of a plural: the part that a name and its plural share."""
    return [re.sub(r"(?<=...)(ies|(?<=s)es|(?<!s)s)$", "", word) for word in words.lower().split()]


def find(words: str) -> list[Term]:
    """Return the terms that contain every one of `words`, ignoring case and plural; all terms for an empty search.

    First is the term that has the words as its letter or as its name, then those with them in their name, then those
    with them in their text.
    """
    wanted = _singular(words)

    def rank(term: Term) -> int | None:
        name = term.name.lower()
        if wanted in ([term.letter.lower()], _singular(name)):
            return 0
        if all(word in name for word in wanted):
            return 1
        return 2 if all(word in f"{name} {term.text.lower()}" for word in wanted) else None

    ranked = [(order, term) for term in TERMS if (order := rank(term)) is not None]
    return [term for _, term in sorted(ranked, key=lambda pair: pair[0])]
