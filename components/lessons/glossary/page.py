"""The page of the glossary: a search, the terms by lesson, and further reading."""

from itertools import groupby

import streamlit as st

from components.base.limits import MAX_LINE_CHARS
from components.base.link import State
from components.glossary.terms import TERMS, Source, find, sources
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
        show_by_lesson()
    st.header("Further reading", anchor=False)
    st.caption("Sources of the lessons and original papers.")
    st.markdown("\n".join(f"- {reading(source)}" for source in sources()))


def show_by_lesson() -> None:
    """Show all terms under the title of the lesson that explains them first."""
    lessons = current().lessons
    order = list(lessons)
    by_lesson = sorted(TERMS, key=lambda term: order.index(term.lesson))
    for name, group in groupby(by_lesson, key=lambda term: term.lesson):
        st.header(lessons[name].title, anchor=False)
        show_terms(group)


def reading(source: Source) -> str:
    """Return a source in full in Markdown."""
    section = f" {escape_markdown(source.where)}." if source.where else ""
    year = f" ({source.year})" if source.year else ""
    return f"{escape_markdown(source.authors)}{year}: [{escape_markdown(source.title)}]({source.url}).{section}"
