"""The page of the glossary: a search, the terms by lesson, and further reading."""

from itertools import groupby

import streamlit as st

from components.base.limits import MAX_LINE_CHARS
from components.base.link import State
from components.lessons.glossary.terms import TERMS, Source, Term, find, sources
from components.ui.blocks import show_error
from components.ui.markdown import escape_markdown
from components.ui.session import current
from components.ui.state import bind_choice


def render(state: State) -> None:
    """Render the page from top to bottom."""
    st.text_input("Find a word", max_chars=MAX_LINE_CHARS, placeholder="context length", **bind_choice("term"))
    search = state.choices.term.strip()
    if search:
        show_found(search)
    else:
        show_by_lesson()
    st.header("Further reading", anchor=False)
    st.caption("Sources of the lessons and original papers.")
    for source in sources():
        section = f" {escape_markdown(source.where)}." if source.where else ""
        year = f" ({source.year})" if source.year else ""
        st.markdown(
            f"- {escape_markdown(source.authors)}{year}: [{escape_markdown(source.title)}]({source.url}).{section}"
        )


def show_found(search: str) -> None:
    """Show the terms that a search finds, or an error if there are none."""
    terms = find(search)
    if not terms:
        show_error(f"No entry for '{search}'. Try a shorter search.")
    for term in terms:
        show_term(term)


def show_by_lesson() -> None:
    """Show all terms under the title of the lesson that explains them first."""
    lessons = current().lessons
    order = list(lessons)
    by_lesson = sorted(TERMS, key=lambda term: order.index(term.lesson))
    for name, group in groupby(by_lesson, key=lambda term: term.lesson):
        st.header(lessons[name].title, anchor=False)
        for term in group:
            show_term(term)


def show_term(term: Term) -> None:
    """Show a term, its meaning, and its sources; the help dialog does so as well."""
    links = " · ".join(source_link(source) for source in term.sources)
    st.markdown(
        f"**{escape_markdown(term.name)}**: {escape_markdown(term.text)}" + (f"  \n:small[{links}]" if links else "")
    )


def source_link(source: Source) -> str:
    """Return a short link to a source: a paper by its authors and year, a page of documentation by its title."""
    name = f"{source.authors} ({source.year})" if source.year else source.title
    section = f", {source.where}" if source.where else ""
    return f"[{escape_markdown(name)}]({source.url}){escape_markdown(section)}"
