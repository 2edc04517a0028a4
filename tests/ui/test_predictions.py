"""Predictions on the pages: questions on the learner's own settings, graded once answered, counted on Home."""

from dataclasses import asdict

import pytest

from components.entry import LESSONS
from components.questions.quiz import grade
from components.questions.summary import Answer
from components.ui.kept_score import MAX_ANSWERS, restore_score
from tests.app_driver import PAGES, AppDriver
from tests.states import WITH_QUESTIONS, questions, token_ids
from tests.ui.class_members import received


def asked(app):
    return questions(app.learner.page, app.state, token_ids(app.state))


def answer(app, number, text):
    app.answers()[number].set_value(text)
    return app.run()


@pytest.mark.parametrize("page", PAGES)
def test_lesson_questions_start_unanswered_and_are_then_graded(page):
    app = AppDriver().open(page).open_section("Check your understanding")
    found = asked(app) if page in WITH_QUESTIONS else []
    assert page not in WITH_QUESTIONS or 2 <= len(found) <= 5, f"{page} asks {len(found)} questions: 2 to 5 are wanted"
    assert [each.value for each in app.answers()] == [None] * len(found)
    assert all(question.explanation not in app.words for question in found)
    if found:
        chosen = found[-1].options[0].text
        result = grade(found[-1], chosen)
        start = "**Correct.**" if result.correct else "**Not quite:**"
        assert f"{start} {result.feedback}" in answer(app, -1, chosen).words
        assert f"scroll_to_check_{page}_{found[-1].name}" in received(app)


def test_page_without_a_figure_of_an_empty_text_asks_nothing():
    app = AppDriver().open(text="")
    for page in PAGES:
        assert app.open(page).learner.outputs.figure or not app.answers(), page


def test_answer_asked_for_is_shown_with_reason_and_not_counted():
    app = AppDriver().open("lookup")
    first = asked(app)[0]
    assert first.explanation not in app.words
    assert app.is_masked
    assert f"**{first.answer}.** {first.explanation}" in app.press("Show me").words
    assert "Show me" not in app.labels()
    assert not app.is_masked
    assert app.learner.score.answers == []
    assert f"**Correct.** {grade(first, first.answer).feedback}" in answer(app, 0, first.answer).words


def test_answers_of_a_session_are_as_many_as_a_browser_keeps():
    app = AppDriver().open("lookup")
    app.learner.score.answers = [Answer("tokens", "ids", "How many?", "7", True)] * MAX_ANSWERS
    answers = answer(app, 0, asked(app)[0].answer).learner.score.answers
    assert (len(answers), answers[-1].page) == (MAX_ANSWERS, "lookup")


def test_answers_belong_to_numbers_and_session_and_count_on_home(files):
    app, other = AppDriver().open("lookup").open_section("Check your understanding"), AppDriver().open("lookup")
    question = asked(app)[0]
    wrong = next(option.text for option in question.options if option.misconception)
    right = question.answer
    answer(answer(app, 0, wrong), 0, right)
    assert app.open("tokens").open("lookup").answers()[0].value == right
    assert not app.is_masked
    assert app.set(row_dim=5).answers()[0].value is None  # another case
    assert app.set(row_dim=16).answers()[0].value == right
    assert other.run().answers()[0].value is None
    assert "1 prediction, **0** correct on the first attempt" in app.open("home").words
    assert "Download summary" in app.labels()
    assert f"\n  - correct: {right}" in files["predictions.txt"]
    assert "\nLookup: 0 of 1 correct on the first attempt\n" in files["predictions.txt"]
    assert "Your score appears here." in other.open("home").words


def test_figure_once_answered_stays_open_until_it_is_asked_again():
    app = AppDriver().open("lookup")
    wrong = next(option.text for option in asked(app)[0].options if option.misconception)
    answer(app, 0, wrong).set(row_dim=5)
    assert not app.is_masked
    assert f"**[2, 4, 5].** {asked(app)[0].explanation}" in app.words
    assert app.press("Ask again").is_masked
    assert not app.set(row_dim=16).is_masked  # this question has been answered
    app.press("Ask again")
    kept, other = app.learner.score, AppDriver().open("lookup")
    stored = {"answers": [asdict(each) for each in kept.answers], "asked_again": [*kept.asked_again]}
    restore_score(other.learner.score, stored, LESSONS)  # after a reload
    for each in (app, other.run()):
        assert each.is_masked
        assert each.answers()[0].value is None
    assert not answer(app, 0, "[2, 4, 16]").is_masked
    assert app.answers()[0].value == "[2, 4, 16]"
    assert "**Correct.**" in app.words
    assert "1 prediction, **0** correct on the first attempt" in app.open("home").words
