"""The terms of the glossary: explained where a sentence has them, on hover and focus, and as a list with sources."""

from collections.abc import Iterable
from html import escape

import streamlit as st

from components.base.learner_text import show_hidden
from components.caches.shared import digest, shared
from components.glossary.terms import Source, Term, mentions
from components.ui.markdown import unbroken

MAX_CHARS_CACHED = 500_000


@shared(MAX_CHARS_CACHED, len, key=digest)
def explained(text: str, lesson: str, before: str = "") -> str:
    """Return a text as HTML, in which each term is explained that the text `before` on the page does not mention."""
    text, known = unbroken(show_hidden(text)), {term for _, term in mentions(before, lesson)}
    parts, end = [], 0
    for match, term in mentions(text, lesson):
        if term not in known:
            parts += [escape(text[end : match.start()]), _span(match[0], term)]
            end = match.end()
    return "".join([*parts, escape(text[end:])])


def _span(words: str, term: Term) -> str:
    meaning = escape(f"{term.name}: {term.text}")
    return f'<span class="term" tabindex="0" aria-description="{meaning}">{escape(words)}</span>'


def show_terms(terms: Iterable[Term], heading: str = "") -> None:
    """Show terms as HTML: the browser would take 0.3 s to make it of the whole glossary in Markdown."""
    st.html("".join([*([f"<h2>{escape(heading)}</h2>"] if heading else []), *map(explanation, terms)]))


def explanation(term: Term) -> str:
    """Return a term, its meaning, and short links to its sources as HTML."""
    links = " · ".join(source_link(source) for source in term.sources)
    small = f"<br><small>{links}</small>" if links else ""
    return f"<p><strong>{escape(term.name)}</strong>: {escape(term.text)}{small}</p>"


def source_link(source: Source) -> str:
    """Return a short link to a source: a paper by its authors and year, a page of documentation by its title."""
    section = f", {source.where}" if source.where else ""
    return link(f"{source.authors} ({source.year})" if source.year else source.title, source) + escape(section)


def link(words: str, source: Source) -> str:
    return f'<a href="{escape(source.url)}" target="_blank">{escape(words)}</a>'
