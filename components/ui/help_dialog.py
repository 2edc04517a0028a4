"""Help: the terms that the lesson introduces, and the keyboard shortcuts."""

import streamlit as st

from components.glossary.terms import terms_of
from components.ui.blocks import show_table
from components.ui.presentation import shortcuts
from components.ui.session import LearnerSession
from components.ui.state import change_choices
from components.ui.term_list import show_terms


@st.dialog("Help", width="medium")
def show(learner: LearnerSession) -> None:
    """Show the terms that this lesson introduces, and the keyboard shortcuts."""
    lesson = learner.lesson
    if terms := terms_of(lesson.name):
        st.markdown(f"**Terms first used on {lesson.title}**")
        show_terms(terms)
    search = {"lesson": "glossary", "term": ""}
    label = "Full glossary and further reading"
    if st.button(label, icon=":material/menu_book:", on_click=change_choices, kwargs=search):
        st.switch_page(learner.lessons["glossary"].path)
    st.markdown("**Keyboard shortcuts**")
    show_table(shortcuts())
