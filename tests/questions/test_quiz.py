"""Every question of every lesson, rendered for many states: well formed, complete, and the same in data and facts."""

import re
from dataclasses import replace
from inspect import getmembers, isfunction
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as profile
from hypothesis import strategies as st

from components.base.settings import Settings
from components.base.templates import fill
from components.questions.quiz import Grade, Option, Question, grade, make_question
from components.vectors.corpora import GRAMMAR
from tests.questions.asked_questions import STATES, TEMPLATES, asked, asked_by
from tests.states import WITH_QUESTIONS, app_state, facts, lesson_state, questions, token_ids
from tests.strategies import valid_app_states
from tests.varied_states import TEXTS

HOSTILE = "{V} {} {0} {n:,} {{x}} {settings.seed} {__class__} %s ${T} <|endoftext|> <b>*a*</b> 👩‍👩‍👧 ☕ \u202e\\"
HOSTILE_STATES = [
    app_state(Settings(tokenizer=each), HOSTILE, near="{0}", word_a="{a}", grammar=GRAMMAR.replace("king", "{king}"))
    for each in ("gpt2", "words")
]
PARTS, WRONG_PARTS = ("prompt", "answer", "explanation"), ("option", "misconception", "feedback")


def texts_of(template: dict[str, Any]) -> list[dict[str, str]]:
    """Return all texts of a template by the facts that choose them, those of its wrong options included."""
    texts = [template[part] for part in PARTS] + [wrong[part] for wrong in template["wrong"] for part in WRONG_PARTS]
    return [{"else": text} if isinstance(text, str) else text for text in texts]


def assert_well_formed(state) -> None:
    """Check all questions of a state: no empty option, no two equal ones, exactly one correct, with its feedback."""
    for page in WITH_QUESTIONS:
        found = asked_by(page, state)
        assert 2 <= len(found) <= 5, f"{page} asks {[each.name for each in found]} in this state: 2 to 5 are wanted"
        assert len({question.name for question in found}) == len(found)
        for question in found:
            assert question.prompt.endswith("?")
            assert question.explanation.endswith((".", ".)")), question
            texts = [option.text for option in question.options]
            assert all(texts)
            assert 3 <= len(texts) == len(set(texts)) <= 4, question
            (correct,) = [option for option in question.options if not option.misconception]
            assert correct == Option(question.answer)
            for option in question.options:
                result = grade(question, option.text)
                assert (result.correct, result.misconception) == (option is correct, option.misconception)
                assert option is correct or option.feedback.endswith((".", ".)")), option
                assert "\n" not in f"{question.prompt}{result.feedback}{option.text}"


@pytest.mark.parametrize(("page", "name"), [(page, name) for page, found in TEMPLATES.items() for name in found])
def test_template_is_complete_and_uses_every_text_in_some_state(page, name):
    template, module = TEMPLATES[page][name], facts(page)
    public = [each for each, f in getmembers(module, isfunction) if f.__module__ == module.__name__ and each[0] != "_"]
    assert sorted(public) == sorted(TEMPLATES[page])
    assert template.keys() == {*PARTS, "wrong"}
    assert len(template["wrong"]) >= 3
    found = [(q, getattr(module, name)(state, token_ids(state))) for q, state in asked(page) if q.name == name]
    for texts in texts_of(template):
        assert {next(key for key in texts if key == "else" or own[key]) for _, own in found} == texts.keys()
        for _, own in found:
            marked = {fact: "x" if value and isinstance(value, str) else value for fact, value in own.items()}
            text = fill(texts, marked)
            assert text == text.strip() != ""
            assert not re.search(r"[{}]|  | [,.]|(?<![\w\[])-\d", text)  # a hyphen is a minus in code alone
    for wrong in template["wrong"]:
        assert wrong.keys() == {*WRONG_PARTS}
        assert any(Option(*(fill(wrong[part], own) for part in WRONG_PARTS)) in q.options for q, own in found), wrong


def test_questions_of_varied_hostile_and_smallest_states_are_well_formed():
    for state in [*STATES, *HOSTILE_STATES]:
        assert_well_formed(state)
    for V, D, T, stride, n in product((1, 2), (1, 2), (1, 2), (1, 2), range(4)):
        for tokenizer, typed in (("words", ""), ("gpt2", ""), ("words", "0")):
            settings = Settings(V, D, context_length=T, stride=stride, batch_size=1, tokenizer=tokenizer, ids=typed)
            assert_well_formed(app_state(settings, " ".join("ab"[index % 2] for index in range(n))))


@given(valid_app_states(), st.sampled_from(TEXTS) | st.text(max_size=60), st.sampled_from(["", "0 0", "5 1; 2 3", "x"]))
@profile(max_examples=30)
def test_questions_of_any_state_are_well_formed(state, text, typed):
    settings = replace(state.settings, ids=state.settings.ids and typed)
    trained = replace(state.lessons["word2vec"], sentences=50, epochs=1)  # texts do not depend on more of it
    lessons = {**state.lessons, "word2vec": trained}
    assert_well_formed(replace(state, text=text, settings=settings, lessons=lessons))


def test_questions_accept_arrays_and_ids_that_do_not_belong_to_the_text():
    state = app_state(text="word and other words, " * 4_545)
    ids = token_ids(state)
    for page in WITH_QUESTIONS:
        assert questions(page, state.lesson(page), np.array(ids)) == questions(page, state.lesson(page), ids)
        for tokenizer in ("words", "gpt2"):
            other = lesson_state(page, Settings(tokenizer=tokenizer), "one")
            assert len(questions(page, other, [999_999, 3, 999_999, 2**40, 7])) >= 2


TEXT = "The river bank is steep. The bank in town lends money."


@pytest.mark.parametrize("page", WITH_QUESTIONS)
def test_questions_depend_on_the_settings_and_the_seed_alone(page):
    def asked_for(seed: int, dim: int, optimizer: str) -> list[Question]:
        settings = Settings(vocab_size=40, seed=seed, dim=dim, tokenizer="words")
        return asked_by(page, app_state(settings, TEXT, optimizer=optimizer, lab_V=dim, word_a="x", train_seed=seed))

    first, by_seed = asked_for(1, 8, "sgd"), [asked_for(seed, 8, "sgd") for seed in range(2, 12)]
    others = [asked_for(1, 4, "adam"), asked_for(1, 5, "adamw"), *by_seed]
    assert asked_for(1, 8, "sgd") == first
    assert any([each.answer for each in other] != [each.answer for each in first] for other in others), (
        f"each answer of {page} is the same for all settings"
    )
    assert any([each.prompt for each in other] != [each.prompt for each in first] for other in by_seed), (
        f"no question of {page} depends on the seed: question_rng and sample_ids of own_ids.py take numbers from it"
    )


def test_make_question_with_too_few_different_options_gives_none():
    wrong = [{"option": option, "misconception": "A", "feedback": "No."} for option in ("{n}", "5")]
    template = {"prompt": "2 + 2?", "answer": "4", "explanation": "So.", "wrong": wrong}
    assert make_question("sum", template, {"n": 4}) is None
    assert [option.text for option in make_question("sum", template, {"n": 3}).options] == ["3", "4", "5"]


def test_make_question_sorts_numbers_and_puts_the_correct_text_at_every_position():
    found = [question for page in WITH_QUESTIONS for question, _ in asked(page)]
    assert {[option.text for option in q.options].index(q.answer) for q in found} == {0, 1, 2, 3}
    texts = [[option.text.replace(",", "").replace("−", "-") for option in q.options] for q in found]
    numbers = [[*map(float, row)] for row in texts if all(re.fullmatch(r"-?[\d.]+", text) for text in row)]
    assert len(numbers) > 100
    assert all(row == sorted(row) for row in numbers)


def test_grade_of_a_wrong_answer_quotes_words_once_and_no_numbers():
    options = (Option("no error"), Option("an error", "all raise", "No."))
    feedback = "the answer is “no error”. Common misconception: “all raise”. No. So it is."
    assert grade(Question("silent", "What?", options, "So it is."), "an error") == Grade(False, feedback, "all raise")
    question = Question("sum", "2 + 2?", (Option("4"), Option("5", "A", "No.")), "So it is.")
    assert grade(question, "5").feedback.startswith("the answer is 4. Common misconception: “A”. ")
    question = Question("meet", "Which?", (Option("“a” and “b”"), Option("“c” and “d”", "A", "No.")), "So it is.")
    assert grade(question, "“c” and “d”").feedback.startswith("the answer is “a” and “b”. Common misconception")
