"""Predictions: a question about the learner's own numbers, an answer, and only then what is correct and why."""

from collections.abc import Callable, Collection, Iterator
from itertools import chain
from typing import Literal
from zlib import crc32

import streamlit as st

from components.base.link import State
from components.base.text_format import pluralize
from components.caches.encoding import ids_if_any
from components.questions.quiz import Question, ask, grade
from components.questions.summary import Answer, attempts, summary
from components.ui.blocks import option_pills
from components.ui.kept_score import MAX_ANSWERS
from components.ui.lesson import Lesson
from components.ui.markdown import escape_markdown, screen_reader_label
from components.ui.presentation import WHOLE_LINE, scroll_here
from components.ui.session import LearnerSession, current
from components.ui.state import register_widget


def lesson_questions(state: State, lesson: Lesson) -> Iterator[Question]:
    """Yield the questions of a lesson, each built when it is requested."""
    if lesson.asks:
        yield from ask(lesson.facts, state, ids_if_any(state.settings, state.text))


def first_question(name: str = "") -> Question | None:
    """Return the question that is asked below the figure: the first of the lesson, or that of a class; None if none.

    A figure that has one question alone gives its name; another one is left for the section with more questions.
    """
    learner = current()
    if learner.seat and learner.seat.asks_on(learner.page):
        return learner.seat.question
    question = next(learner.outputs.questions, None)
    if question and name not in ("", question.name):
        learner.outputs.questions = chain([question], learner.outputs.questions)
        return None
    return question


def is_masked(question: Question | None, case: str = "", about: Collection[str] = ()) -> bool:
    """Return whether the figure hides what its question asks for: until it is answered, or its answer asked for.

    From then on the figure stays open, whatever changes, until the learner asks to be asked again; then it is open
    with the questions that have been answered. A lesson whose figure has several subjects, such as the experiments of
    Errors, names the present one as `case`, and one that not all questions of the lesson ask for names those in
    `about`. In a class the figure is masked while it votes, whatever the question, since one subject may give the
    answer to another; it is open on all screens after that.
    """
    learner = current()
    if learner.hides_answers:
        return True
    if question is None or (about and question.name not in about):
        return False
    revealed = learner.seat is not None and learner.seat.reveals_on(learner.page)
    is_open = figure_of(case) in learner.score.open_figures or last_answer(learner, question) is not None
    return not (revealed or is_open)


def figure_of(case: str) -> str:
    return f"{current().page} {case}"


def predict(question: Question | None, case: str = "", show: str = "", also: Callable[[], None] | None = None) -> None:
    """Ask the question below a figure that hides the answer until it is given, or asked for by a button.

    What opens the figure may do something else as well, `also`, which is None once that is done; a class that sees its
    result needs it with a figure that was open before, too. The button has the label `show`; while the figure is open
    it is "Ask again". A teacher's page has the button alone, since the question is that of the class.
    """
    if question is None:
        return
    learner, figure, masked = current(), figure_of(case), is_masked(question, case)
    score = learner.score
    if masked or not learner.state.present:
        learner.notice_shown = False

    def ask_again() -> None:
        learner.run.interacted = True
        score.open_figures.discard(figure)
        score.asked_again.add(key_of(learner.page, question))

    def open_figure() -> None:
        learner.run.interacted, learner.run.answered = True, question.name
        score.open_figures.add(figure)
        if also:
            also()

    if learner.seat and learner.seat.reveals_on(learner.page):
        score.open_figures.add(figure)  # for this learner too, when the class has gone on
        if also:
            also()
            st.rerun()
    if learner.hides_answers and not learner.in_class:
        st.caption("A class votes on this lesson: what gives the answer is hidden until its result is shown.")
    if learner.hides_answers or learner.bound:
        return  # the class answers above the figure
    show = show or ("Show without a vote" if learner.in_class else "Show me")
    label, press = (show, open_figure) if masked else ("Ask again", ask_again)
    setattr(learner.outputs, "open_figure" if masked else "mask_figure", press)
    if learner.in_class:
        if masked:
            st.button(label, key="show_to_class", on_click=press)
    elif not learner.notice_shown:
        render_question(learner, question, not masked, open_figure, (label, press))


def mask_unanswered(question: Question) -> None:
    """Mask a figure that is open from another question, unless this one has been answered."""
    learner = current()
    if last_answer(learner, question) is None:
        learner.score.open_figures.discard(figure_of(""))


def key_of(page: str, check: Question) -> str:
    """Return the key of a question: with other numbers it is another widget, which does not inherit the answer."""
    texts = [check.prompt, *(option.text for option in check.options)]
    return f"check_{page}_{check.name}_{crc32('|'.join(texts).encode()):08x}"


def answer_first() -> None:
    """Show, in a section that would give away what the figure still hides, how to open it."""
    first = "they are shown after the vote" if current().in_class else "answer the question below the figure first"
    st.caption(f"The numbers of this section give the answer: {first}.")


def show_more_questions(learner: LearnerSession) -> None:
    """Ask the questions of the lesson that are not about its figure."""
    for check in learner.outputs.questions:
        with st.container(border=True):
            render_question(learner, check)


def render_question(
    learner: LearnerSession,
    check: Question,
    is_open: bool = False,
    open_figure: Callable[[], None] | None = None,
    button: tuple[str, Callable[[], object]] | None = None,
) -> None:
    """Render a question with its options; once one is chosen, also what is correct, and why.

    It may belong to a figure, which an answer opens if it is not open, and then has a button beside the options: its
    label, and what a press does.
    """
    page, given, name = learner.page, last_answer(learner, check), key_of(learner.page, check)
    texts = [option.text for option in check.options]

    def chosen(text: str) -> None:
        if text in texts:
            answer = Answer(page, check.name, check.prompt, text, **vars(grade(check, text)))
            learner.score.answers = [*learner.score.answers, answer][-MAX_ANSWERS:]
            learner.score.asked_again.discard(name)
            learner.run.answered = check.name
            if open_figure:
                open_figure()

    def explain(width: int | Literal["stretch"]) -> None:
        # By the key page.css marks the options; a new key of the container around them would take the focus from them.
        marks = f"right_{texts.index(check.answer)}"
        marks += f"_wrong_{texts.index(given.chosen)}" if given and not given.correct else ""
        with st.container(key=f"{name}_{marks}", width=width):
            show_feedback(check, given and given.chosen)
            if learner.run.answered == check.name and not learner.run.work:
                scroll_here(key=f"scroll_to_{name}")  # feedback may begin below the fold

    replaces_options = is_open and learner.state.present  # a projected page has room for one of them
    st.markdown(escape_markdown(check.prompt))
    with st.container(horizontal=True, vertical_alignment="center"):
        if replaces_options:
            explain("stretch")
        else:
            # Not radio buttons: there an arrow key would answer at once, with each option on the way.
            bound = register_widget(name, given and given.chosen, chosen, "default")
            option_pills(screen_reader_label(check.prompt), texts, escape_markdown, bound)
        if button:
            label, press = button
            st.button(label, key=f"show_{name}", on_click=press)
        if (is_open or given) and not replaces_options:
            explain(WHOLE_LINE)  # in this container, so that it does not take the focus from what is below


def show_feedback(check: Question, chosen: str | None) -> None:
    """Show whether the option with this text is correct, and why; without one, what is correct."""
    if chosen is None:
        text = f"**{escape_markdown(check.answer)}.** {escape_markdown(check.explanation)}"
        st.info(text, icon=":material/info:")
        return
    judgement = grade(check, chosen)
    feedback = escape_markdown(judgement.feedback)
    if judgement.correct:
        st.success(f"**Correct.** {feedback}", icon=":material/check:")
    else:
        st.warning(f"**Not quite:** {feedback}", icon=":material/lightbulb:")


def last_answer(learner: LearnerSession, check: Question) -> Answer | None:
    """Return what was answered last to this very question, with these numbers in it, since it was asked again."""
    if key_of(learner.page, check) in learner.score.asked_again:
        return None
    asked = (learner.page, check.name, check.prompt)
    texts = [option.text for option in check.options]
    answers = reversed(learner.score.answers)
    given = (each for each in answers if (each.page, each.name, each.question) == asked and each.chosen in texts)
    return next(given, None)


def show_score() -> None:
    """Show the score so far, and offer it as a file: nothing of it is stored on the server."""
    learner = current()
    first = [given[0].correct for given in attempts(learner.score.answers)]
    if not first:
        st.caption("Each lesson asks you to predict results for your own settings. Your score appears here.")
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"{pluralize(len(first), 'prediction')}, **{sum(first)}** correct on the first attempt")
        titles = {name: lesson.title for name, lesson in learner.lessons.items()}
        file = summary(learner.score.answers, titles)
        st.download_button("Download summary", file, "predictions.txt", icon=":material/download:", on_click="ignore")
