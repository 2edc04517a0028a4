"""The page of the glossary: a search, the terms by lesson, and further reading."""

import streamlit as st

from components.base.limits import MAX_LINE_CHARS
from components.base.link import State
from components.glossary.terms import SOURCES, Source, find, terms_of
from components.ui.blocks import show_error
from components.ui.markdown import escape_markdown
from components.ui.session import current
from components.ui.state import bind_choice
from components.ui.terms import show_terms


def render(state: State) -> None:
    st.text_input("Find a word", max_chars=MAX_LINE_CHARS, placeholder="context length", **bind_choice("term"))
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
        sources = "\n".join(f"- {reading(source)}" for source in SOURCES)
        st.markdown(f"## Further reading\n\n:small[Sources of the lessons and original papers.]\n\n{sources}")


def reading(source: Source) -> str:
    """Return a source in full in Markdown."""
    section = f" {escape_markdown(source.where)}." if source.where else ""
    year = f" ({source.year})" if source.year else ""
    return f"{escape_markdown(source.authors)}{year}: [{escape_markdown(source.title)}]({source.url}).{section}"
