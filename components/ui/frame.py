"""The frame around every lesson: title, toolbar, row of controls, and links; the lesson is a fragment inside it."""

from base64 import b64encode
from pathlib import Path

import streamlit as st

from components.ui.address import write_address
from components.ui.control_row import control_row, panel
from components.ui.custom_css import inject_css
from components.ui.download_registry import reset_downloads
from components.ui.imports import import_part
from components.ui.lesson import Lesson, LessonModule
from components.ui.presentation import turn_buttons
from components.ui.session import LearnerSession, current
from components.ui.state import accept_reconnected_values, show_notices
from components.ui.terms import explained
from components.ui.toolbar import toolbar

# A data URL: Streamlit would load a named icon from another company's server, and a file from disk in every run.
_PICTURE = Path(__file__).parents[1] / "data" / "icon.svg"
ICON = f"data:image/svg+xml;base64,{b64encode(_PICTURE.read_bytes()).decode()}"
SECONDS_PER_DAY = 86_400
# The browser keeps the scroll position when the lesson changes, since all elements belong to the main script.
scroll_to_top = st.components.v2.component(
    "scroll_to_top",
    js="""
export default function () {
    document.querySelector('[data-testid="stMain"]').scrollTop = 0;
}
""",
)
WHOLE_LINE = 2_000  # pixels: wider than any page, so what follows begins a new line


def frame(lesson: Lesson, lesson_module: LessonModule) -> None:
    """Render the page of a lesson."""
    learner = current()
    first_run = not learner.framed
    learner.full_run, learner.framed = True, learner.shown_by_frame
    learner.working = learner.working and not learner.page_changed
    try:
        title = "Embedding Lab" if lesson.name == "home" else lesson.title
        tab_title = title if lesson.name == "home" else f"{title} · Embedding Lab"
        st.set_page_config(tab_title, page_icon=ICON, layout="wide")
        inject_css(learner.state.present)
        with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):  # one container: it wraps
            st.title(title, width="stretch")
            toolbar(learner)
            st.html(f"<div>{explained(lesson.purpose, lesson.name)}</div>", width=WHOLE_LINE)
            control_row(learner, lesson)
            show_notices(learner)
            if learner.page_changed and not first_run:
                scroll_to_top(key="scroll_to_top", data=lesson.name.encode())  # for a string Streamlit imports pandas
        with st.container():  # always there: a fragment is identified by its position, and clicks on another are lost
            if learner.panel:
                panel(learner)
        if learner.working:
            with st.container():  # as a fragment is in one: the controls keep their position and the focus
                render_lesson(lesson, lesson_module)
        else:
            lesson_fragment(lesson, lesson_module)
        next_lesson(learner, lesson)
    finally:
        learner.full_run = learner.page_changed = False
    if learner.dialog:
        name, learner.dialog = learner.dialog, ""
        import_part(f"components.ui.{name}_dialog").show(learner, lesson_module)  # most visits open none
    if first_run:
        accept_reconnected_values(learner)
    continue_work(learner)


@st.fragment(run_every=SECONDS_PER_DAY)
def lesson_fragment(lesson: Lesson, lesson_module: LessonModule) -> None:
    """Render the lesson as a fragment: its own controls rerun this part of the page alone.

    A page with `run_every` asks for a run as soon as it has reconnected to a server that was restarted.
    """
    render_lesson(lesson, lesson_module)


def render_lesson(lesson: Lesson, lesson_module: LessonModule) -> None:
    """Render the lesson."""
    learner = current()
    if not learner.full_run and (learner.shown_by_frame != learner.framed or learner.notices):
        st.rerun()
    learner.continuation = None
    reset_downloads(learner)
    state = learner.state.lesson(lesson.name)
    quiz = import_part("components.ui.quiz")  # it imports the tokenizers: the title is visible before
    quiz.prepare_questions(learner, lesson, lesson_module)
    page = lesson_module(lesson.name, "page")
    page.render(state)
    if lesson.has_program:
        section = import_part("components.ui.blocks").section
        if part := section("**The code**, as one program", "code", ":material/code:"):
            with part:
                import_part("components.ui.code_view").show_code(page, state)
    quiz.more_questions(learner, lesson)
    write_address(learner)
    learner.finished = True
    if not learner.full_run:
        learner.interacted = False
        continue_work(learner)


def continue_work(learner: LearnerSession) -> None:
    """Go on with work that the lesson has begun, such as a long training, now that the page is complete.

    A control of a fragment does not end a run, but waits for its end. So while there is work, the lesson is rendered
    without a fragment: then any of its controls ends the work.
    """
    working = learner.continuation is not None
    if working != learner.working:
        learner.working = working
        st.rerun()
    if working:
        learner.continuation()


def next_lesson(learner: LearnerSession, lesson: Lesson) -> None:
    """Render the link to the next lesson; in presentation mode the buttons that turn the lessons by key."""
    names = list(learner.lessons)
    index = names.index(lesson.name)
    following = learner.lessons[names[index + 1]] if index + 1 < len(names) else None
    if learner.state.present:
        turn_buttons(learner.lessons[names[index - 1]] if index else None, following)
    elif following:
        label = f"Next: {following.title}"
        st.page_link(following.path, label=label, icon=":material/arrow_forward:", icon_position="right")
