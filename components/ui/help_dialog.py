"""Help: the terms of the page, those that it introduces first, and the keyboard shortcuts."""

import streamlit as st

from components.glossary.terms import named, terms_of
from components.ui.blocks import show_table
from components.ui.session import LearnerSession
from components.ui.state import change_choices
from components.ui.terms import show_terms

SHORTCUTS = [
    {"key": "Tab, Shift + Tab", "does": "next or previous control", "where": "everywhere"},
    {"key": "← →, then Enter", "does": "previous or next step", "where": "Combine, in the row of steps"},
    {"key": "arrows, Home, End", "does": "light another part and its numbers", "where": "figures, after Tab"},
    {"key": "Enter", "does": "choose the part: keep it lit, open its lesson", "where": "figures"},
    {"key": "PageUp, PageDown", "does": "previous or next step, then lesson", "where": "presentation mode"},
    {"key": "Shift + S", "does": "show or hide text and settings", "where": "presentation mode"},
    {"key": "Shift + P", "does": "enter or leave presentation mode", "where": "everywhere"},
    {"key": "Esc", "does": "close the dialog", "where": "everywhere"},
    {"key": "Ctrl + Enter", "does": "apply the text", "where": "fields of several lines"},
    {"key": "Home, End, arrows", "does": "move a slider", "where": "sliders, also below charts"},
]


@st.dialog("Help", width="medium")
def show(learner: LearnerSession) -> None:
    lesson = learner.lesson
    if terms := terms_of(lesson.name):
        st.markdown(f"**Terms first used on {lesson.title}**")
        show_terms(terms)
    if lesson.uses:
        st.markdown("**Terms of other lessons that this page uses**")
        show_terms(named(lesson.uses.split("; ")))
    search = {"lesson": "glossary", "term": ""}
    label = "Full glossary and further reading"
    if st.button(label, icon=":material/menu_book:", on_click=change_choices, kwargs=search):
        st.switch_page(learner.lessons["glossary"].path)
    st.markdown("**Keyboard shortcuts**")
    show_table(SHORTCUTS)
