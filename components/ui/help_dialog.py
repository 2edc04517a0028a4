"""Help: the terms of the page, those that it introduces first, and the keyboard shortcuts."""

import re
from pathlib import Path

import streamlit as st
from markupsafe import Markup

from components.base.qr import qr_svg
from components.glossary.terms import named, terms_of
from components.ui.blocks import show_table
from components.ui.session import LearnerSession
from components.ui.share_dialog import base_address, opens_here_only, warn_if_local
from components.ui.state import change_choices
from components.ui.terms import show_terms

GUIDE = Path(__file__).parents[2] / "docs" / "in-class.md"
LOCAL_LINK = re.compile(r"\[([^\]]*)\]\(([\w-]+\.md)\)")  # to a file beside it
PAPER = Markup("""<!DOCTYPE html><meta charset="utf-8"><title>Worksheet</title><style>
body { font: 12pt/1.5 sans-serif; max-width: 18cm; margin: auto; }
li { min-height: 3cm; margin-bottom: 0.3cm; break-inside: avoid; }
h1 { margin: 0; }
p { line-height: 2; margin: 0; }
svg { float: right; width: 2.8cm; height: auto; }
</style><h1>Embedding Lab</h1><p>Name ____________________ Date ____________</p>
<p>Write down what you expect before the page shows it.</p><ol>""")
SHORTCUTS = {  # what a key does, and where
    "Tab, Shift + Tab": ("next or previous control", "everywhere"),
    "← →, then Enter": ("choose another option", "answers, presets, steps and other rows of options, after Tab"),
    "arrows, Home, End": ("light another part and its numbers", "figures, after Tab"),
    "Enter or Space": ("choose the part: keep it lit, or open its lesson or experiment", "figures"),
    "PageUp, PageDown": ("previous or next step, then lesson", "presentation mode"),
    "Shift + S": ("show or hide text and settings", "presentation mode"),
    "PageDown; Space if nothing is focused": ("next step of a vote", "the strip of a class"),
    "Shift + P": ("enter or leave presentation mode", "unless a field, an answer or a slider has the focus"),
    "Esc": ("close the dialog", "everywhere"),
    "Ctrl + Enter": ("apply the text", "fields of several lines"),
    "Space": ("play or pause", "the slider above a figure"),
    "Home, End, arrows": ("move a slider", "sliders, also below charts"),
}


def class_guide(address: str) -> str:
    """Return the guide for teachers, with the address of this server in its links; headings below the dialog's."""
    text = GUIDE.read_text("utf-8").partition("\n")[2].replace("http://ADDRESS", address)
    return LOCAL_LINK.sub(r"\1 (docs/\2)", text).replace("\n## ", "\n### ")


def worksheet(address: str) -> str:
    """Return the worksheet of the guide as a page to print, with a QR code for each link that others can open."""
    text = class_guide(address).partition("### Worksheet")[2].partition("###")[0]
    parts = []
    for link, task in re.findall(r"^\d\. (?:`(.*)` — )?(.*)$", text, re.MULTILINE):
        code = Markup(qr_svg(link)) if link and not opens_here_only(link) else ""
        parts.append(Markup("<li>{}<small>{}</small><p>{}</p></li>").format(code, link, task))
    return PAPER + Markup().join(parts) + Markup("</ol>")


@st.dialog("Help", width="medium")
def show(learner: LearnerSession) -> None:
    lesson = learner.lesson
    if learner.hides_answers:
        st.caption("The terms of this page come after the vote: a definition may give the answer.")
    elif terms := terms_of(lesson.name):
        st.markdown(f"**Terms of {lesson.title}**")
        show_terms(terms)
    if lesson.uses and not learner.hides_answers:
        st.markdown("**Terms of other lessons that this page uses**")
        show_terms(named(lesson.uses.split("; ")))
    search = {"lesson": "glossary", "term": ""}
    label = "Full glossary and further reading"
    if st.button(label, icon=":material/menu_book:", on_click=change_choices, kwargs=search):
        st.switch_page(learner.lessons["glossary"].path)
    label = "Use it in class: a vote step by step, plans, a worksheet, what is stored"
    guide = st.expander(label, icon=":material/groups:", key="class_guide", on_change="rerun")
    if guide.open:
        address = base_address(learner)
        print_it = {"mime": "text/html", "icon": ":material/print:", "on_click": "ignore"}
        with guide:
            warn_if_local(address)
            st.download_button("Worksheet to print", worksheet(address), "worksheet.html", **print_it)
            st.markdown(class_guide(address))
    st.markdown("**Keyboard shortcuts**")
    show_table([{"key": key, "does": does, "where": where} for key, (does, where) in SHORTCUTS.items()])
