"""Predictions on the pages: questions on the learner's own settings, graded once answered, counted on Home."""

from collections.abc import Callable
from pathlib import Path

import pytest
from driver import PAGES, AppDriver, as_read

from components.questions.quiz import Question, grade, load_templates
from tests.states import WITH_QUESTIONS, facts, questions, token_ids


def asked(app: AppDriver) -> list[Question]:
    """Return the questions of the page that is open."""
    return questions(app.learner.page, app.state, token_ids(app.state))


def opened(page: str) -> AppDriver:
    """Return the app on a page with all its questions open."""
    return AppDriver().open(page).open_section("questions")


def radios(app: AppDriver) -> list:
    return [radio for radio in app.at.main.radio if str(radio.key).startswith("check_")]


def answer(app: AppDriver, number: int, text: str) -> AppDriver:
    radios(app)[number].set_value(text)
    return app.run()


@pytest.mark.parametrize("page", PAGES)
def test_every_lesson_asks_its_questions_unanswered(page):
    app = opened(page)
    found = asked(app) if page in WITH_QUESTIONS else []
    assert len(radios(app)) == len(found)
    assert (2 <= len(found) <= 4) == (page in WITH_QUESTIONS)
    assert all(radio.value is None for radio in radios(app))
    assert all(question.explanation not in app.words for question in found)


@pytest.mark.parametrize("page", WITH_QUESTIONS)
def test_every_answer_is_graded_with_its_misconception(page):
    app = opened(page)
    for number, question in enumerate(asked(app)):
        for option in question.options:
            answer(app, number, option.text)
            result = grade(question, option.text)
            start = "**Correct.**" if result.correct else "**Not quite:**"
            assert f"{start} {result.feedback}" in as_read(app.words)


def test_an_answer_belongs_to_the_numbers_it_was_given_for():
    app = opened("lookup")
    chosen = asked(app)[0].options[0].text
    answer(app, 0, chosen).open("tokens").open("lookup")
    assert radios(app)[0].value == chosen
    app.set(row_dim=5)
    assert radios(app)[0].value is None
    app.set(row_dim=16)
    assert radios(app)[0].value == chosen


def test_home_counts_first_attempts_and_offers_the_summary():
    app = opened("lookup")
    question = asked(app)[0]
    wrong = next(option for option in question.options if option.misconception)
    right = next(option for option in question.options if not option.misconception)
    for option in (wrong, right):
        answer(app, 0, option.text)
    app.open("home")
    assert "1 prediction, **0** correct on the first attempt" in app.words
    assert "Download summary" in app.labels()


def test_two_sessions_have_separate_answers():
    first, second = AppDriver().open("lookup"), AppDriver().open("lookup")
    answer(first, 0, asked(first)[0].options[0].text)
    assert len(first.learner.answers) == 1
    assert radios(second.run())[0].value is None
    assert second.learner.answers == []


def test_only_the_first_question_is_built_until_the_others_are_opened(monkeypatch):
    module, built = facts("lookup"), []

    def recorded(name: str) -> Callable:
        compute = getattr(module, name)
        return lambda *arguments: built.append(name) or compute(*arguments)

    for name in ("shape", "rows", "same_row", "memory"):
        monkeypatch.setattr(module, name, recorded(name))
    app = AppDriver().open("lookup")
    assert built == ["shape"]
    assert len(radios(app)) == 1
    assert any(part.label == "**Check your understanding**: questions on your settings" for part in app.at.expander)
    built.clear()
    assert len(radios(app.open_section("questions"))) == 4
    assert built == ["shape", "rows", "same_row", "memory"]


@pytest.mark.parametrize("page", ["errors", "reproduce"])
def test_a_page_without_a_prediction_builds_no_question(page, monkeypatch):
    for name in load_templates(Path(facts(page).__file__).with_name("questions.toml")):
        monkeypatch.setattr(facts(page), name, None)
    assert radios(AppDriver().open(page)) == []
