"""Help on a page: the keys, and the words that are first used there."""

import streamlit as st

from components.core.glossary import terms_of
from components.core.link import to_query
from components.ui.blocks import table_of
from components.ui.learner import session
from components.ui.lessons import LESSONS
from components.ui.presenter import shortcuts
from components.ui.state import change_choices
from components.ui.terms import draw_term


@st.dialog("Keys and words", width="large")
def panel() -> None:
    """Show the keyboard shortcuts, and the terms that this lesson introduces."""
    st.markdown("**Keys**")
    table_of(shortcuts())
    terms = terms_of(session.learner.page)
    if terms:
        st.markdown(f"**Words first used on {LESSONS[session.learner.page].title}**")
        for term in terms:
            draw_term(term)
    if st.button("The whole glossary, and further reading", icon=":material/menu_book:"):
        change_choices(term="")
        st.switch_page(LESSONS["glossary"].path, query_params=to_query(session.learner.state))
