"""Help: the terms of the page, those that it introduces first, and the keyboard shortcuts."""

import re
from pathlib import Path

import streamlit as st

from components.glossary.terms import named, terms_of
from components.ui.blocks import show_table
from components.ui.session import LearnerSession
from components.ui.share_dialog import base_address
from components.ui.state import change_choices
from components.ui.terms import show_terms

GUIDE = Path(__file__).parents[2] / "docs" / "in-class.md"
LOCAL_LINK = re.compile(r"\[([^\]]*)\]\([\w-]+\.md\)")  # to a file beside it
SHORTCUTS = [
    {"key": "Tab, Shift + Tab", "does": "next or previous control", "where": "everywhere"},
    {"key": "← →, then Enter", "does": "previous or next step", "where": "Combine, in the row of steps"},
    {"key": "arrows, Home, End", "does": "light another part and its numbers", "where": "figures, after Tab"},
    {"key": "Enter", "does": "choose the part: keep it lit, open its lesson", "where": "figures"},
    {"key": "PageUp, PageDown", "does": "previous or next step, then lesson", "where": "presentation mode"},
    {"key": "Shift + S", "does": "show or hide text and settings", "where": "presentation mode"},
    {"key": "PageDown; Space if nothing is focused", "does": "next step of a vote", "where": "the strip of a class"},
    {"key": "Shift + P", "does": "enter or leave presentation mode", "where": "everywhere"},
    {"key": "Esc", "does": "close the dialog", "where": "everywhere"},
    {"key": "Ctrl + Enter", "does": "apply the text", "where": "fields of several lines"},
    {"key": "Home, End, arrows", "does": "move a slider", "where": "sliders, also below charts"},
]


def class_guide(address: str) -> str:
    """Return the guide for teachers, with the address of this server in its worksheet; headings below the dialog's."""
    text = GUIDE.read_text("utf-8").partition("\n")[2].replace("http://ADDRESS", address)
    return LOCAL_LINK.sub(r"\1", text).replace("\n## ", "\n#### ")


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
    label = "Use it in class: a vote step by step, plans, a worksheet, what is stored"
    guide = st.expander(label, icon=":material/groups:", key="class_guide", on_change="rerun")
    if guide.open:
        guide.markdown(class_guide(base_address(learner)))
    st.markdown("**Keyboard shortcuts**")
    show_table(SHORTCUTS)
