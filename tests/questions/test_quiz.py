"""Every question of every lesson in many states: well formed, with approved texts and with facts found a second way.

`references/<lesson>.py` has a class `Reference` with a method for each question of the lesson. It returns the facts
that the question uses and the attributes of `Learner` lack, found by torch, tiktoken or plain Python, and `answer`,
the correct option as it is shown; optional if it is the same text in every state. The parameters of a method are
random facts, such as the window that is asked about, which it checks.

approved/questions.txt has each text of a question, filled with its facts, in the first states that distinguish them.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple, replace
from functools import cache
from importlib import import_module
from inspect import getmembers, isfunction, signature
from itertools import chain, product
from math import prod
from pathlib import Path
from string import Formatter
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as profile
from hypothesis import strategies as st

from components.base.link import AppState, State
from components.base.presets import PRESETS, SAMPLE_TEXT
from components.base.settings import Settings, with_trained_table
from components.base.templates import Facts, Template, fill
from components.entry import LESSONS
from components.lessons.training import facts as training_facts
from components.questions.own_ids import own_ids, token_name
from components.questions.quiz import Grade, Option, Question, ask, grade, load_templates, make_question
from components.vectors.corpora import GRAMMAR
from tests import gpt2_server
from tests.approved import compare
from tests.states import WITH_QUESTIONS, app_state, facts, questions, token_ids
from tests.strategies import valid_app_states
from tests.varied_states import TEXTS, varied_state

APPROVED = Path(__file__).with_name("approved") / "questions.txt"
TEMPLATES = {page: load_templates(Path(facts(page).__file__).with_name("questions.toml")) for page in WITH_QUESTIONS}
NAMES = [(page, name) for page, found in TEMPLATES.items() for name in found]
STATES = [app_state(preset.settings) for preset in PRESETS.values()]
STATES += [varied_state(number) for number in range(60)]
SEEDS = [  # which choose each analogy and each pair of opposites that is measured
    app_state(Settings(1, 1, seed, context_length=1, batch_size=1), "a b a", vectors="upload", word_a="xyz")
    for seed in range(25)
]
STATES += SEEDS[:1]
STATES += [app_state(Settings(2, 2, seed, context_length=2, batch_size=1), "a b a") for seed in range(4)]
STATES += [app_state(Settings(2, 2, context_length=2, stride=2, batch_size=2), "a b a b a")]
STATES += [app_state(Settings(tokenizer=each), "Käse für Mäuse 🎵 " * 400, word_a="x") for each in ("words", "gpt2")]
STATES += [app_state(Settings(14, 1, ids="14 14"), "\u3000Straße ☕ ß", experiment="unknown_vector", lab_key="king's")]
STATES += [app_state(Settings(seed=seed), head="meaning", pairs="cat mouse, dog bone") for seed in range(4)]
STATES += [app_state(Settings(context_length=4 + seed, seed=seed), head="text") for seed in range(4)]
STATES += [app_state(optimizer="adamw", weight_decay=1e-9), app_state(lab_V=2_000)]
STATES += [app_state(optimizer="adamw", learning_rate=1.0, weight_decay=1.0)]
STATES += [app_state(scene="film", train_seed=seed) for seed in range(1, 11)]
STATES += [app_state(text=f"is {word} a word?") for word in ("qzxvk", "zyxwvut")]  # of four and of five tokens
STATES += [app_state(text="<|endoftext|>")]
TRAINED = [
    app_state(with_trained_table(Settings(table="gpt2", position="learned", seed=seed)), text, head="gpt2")
    for seed, text in product(range(5), (SAMPLE_TEXT, "The can of worms can be opened.", "猫 can"))
]
HOSTILE = "{V} {} {0} {n:,} {{x}} {settings.seed} {__class__} %s ${T} <|endoftext|> <b>*a*</b> 👩‍👩‍👧 ☕ \u202e\\"
HOSTILE_STATES = [
    app_state(Settings(tokenizer=each), HOSTILE, near="{0}", word_a="{a}", grammar=GRAMMAR.replace("king", "{king}"))
    for each in ("gpt2", "words")
]
PARTS, WRONG_PARTS = ("prompt", "answer", "explanation"), ("option", "misconception", "feedback")
NO_FACTS = {*PARTS, "wrong", *WRONG_PARTS, "else"}
token_ids_of = cache(token_ids)


@pytest.fixture(scope="module", autouse=True)
def trained_tables(tmp_path_factory) -> Iterator[None]:
    """A made-up GPT-2 for the questions on its rows, and texts that stay, so that each is trained on once."""
    text_of = training_facts.checked_text
    cached = cache(lambda ids, settings: text_of([*ids], settings))
    with pytest.MonkeyPatch.context() as patch, gpt2_server.filled_cache(tmp_path_factory.mktemp("gpt2")):
        patch.setattr(training_facts, "checked_text", lambda ids, settings: cached((*ids,), settings))
        yield


class Kept:
    """The facts of a lesson; `given` has the result for each question."""

    def __init__(self, page: str) -> None:
        self.module, self.__file__, self.given = facts(page), facts(page).__file__, {}

    def __getattr__(self, name: str):
        return lambda *state: self.given.setdefault(name, getattr(self.module, name)(*state))


@cache
def asked(page: str) -> list[tuple[State, list[tuple[Question, Facts]]]]:
    found = []
    states = STATES + TRAINED * LESSONS[page].trained + SEEDS[1:] * (page == "word2vec")
    for state in (each.lesson(page) for each in states):
        kept = Kept(page)
        found.append((state, [(each, kept.given[each.name]) for each in ask(kept, state, token_ids_of(state))]))
    return found


def asked_as(page: str, name: str) -> list[tuple[Question, Facts, State]]:
    return [(question, own, state) for state, found in asked(page) for question, own in found if question.name == name]


def asked_by(page: str, state: AppState) -> list[Question]:
    return questions(page, state.lesson(page), token_ids(state))


def assert_well_formed(page: str, found: Sequence[Question]) -> None:
    """Check the questions of a state: no empty option, all but one are wrong, and whole sentences in one line."""
    assert 2 <= len(found) <= 5, f"{page} asks {[each.name for each in found]} in this state: 2 to 5 are wanted"
    for question in found:
        wrong = [option for option in question.options if option.misconception]
        assert len(wrong) == len(question.options) - 1, question
        assert all(option.text for option in question.options)
        assert question.prompt.endswith("?")
        for sentence in (question.explanation, *(option.feedback for option in wrong)):
            assert sentence.endswith((".", ".)")), question
        assert "\n" not in "".join(chain([question.prompt, question.explanation], *map(astuple, question.options)))


def as_table(text: Template) -> Mapping[str, str]:
    return {"else": text} if isinstance(text, str) else text


def texts_of(template: dict[str, Any]) -> list[list[Template]]:
    """Return all texts of a template, those of a line in the approved file together."""
    wrong = [[each[part] for part in WRONG_PARTS] for each in template["wrong"]]
    return [[template["prompt"], template["answer"]], [template["explanation"]], *wrong]


def names_in(template) -> set[str]:
    """Return the facts that the texts of a template use, and those that choose one of several texts."""
    if isinstance(template, str):
        return {field for _, field, *_ in Formatter().parse(template) if field}
    parts = template.values() if isinstance(template, dict) else template
    return set().union(*map(names_in, parts), template if isinstance(template, dict) else ()) - NO_FACTS


def numbers_in(text: str) -> list[int]:
    return [int(number.replace(",", "")) for number in re.findall(r"\d[\d,]*\d|\d", text)]


def choice(text: Template, known: Facts) -> str:
    """Return the fact by which these facts choose a variant of a text."""
    return next(key for key in as_table(text) if key == "else" or known[key])


def rounded(fact: Any) -> Any:
    return float(f"{fact:.4g}") if isinstance(fact, float) else fact


def number_or_text(option: Option) -> float | str:
    found = re.match(r"−?[\d,]+(\.\d+)?(?=$|:)", option.text)
    return float(found[0].replace(",", "").replace("−", "-")) if found else option.text.casefold()


def lines(template: dict[str, Any], found: Sequence[Facts]) -> Iterator[str]:
    """Yield the texts of a question, filled in the first states that distinguish the facts they can show."""
    known = names_in([[*as_table(text).values()] for text in chain(*texts_of(template))])
    shown = [(own, {name: f"{rounded(own[name])}" for name in known}) for own in found]
    for parts in texts_of(template):
        by_kinds: dict[tuple[str, ...], dict[frozenset, Facts]] = {}
        for own, values in shown:
            kinds = tuple(as_table(text)[choice(text, own)] for text in parts)
            apart = frozenset((a, b) for a in names_in(kinds) for b in known if values[a] != values[b])
            by_kinds.setdefault(kinds, {}).setdefault(apart, own)
        for kinds, states in by_kinds.items():
            covered = None
            for apart, own in sorted(states.items(), key=lambda state: -len(state[0])):
                if covered is None or apart - covered:
                    covered = apart | (covered or set())
                    yield " | ".join(fill(text, own) for text in kinds)


def test_texts_of_questions_are_approved(tmp_path):
    facts_of = {(page, name): [own for _, own, _ in asked_as(page, name)] for page, name in NAMES}
    found = ([f"== {page}, {name}", *lines(TEMPLATES[page][name], own)] for (page, name), own in facts_of.items())
    compare(APPROVED, chain(*found), tmp_path)


@pytest.mark.parametrize(("page", "name"), NAMES)
def test_question_has_the_facts_of_its_reference(page, name):
    template, reference = TEMPLATES[page][name], import_module(f"tests.questions.references.{page}").Reference
    _, *random = signature(getattr(reference, name)).parameters
    found = asked_as(page, name)
    assert len(found) >= 10
    for question, own, state in found:
        learner = reference(state, token_ids_of(state))
        expected = vars(learner) | getattr(learner, name)(**{each: own[each] for each in random})
        for fact in names_in(template):
            assert rounded(own[fact]) == rounded(expected[fact]), f"{fact} of {name}, {question}, {state}"
        assert question == make_question(name, template, own | expected)
        assert question.answer == expected.get("answer", question.answer), question
        assert len({*map(number_or_text, question.options)}) == len(question.options), question
        words = " ".join([question.prompt, question.explanation, *(option.feedback for option in question.options)])
        known = numbers_in(" ".join([words, *(option.text for option in question.options)]))
        for factors in re.findall(r"\d[\d,]*(?: × \d[\d,]*)+(?![.\d])", words):
            shape = f"[{factors.replace(' × ', ', ')}]"
            assert prod(numbers_in(factors)) in known or shape in words, f"{factors} in {words}"
        for symbol, number in re.findall(r"(?<![×√])(?<!× )\b([VDTBNd]) = (\d[\d,]*)", words):
            assert number.rstrip(",") == f"{expected.get(symbol, *numbers_in(number)):,}", words


@pytest.mark.parametrize(("page", "name"), NAMES)
def test_template_is_complete_and_uses_every_text_in_some_state(page, name):
    template, module = TEMPLATES[page][name], facts(page)
    public = [each for each, f in getmembers(module, isfunction) if f.__module__ == module.__name__ and each[0] != "_"]
    assert sorted(public) == sorted(TEMPLATES[page])
    assert template.keys() == {*PARTS, "wrong"}
    assert len(template["wrong"]) >= 3
    found = asked_as(page, name)
    for text in chain(*texts_of(template)):
        assert {choice(text, own) for _, own, _ in found} == as_table(text).keys()
        for _, own, _ in found:
            marked = {fact: "x" if value and isinstance(value, str) else value for fact, value in own.items()}
            filled = fill(text, marked)
            assert filled == filled.strip() != ""
            assert not re.search(r"[{}]|  | [,.]|(?<![\w\[])-\d", filled)  # a hyphen is a minus in code alone
    for wrong in template["wrong"]:
        assert wrong.keys() == {*WRONG_PARTS}
        assert any(Option(*(fill(wrong[part], own) for part in WRONG_PARTS)) in q.options for q, own, _ in found), wrong


def test_questions_in_varied_and_extreme_states_are_well_formed():
    for page in WITH_QUESTIONS:
        for _, found in asked(page):
            assert_well_formed(page, [question for question, _ in found])
        for state in HOSTILE_STATES:
            assert_well_formed(page, asked_by(page, state))
    assert "longer" in {each.name for each in questions("lookup", TRAINED[0].lesson("lookup"), [0])}  # of row 0
    for V, D, T, stride, n in product((1, 2), (1, 2), (1, 2), (1, 2), range(4)):
        for tokenizer, typed in (("words", ""), ("gpt2", ""), ("words", "0")):
            settings = Settings(V, D, context_length=T, stride=stride, batch_size=1, tokenizer=tokenizer, ids=typed)
            state = app_state(settings, " ".join("ab"[index % 2] for index in range(n)))
            for page in WITH_QUESTIONS:
                assert_well_formed(page, asked_by(page, state))


@given(valid_app_states(), st.sampled_from(TEXTS) | st.text(max_size=60), st.sampled_from(["", "0 0", "5 1; 2 3", "x"]))
@profile(max_examples=30)
def test_questions_of_any_state_are_well_formed(state, text, typed):
    settings = replace(state.settings, ids=state.settings.ids and typed)
    trained = replace(state.lessons["word2vec"], sentences=50, epochs=1)  # texts do not depend on more of it
    lessons = {**state.lessons, "word2vec": trained}
    state = replace(state, text=text, settings=settings, lessons=lessons)
    for page in WITH_QUESTIONS:
        assert_well_formed(page, asked_by(page, state))


def test_questions_accept_arrays_and_ids_outside_the_text():
    state = app_state(text="word and other words, " * 4_545)
    ids = token_ids(state)
    for page in WITH_QUESTIONS:
        assert questions(page, state.lesson(page), np.array(ids)) == questions(page, state.lesson(page), ids)
        for tokenizer in ("words", "gpt2"):
            other = app_state(Settings(tokenizer=tokenizer), "one").lesson(page)
            assert len(questions(page, other, [999_999, 3, 999_999, 2**40, 7])) >= 2


@pytest.mark.parametrize("page", WITH_QUESTIONS)
def test_questions_depend_on_the_settings_and_on_the_seed(page):
    answers, prompts = {}, {}  # of each question, of states that differ in the seed alone
    for state, found in asked(page):
        others = replace(state, settings=replace(state.settings, seed=0))
        for question, _ in found:
            answers.setdefault(question.name, set()).add(question.answer)
            prompts.setdefault((question.name, others), set()).add(question.prompt)
    assert any(len(each) > 1 for each in answers.values()), f"each answer of {page} is the same for all settings"
    assert any(len(each) > 1 for each in prompts.values()), (
        f"no question of {page} depends on the seed: question_rng and sample_ids of own_ids.py take numbers from it"
    )


def test_make_question_with_too_few_different_options_gives_none():
    wrong = [{"option": option, "misconception": "A", "feedback": "No."} for option in ("{n}", "5")]
    template = {"prompt": "2 + 2?", "answer": "4", "explanation": "So.", "wrong": wrong}
    assert make_question("sum", template, {"n": 4}) is None
    assert [option.text for option in make_question("sum", template, {"n": 3}).options] == ["3", "4", "5"]


def test_make_question_sorts_numbers_and_varies_answer_positions():
    found = [question for page in WITH_QUESTIONS for _, each in asked(page) for question, _ in each]
    assert {[option.text for option in q.options].index(q.answer) for q in found} == {0, 1, 2, 3}
    texts = [[option.text.replace(",", "").replace("−", "-") for option in q.options] for q in found]
    numbers = [[*map(float, row)] for row in texts if all(re.fullmatch(r"-?[\d.]+", text) for text in row)]
    assert len(numbers) > 100
    assert all(row == sorted(row) for row in numbers)


def test_grade_of_wrong_answer_quotes_words_once_and_no_numbers():
    options = (Option("no error"), Option("an error", "all raise", "No."))
    feedback = "the answer is “no error”. Common misconception: “all raise”. No. So it is."
    question = Question("silent", "What?", options, "So it is.")
    assert grade(question, "no error") == Grade(True, "So it is.")
    assert grade(question, "an error") == Grade(False, feedback, "all raise")
    question = Question("sum", "2 + 2?", (Option("4"), Option("5", "A", "No.")), "So it is.")
    assert grade(question, "5").feedback.startswith("the answer is 4. Common misconception: “A”. ")
    question = Question("meet", "Which?", (Option("“a” and “b”"), Option("“c” and “d”", "A", "No.")), "So it is.")
    assert grade(question, "“c” and “d”").feedback.startswith("the answer is “a” and “b”. Common misconception")


@pytest.mark.parametrize(("tokenizer", "token_id"), [("gpt2", 99_999), ("cl100k_base", 7)])
def test_token_name_of_a_token_that_cannot_be_read_is_its_id(tokenizer, token_id, cache):
    assert token_name(State(Settings(tokenizer=tokenizer), text="the cat"), [1, token_id], 1) == f"ID {token_id}"
    assert token_name(State(Settings(tokenizer="words"), text="the"), [1, 2], 1) == "ID 2"


def test_questions_use_the_first_512_ids_of_a_text():
    assert own_ids(State(), range(1, 600)) == [*range(1, 513)]
