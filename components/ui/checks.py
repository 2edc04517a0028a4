"""Predictions: a question about the learner's own numbers, an answer, and only then what is right and why."""

from zlib import crc32

import streamlit as st

from components.core.checks import PAGES, Answer, Check, checks, judge, many, summary
from components.core.link import State
from components.ui.learner import session
from components.ui.lessons import LESSONS
from components.ui.markdown import plain, spoken
from components.ui.state import bound

LONGEST_TITLE = 130  # characters of a question that stand in one or two lines
SHORT = 12  # characters of answers that stand beside each other
MAX_ANSWERS = 500  # kept of one session
FILE = "predictions.md"


def begin_checks(page: str, state: State) -> None:
    """Prepare the questions of a page, none of them drawn so far."""
    session.to_ask = []
    if page in PAGES:
        # Home asks nothing, and paints before tiktoken and numpy have come.
        from components.ui.encoding import ids_if_any

        session.to_ask = checks(page, state, ids_if_any(state.settings, state.text))


def predict_first() -> None:
    """Ask the first question of the page, where the learner has not seen the answer yet."""
    if session.to_ask:
        check = session.to_ask.pop(0)
        fits = len(check.question) <= LONGEST_TITLE
        title = plain(check.question) if fits else "What will the page show? A question about your own numbers"
        with st.expander(f"**Predict first.** {title}", icon=":material/psychology:"):
            ask(check, visible=not fits)


def check_yourself() -> None:
    """Ask the other questions of the page."""
    if not session.to_ask:
        return
    label = f"**Predict, then reveal**: {many(len(session.to_ask), 'question')} about your own numbers"
    part = st.expander(label, icon=":material/quiz:", key=f"checks_{session.learner.page}", on_change="rerun")
    if part.open:  # drawn when somebody asks for them: closed, they would still cost every rerun their time
        with part:
            for check in session.to_ask:
                with st.container(border=True):
                    ask(check)


def ask(check: Check, visible: bool = True) -> None:
    """Draw a question with its answers to choose from; once one is chosen, what is right, and why."""
    who, given = session.learner, last_answer(check)
    page = who.page
    texts = [option.text for option in check.options]
    # Another question is another widget, so that no answer is taken over to numbers it was not given for.
    key = f"check_{page}_{check.name}_{crc32('|'.join([check.question, *texts]).encode()):08x}"

    def chosen(text: str) -> None:
        if text in texts:
            who.answers = [*who.answers, answered(page, check, text)][-MAX_ANSWERS:]

    tied = bound(key, given.chosen if given else None, chosen)
    place = texts.index(given.chosen) if given else None
    if visible:
        st.markdown(plain(check.question))
    st.radio(
        spoken(check.question),  # not drawn, but read out
        texts,
        index=place,
        format_func=plain,
        key=key,
        on_change=tied["on_change"],
        horizontal=max(map(len, texts)) <= SHORT,
        label_visibility="collapsed",
    )
    with st.container():  # always there, so that what is said does not move what stands below out of focus
        if given:
            said = judge(check, given.chosen)
            if said.right:
                st.success(f"**Right.** {plain(said.feedback)}", icon=":material/check:")
            else:
                st.warning(f"**Not quite:** {plain(said.feedback)}", icon=":material/lightbulb:")


def answered(page: str, check: Check, text: str) -> Answer:
    """Return the answer to a question of a page, judged."""
    said = judge(check, text)
    return Answer(page, check.name, check.question, text, said.right, said.misconception, said.feedback)


def last_answer(check: Check) -> Answer | None:
    """Return what was answered last to this very question, with these numbers in it."""
    who = session.learner
    asked = (who.page, check.name, check.question)
    texts = [option.text for option in check.options]
    given = (a for a in reversed(who.answers) if (a.page, a.name, a.question) == asked and a.chosen in texts)
    return next(given, None)


def predictions_so_far() -> None:
    """Say on Home how the predictions went, and offer them as a file: nothing of them is kept on the server."""
    answers: list[Answer] = session.learner.answers
    if not answers:
        st.caption("Every lesson asks for predictions about your own numbers; how they went is counted here.")
        return
    first: dict[tuple[str, str, str], bool] = {}
    for answer in answers:
        first.setdefault((answer.page, answer.name, answer.question), answer.right)
    count = many(len(first), "prediction")
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"{count}, **{sum(first.values())}** right at the first try")
        titles = {name: lesson.title for name, lesson in LESSONS.items()}
        st.download_button(
            "Take the summary with you",
            summary(answers, titles),
            FILE,
            icon=":material/download:",
            on_click="ignore",
        )
