"""The page of the glossary: a search, the terms by lesson, and further reading."""

from html import escape

import streamlit as st

from components.base.link import State
from components.glossary.terms import SOURCES, find, terms_of
from components.ui.blocks import show_error
from components.ui.session import current
from components.ui.state import bind_choice
from components.ui.terms import link, show_terms


def render(state: State) -> None:
    st.text_input("Find a word", placeholder="context length", **bind_choice("term"))
    search = state.choices.term.strip()
    found = find(search)
    if not found:
        show_error(f"No entry for '{search}'. Try a shorter search.")
    elif search:
        show_terms(found)
    else:
        for name, lesson in current().lessons.items():
            if terms := terms_of(name):
                show_terms(terms, heading=lesson.title)
        st.html(f"<h2>Further reading</h2><p><small>Sources of the lessons and original papers.</small></p>{reading()}")


def reading() -> str:
    """Return all sources in full as a list in HTML."""
    items = []
    for source in SOURCES:
        year = f" ({source.year})" if source.year else ""
        section = f" {escape(source.where)}." if source.where else ""
        items += [f"<li>{escape(source.authors)}{year}: {link(source.title, source)}.{section}</li>"]
    return f"<ul>{''.join(items)}</ul>"
