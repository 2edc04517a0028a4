"""Terms of the glossary with their meaning and their sources, on the page of the glossary and in Help."""

from collections.abc import Iterable

import streamlit as st

from components.glossary.terms import Source, Term
from components.ui.markdown import escape_markdown


def show_terms(terms: Iterable[Term]) -> None:
    st.markdown("\n\n".join(map(explanation, terms)))


def explanation(term: Term) -> str:
    """Return a term, its meaning, and short links to its sources in Markdown."""
    links = " · ".join(source_link(source) for source in term.sources)
    return f"**{escape_markdown(term.name)}**: {escape_markdown(term.text)}" + (f"  \n:small[{links}]" if links else "")


def source_link(source: Source) -> str:
    """Return a short link to a source: a paper by its authors and year, a page of documentation by its title."""
    name = f"{source.authors} ({source.year})" if source.year else source.title
    section = f", {source.where}" if source.where else ""
    return f"[{escape_markdown(name)}]({source.url}){escape_markdown(section)}"
