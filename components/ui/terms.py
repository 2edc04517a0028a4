"""The terms of the glossary: explained where a sentence has them, on hover and focus, and as a list with sources."""

from collections.abc import Iterable
from functools import lru_cache
from html import escape

import streamlit as st

from components.base.learner_text import show_hidden
from components.glossary.terms import Source, Term, mentions
from components.ui.markdown import escape_markdown


@lru_cache(256)
def explained(text: str, lesson: str, before: str = "") -> str:
    """Return a text as HTML, in which each term is explained that the text `before` on the page does not mention."""
    text, known = show_hidden(text), {term for _, term in mentions(before, lesson)}
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
    st.markdown("\n\n".join([*([f"## {heading}"] if heading else []), *map(explanation, terms)]))


def explanation(term: Term) -> str:
    """Return a term, its meaning, and short links to its sources in Markdown."""
    links = " · ".join(source_link(source) for source in term.sources)
    return f"**{escape_markdown(term.name)}**: {escape_markdown(term.text)}" + (f"  \n:small[{links}]" if links else "")


def source_link(source: Source) -> str:
    """Return a short link to a source: a paper by its authors and year, a page of documentation by its title."""
    name = f"{source.authors} ({source.year})" if source.year else source.title
    section = f", {source.where}" if source.where else ""
    return f"[{escape_markdown(name)}]({source.url}){escape_markdown(section)}"
