"""A run of the lesson below the frame: with the whole page, or alone, when one of its own controls has changed.

The frame does not import this module but on its first run, so that the title is visible before torch is imported.
"""

from collections.abc import Callable

import streamlit as st

from components.ui import download_dialog, help_dialog, share_dialog
from components.ui.address import write_address
from components.ui.code_view import show_code
from components.ui.controls import show_controls
from components.ui.imports import import_part
from components.ui.kept_focus import keep_focus
from components.ui.kept_score import keep_score
from components.ui.presentation import keep_keys, step_back, step_on
from components.ui.quiz import lesson_questions, show_more_questions
from components.ui.sections import section, show_sections
from components.ui.session import LearnerSession, Outputs, current
from components.ui.state import WITH_CONTROLS, begin_run
from components.ui.trained_table import lacks_rows, with_rows

SECONDS_PER_DAY = 86_400
DIALOGS = {"share": share_dialog.show, "download": download_dialog.show, "help": help_dialog.show}
DIALOGS["class"] = lambda learner: import_part("components.ui.room_dialog").show(learner)  # imports the store


def show_lesson(learner: LearnerSession) -> None:
    """Render the controls and the lesson as two fragments, one within the other; while there is work, without them.

    A control of a fragment reruns this part of the page alone. It does not end a run, but waits for its end: without a
    fragment it ends the work. In a container all controls have the position that they have in the fragment, so the
    focus stays.
    """
    # A page with `run_every` asks for a run as soon as it has reconnected to a server that was restarted.
    learner.run.in_parts = not learner.run.working
    _part(run_with_controls, run_every=SECONDS_PER_DAY, key=WITH_CONTROLS)


def _part(render: Callable[[], None], run_every: float | None = None, key: str | None = None) -> None:
    if current().run.in_parts:
        st.fragment(render, run_every=run_every, key=key)()
    else:
        with st.container():
            render()


def run_with_controls() -> None:
    """Render the controls that all lessons share and the lesson: with the whole page, or if one of them has changed."""
    learner = current()
    run, alone = learner.run, not learner.run.whole_page
    if alone:
        # The bar of a class has questions on the settings. A browser with much to do sends a press of a button above
        # in one message with an entry of the controls.
        if learner.seat or learner.pressed_above or learner.state.present != run.presented:
            st.rerun()
        begin_run(learner)
        run.whole_page, run.in_frame = True, learner.frame_state
    try:
        show_controls(learner)
        _part(run_lesson)
    finally:
        run.whole_page = not alone
    if alone:
        run.interacted = False
        continue_work(learner)


def run_lesson() -> None:
    """Render the lesson: the steps of its run, in order."""
    learner = current()
    run, lesson = learner.run, learner.lesson
    run.in_lesson = True
    # An entry renders the controls above as well, by `rerun_with_controls`; a figure or a button the whole page.
    if not run.whole_page and (learner.outdated_above or learner.pressed_above):
        st.rerun()
    # What the page offers is collected again, and the questions before the figure that hides an answer.
    own = learner.state.lesson(lesson.name)
    state = with_rows(lesson, own)
    if run.random != lacks_rows(lesson, own):  # the row above was rendered before they were fetched
        st.rerun()
    run.work, learner.outputs = None, Outputs(questions=lesson_questions(state, lesson))
    page = lesson.page
    if learner.hides_answers and not learner.seat.asks_about_figure:
        st.caption("The figure appears with the result: before, it could give the answer.")
    else:
        page.render(state)
    if lesson.has_program:
        section("**The code**, as one program", show_code, page, state, icon=":material/code:")
    if lesson.asks and not learner.in_class:
        title = "**Check your understanding**: questions on your settings"
        section(title, show_more_questions, learner, icon=":material/quiz:")
    show_sections(learner)
    keep_score(learner)
    keep_focus(learner)
    # The address comes last: what is entered now arrives with the address of the last run.
    write_address(learner)
    run.last_completed, run.steps = True, {"Previous": step_back(learner), "Next": step_on(learner)}
    if not (run.work or run.working):
        run.answered = run.opened = run.refused = ""
    if not run.whole_page:
        run.interacted = False
        continue_work(learner)


def continue_work(learner: LearnerSession) -> None:
    """Go on with work that the lesson has begun, such as a long training, now that the page is complete."""
    run = learner.run
    if run.working != (run.work is not None):
        run.working = not run.working
    elif run.work:
        run.work()
    else:
        return
    run.continued = True
    st.rerun()


def open_dialog(learner: LearnerSession) -> None:
    """Open the dialog whose button was pressed, if any."""
    if learner.dialog:
        name, learner.dialog = learner.dialog, ""
        DIALOGS[name](learner)
        keep_keys(key="keep_keys")
