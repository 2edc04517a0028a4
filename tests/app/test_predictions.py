"""Predictions on the pages: asked about the learner's own numbers, revealed only once answered, counted on Home."""

import pytest
from lab import PAGES, Lab, as_read

from components.core.checks import PAGES as ASKING
from components.core.checks import checks, judge


def asked(lab: Lab) -> list:
    """The questions of the page that is open, as the core asks them."""
    return checks(lab.learner.page, lab.state, lab_ids(lab))


def lab_ids(lab: Lab) -> list[int]:
    from components.ui.encoding import token_ids

    return token_ids(lab.state.settings.tokenizer, lab.state.text).tolist()


def opened(page: str) -> Lab:
    """The page with all its questions in sight."""
    lab = Lab().open(page).run()
    return in_sight(lab)


def in_sight(lab: Lab) -> Lab:
    lab.at.session_state[f"checks_{lab.learner.page}"] = True
    return lab.run()


def radios(lab: Lab) -> list:
    return [radio for radio in lab.at.main.radio if str(radio.key).startswith("check_")]


@pytest.mark.parametrize("page", PAGES)
def test_every_lesson_asks_two_to_four_questions_and_answers_none_of_them(page):
    lab = opened(page)
    questions = asked(lab)
    assert len(radios(lab)) == len(questions)
    assert (2 <= len(questions) <= 4) == (page in ASKING)
    assert all(radio.value is None for radio in radios(lab))
    assert all(question.why not in lab.words for question in questions)


@pytest.mark.parametrize("page", ASKING)
def test_every_answer_is_judged_with_its_misconception(page):
    lab = opened(page)
    for number, question in enumerate(asked(lab)):
        for option in question.options:
            radios(lab)[number].set_value(option.text)
            lab.run()
            said = judge(question, option.text)
            start = "**Right.**" if said.right else "**Not quite:**"
            assert f"{start} {said.feedback}" in as_read(lab.words)


def test_an_answer_stays_through_a_change_of_page_and_goes_with_the_numbers_it_was_given_for():
    lab = opened("lookup")
    question = asked(lab)[0]
    radios(lab)[0].set_value(question.options[0].text)
    lab.run()
    lab.open("tokens").run()
    lab.open("lookup").run()
    assert radios(lab)[0].value == question.options[0].text
    lab.set(setting_dim=5)
    assert radios(lab)[0].value is None
    lab.set(setting_dim=16)
    assert radios(lab)[0].value == question.options[0].text


def test_home_counts_first_tries_and_hands_out_the_summary():
    lab = opened("lookup")
    question = asked(lab)[0]
    wrong = next(option for option in question.options if option.misconception)
    right = next(option for option in question.options if not option.misconception)
    for option in (wrong, right):
        radios(lab)[0].set_value(option.text)
        lab.run()
    lab.open("home").run()
    assert "1 prediction, **0** right at the first try" in lab.words
    assert "Take the summary with you" in [button.label for button in lab.at.get("download_button")]


def test_two_learners_have_answers_of_their_own():
    first, second = Lab().open("lookup").run(), Lab().open("lookup").run()
    radios(first)[0].set_value(asked(first)[0].options[0].text)
    first.run()
    assert radios(second.run())[0].value is None
    assert second.learner.answers == []


def test_the_other_questions_are_drawn_only_when_they_are_asked_for():
    lab = Lab().open("lookup").run()
    assert len(radios(lab)) == 1
    assert any("3 questions about your own numbers" in part.label for part in lab.at.expander)
    assert len(radios(in_sight(lab))) == len(asked(lab)) == 4
