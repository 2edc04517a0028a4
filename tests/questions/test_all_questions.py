"""Every question of every lesson, rendered for many states: well formed, complete, and the same in data and facts."""

import re
from dataclasses import replace
from inspect import getmembers, isfunction
from itertools import product
from pathlib import Path
from string import Formatter
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as profile
from hypothesis import strategies as st

from components.base.settings import Settings
from components.questions.quiz import Question, fill, grade, load_templates, make_question
from components.vectors.corpora import GRAMMAR
from tests.questions.varied_states import ASKED, STATES, TEXTS, asked_by
from tests.states import CHOICES, WITH_QUESTIONS, app_state, facts, lesson_state, questions, token_ids
from tests.strategies import valid_app_states

HOSTILE = "{V} {} {0} {n:,} {{x}} {settings.seed} {__class__} %s ${T} <|endoftext|> <b>*a*</b> 👩‍👩‍👧 ☕ \u202e\\"
TEMPLATES = {page: load_templates(Path(facts(page).__file__).with_name("questions.toml")) for page in WITH_QUESTIONS}
NAMES = [(page, name) for page, templates in TEMPLATES.items() for name in templates]
each_question = pytest.mark.parametrize(("page", "name"), NAMES)


def texts_of(template: dict[str, Any]) -> list[str | dict[str, str]]:
    """Return all texts of a template, those of its wrong options included."""
    own = [template[part] for part in ("prompt", "answer", "explanation")]
    return own + [wrong[part] for wrong in template["wrong"] for part in ("option", "misconception", "feedback")]


def shown(question: Question) -> list[str]:
    """Return everything that a question shows."""
    parts = [(option.text, option.misconception, option.feedback) for option in question.options]
    return [question.prompt, question.explanation, *filter(None, (text for part in parts for text in part))]


def assert_well_formed(page: str, found: list[Question]) -> None:
    assert 2 <= len(found) <= 4, page
    assert len({question.name for question in found}) == len(found)
    for question in found:
        assert question.prompt.endswith("?")
        texts = [option.text for option in question.options]
        assert all(texts)
        assert 3 <= len(texts) == len(set(texts)) <= 4, question
        assert [text for text in texts if text == question.answer] == [question.answer]
        assert sum(not option.misconception for option in question.options) == 1, question
        for option in question.options:
            result = grade(question, option.text)
            assert result.correct == (option.text == question.answer) == (not option.feedback)
            assert result.misconception == option.misconception
        assert not any("\n" in text for text in shown(question))
        for text in (question.explanation, *(option.feedback for option in question.options if option.feedback)):
            assert text.endswith((".", ".)")), text


@each_question
def test_templates_have_all_parts_and_no_others(page, name):
    template = TEMPLATES[page][name]
    assert template.keys() == {"prompt", "answer", "explanation", "wrong"}
    assert len(template["wrong"]) >= 3
    for wrong in template["wrong"]:
        assert wrong.keys() == {"option", "misconception", "feedback"}
    for text in texts_of(template):
        assert all(map(str.strip, [text] if isinstance(text, str) else text.values()))


@pytest.mark.parametrize("page", WITH_QUESTIONS)
def test_facts_and_templates_have_the_same_names(page):
    module = facts(page)
    public = [name for name, f in getmembers(module, isfunction) if f.__module__ == module.__name__ and name[0] != "_"]
    assert sorted(public) == sorted(TEMPLATES[page])


@each_question
def test_every_fact_of_a_template_exists_in_every_state(page, name):
    used, chosen = set(), []
    for text in texts_of(TEMPLATES[page][name]):
        variants = [text] if isinstance(text, str) else [*text.values()]
        fields = [field for variant in variants for _, field, *_ in Formatter().parse(variant) if field is not None]
        assert all(map(str.isidentifier, fields))
        used |= {*fields, *([] if isinstance(text, str) else text.keys() - {"else"})}
    for state in STATES:
        found = getattr(facts(page), name)(state.lesson(page), token_ids(state))
        if found is not None:
            assert used <= found.keys(), used - found.keys()
            chosen.append(found)
    assert chosen
    for text in texts_of(TEMPLATES[page][name]):
        if not isinstance(text, str):  # each variant is used in some state
            assert {next(key for key in text if key == "else" or f[key]) for f in chosen} == text.keys()


@each_question
def test_every_question_and_every_wrong_option_is_asked(page, name):
    asked = [question for where, question, _ in ASKED if (where, question.name) == (page, name)]
    feedback = {option.feedback for question in asked for option in question.options}
    offered = [option["feedback"] for option in TEMPLATES[page][name]["wrong"]]
    for text in offered:
        variants = [text] if isinstance(text, str) else text.values()
        patterns = [".*".join(re.escape(part) for part, *_ in Formatter().parse(variant)) for variant in variants]
        assert any(re.match(pattern, each) for pattern in patterns for each in feedback if each), text


def test_home_and_glossary_ask_nothing():
    assert set(CHOICES) - set(WITH_QUESTIONS) == {"home", "glossary"}


def test_all_questions_of_many_states_are_well_formed():
    for state in STATES:
        for page in WITH_QUESTIONS:
            assert_well_formed(page, asked_by(page, state))


@each_question
def test_no_placeholder_is_left_and_no_fact_is_read_as_a_template(page, name):
    hostile = [app_state(Settings(tokenizer=name), HOSTILE, near="{0}", word_a="{a}") for name in ("gpt2", "words")]
    for state in [*STATES, *hostile]:
        found = getattr(facts(page), name)(state.lesson(page), token_ids(state)) or {}
        texts = {
            fact: f"<{number}>" for number, fact in enumerate(found) if isinstance(found[fact], str) and found[fact]
        }
        for template in texts_of(TEMPLATES[page][name]) if found else []:
            expected = fill(template, found | texts)
            assert not any(wrong in expected for wrong in ("{", "}", "  ", " ,", " ."))
            assert expected == expected.strip() != ""
            for fact, stand_in in texts.items():
                expected = expected.replace(stand_in, found[fact])
            assert fill(template, found) == expected


@pytest.mark.parametrize("tokenizer", ["gpt2", "words", "cl100k_base"])
@pytest.mark.parametrize("typed", ["", "2 3 5 1", "{V} {0}"])
def test_braces_and_special_characters_in_a_text_are_shown(tokenizer, typed):
    settings = Settings(tokenizer=tokenizer, ids=typed)
    state = app_state(settings, HOSTILE, near="{0} x", word_a="{a}", grammar=GRAMMAR.replace("king", "{king}"))
    for page in WITH_QUESTIONS:
        assert_well_formed(page, asked_by(page, state))
    assert "with “{0}” in them, and none with “{0}s”" in asked_by("word2vec", state)[2].prompt
    one_word = app_state(settings, "{V}")
    assert "of “␣{V}”" in asked_by("tokens", one_word)[0].prompt


@given(valid_app_states(), st.sampled_from(TEXTS) | st.text(max_size=60), st.sampled_from(["", "0 0", "5 1; 2 3", "x"]))
@profile(max_examples=60)
def test_questions_of_random_states_are_well_formed(state, text, typed):
    state = replace(state, text=text, settings=replace(state.settings, ids=state.settings.ids and typed))
    for page in WITH_QUESTIONS:
        assert_well_formed(page, asked_by(page, state))


@pytest.mark.parametrize(("V", "D", "T", "stride"), [*product((1, 2), repeat=4)])
def test_the_smallest_settings_leave_enough_options(V, D, T, stride):
    for n, tokenizer, typed in product(range(4), ("words", "gpt2"), ("", "0")):
        settings = Settings(V, D, context_length=T, stride=stride, batch_size=1, tokenizer=tokenizer, ids=typed)
        state = app_state(settings, " ".join("ab"[index % 2] for index in range(n)))
        for page in WITH_QUESTIONS:
            assert_well_formed(page, asked_by(page, state))


def test_a_long_text_and_an_array_of_ids_give_the_same_questions():
    state = app_state(text="word and other words, " * 4_545)
    ids = token_ids(state)
    for page in WITH_QUESTIONS:
        own = state.lesson(page)
        assert questions(page, own, np.array(ids)) == questions(page, own, ids)


def test_ids_that_do_not_belong_to_the_text_do_not_raise():
    for tokenizer, page in product(("words", "gpt2"), WITH_QUESTIONS):
        state = lesson_state(page, Settings(tokenizer=tokenizer), "one")
        questions(page, state, [999_999, 3, 999_999, 2**40, 7])


def test_too_few_different_options_make_no_question():
    wrong = [{"option": option, "misconception": "A", "feedback": "No."} for option in ("{n}", "5")]
    template = {"prompt": "2 + 2?", "answer": "4", "explanation": "So.", "wrong": wrong}
    assert make_question("sum", template, {"n": 4}) is None
    assert len(make_question("sum", template, {"n": 3}).options) == 3


def test_feedback_quotes_words_and_not_numbers():
    question = next(question for page, question, _ in ASKED if (page, question.name) == ("errors", "silent"))
    wrong = next(option for option in question.options if option.misconception)
    assert grade(question, wrong.text).feedback == (
        "the answer is “no error, the right shape, and the wrong positions”. Common misconception: "
        f"“{wrong.misconception}”. {wrong.feedback} {question.explanation}"
    )


def test_the_right_answer_has_every_position_and_numbers_are_sorted():
    assert {[option.text for option in q.options].index(q.answer) for _, q, _ in ASKED} == {0, 1, 2, 3}
    texts = [[option.text.replace(",", "") for option in q.options] for _, q, _ in ASKED]
    numbers = [[*map(float, row)] for row in texts if all(re.fullmatch(r"-?[\d.]+", text) for text in row)]
    assert len(numbers) > 100
    assert all(row == sorted(row) for row in numbers)


@pytest.mark.parametrize("page", WITH_QUESTIONS)
def test_questions_depend_on_the_settings_and_the_seed_alone(page):
    def answered(seed: int, dim: int, optimizer: str) -> tuple[list[str], list[str]]:
        settings = Settings(vocab_size=40, seed=seed, dim=dim, tokenizer="words")
        found = asked_by(page, app_state(settings, optimizer=optimizer, lab_V=dim, word_a="x", train_seed=seed))
        return [question.prompt for question in found], [question.answer for question in found]

    first, by_seed = answered(1, 8, "sgd"), [answered(seed, 8, "sgd") for seed in range(2, 12)]
    others = [answered(1, 4, "adam"), answered(1, 5, "adamw"), *by_seed]
    assert answered(1, 8, "sgd") == first
    assert any(answers != first[1] for _, answers in others)
    assert any(prompts != first[0] for prompts, _ in by_seed)


MISCONCEPTIONS = {
    "√D should divide": "combine",
    "√D is about attention": "combine",
    "√D always balances the two": "combine",
    "adding the position ruins the meaning": "combine",
    "D must equal V": "lookup",
    "D must equal T": "lookup",
    "a one-hot step must exist": "one_hot",
    "ID = V is legal": "errors",
    "negative IDs wrap": "errors",
    "an index out of range always means a bad token": "errors",
    "learned and sinusoidal are the same": "positions",
    "the layout of sines and cosines is unique": "positions",
    "stride = T skips targets": "windows",
    "padding_idx masks attention": "training",
    "king - man + woman is nearest to queen": "word2vec",
    "analogies are facts": "word2vec",
    "a negative cosine means the opposite": "word2vec",
    "word2vec reads letters": "word2vec",
    "a token is always printable": "tokens",
    "the input row already depends on the context": "lookup",
    "distances in a 2-D map are real": "training",
}


def test_every_known_misconception_is_offered_with_the_default_settings():
    found = {
        option.misconception: page
        for page in WITH_QUESTIONS
        for question in asked_by(page, app_state())
        for option in question.options
    }
    assert {name: found.get(name) for name in MISCONCEPTIONS} == MISCONCEPTIONS
