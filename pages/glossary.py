"""Glossary: the words and letters of all lessons, and where to read on."""

from itertools import groupby

import streamlit as st

from components.ui.frame import frame


def lesson(state):
    """Tell the lesson from top to bottom."""
    st.text_input("Find a word", max_chars=MAX_LINE_CHARS, placeholder="context length", **choice("term"))
    wanted = state.choices.term.strip()
    terms = find(wanted) if wanted else TERMS
    if not terms:
        refuse(f"'{wanted}' is not among the {len(TERMS)} words here: try a shorter part of it.")
    if wanted:
        for term in terms:
            draw_term(term)
    else:
        order = [name for name in LESSONS if any(term.lesson == name for term in TERMS)]
        by_lesson = sorted(terms, key=lambda term: order.index(term.lesson))
        for name, group in groupby(by_lesson, key=lambda term: term.lesson):
            st.header(LESSONS[name].title, anchor=False)
            for term in group:
                draw_term(term)
    st.header("Further reading", anchor=False)
    st.caption("What the lessons follow, and what first said it.")
    for source in sources():
        where = f" {plain(source.where)}." if source.where else ""
        year = f" ({source.year})" if source.year else ""
        st.markdown(f"- {plain(source.authors)}{year}: [{plain(source.title)}]({source.url}).{where}")


with frame("glossary", settings=False) as state:
    from components.core.glossary import TERMS, find, sources
    from components.core.limits import MAX_LINE_CHARS
    from components.ui.blocks import refuse
    from components.ui.lessons import LESSONS
    from components.ui.markdown import plain
    from components.ui.state import choice
    from components.ui.terms import draw_term

    lesson(state)
