"""What a learner reads in a question, compared with a second way to each number and name.

`references/<lesson>.py` has a class `Reference` with a method for each question of the lesson. It returns the facts
that the question uses and the attributes of `Learner` lack, found by torch, tiktoken or plain Python, and four more:

- `answer`: the correct option as it is shown; optional if it is the same text in every state,
- `prompt`: the numbers of the prompt, in the order in which a learner reads them; optional,
- `wrong`: the wrong options with facts or numbers, in the order of questions.toml, texts without thousands separators,
- `said`: the numbers and names of the explanation, then of each feedback, in the order in which a learner reads them.

The parameters of a method are random facts, such as the window that is asked about, which it checks.
"""

import re
from functools import cache
from importlib import import_module
from inspect import signature
from itertools import chain
from math import prod
from string import Formatter

import pytest

from components.base.templates import fill
from components.questions.quiz import make_question
from tests.questions.asked_questions import TEMPLATES, asked
from tests.states import facts, token_ids

PARTS = {"prompt", "answer", "explanation", "wrong", "option", "misconception", "feedback", "else"}
token_ids_of = cache(token_ids)


def names_in(template):
    """Return the facts that the texts of a template use, and those that choose one of several texts."""
    if isinstance(template, str):
        return {field for _, field, *_ in Formatter().parse(template) if field}
    parts = template.values() if isinstance(template, dict) else template
    return set().union(*map(names_in, parts), template if isinstance(template, dict) else ()) - PARTS


def numbers_in(text):
    return [int(number.replace(",", "")) for number in re.findall(r"\d[\d,]*\d|\d", text)]


def chosen(text, known):
    """Return the variant of a text that these facts choose, not yet filled."""
    return text if isinstance(text, str) else next(each for key, each in text.items() if key == "else" or known[key])


def rounded(fact):
    return float(f"{fact:.4g}") if isinstance(fact, float) else fact


def number_or_text(option):
    found = re.match(r"−?[\d,]+(\.\d+)?(?=$|:)", option.text)
    return float(found[0].replace(",", "").replace("−", "-")) if found else option.text.casefold()


@pytest.mark.parametrize(("page", "name"), [(page, name) for page, found in TEMPLATES.items() for name in found])
def test_question_has_the_facts_of_its_reference(page, name):
    template, reference = TEMPLATES[page][name], import_module(f"tests.questions.references.{page}").Reference
    options = [each["option"] for each in template["wrong"]]
    wrong = [text for text in options if names_in(text) or re.search(r"\d", f"{text}")]
    after = [template["explanation"], *(each["feedback"] for each in template["wrong"])]
    _, *random = signature(getattr(reference, name)).parameters
    found = [(question, state) for question, state in asked(page) if question.name == name]
    assert len(found) >= 10
    for question, state in found:
        learner, own = reference(state, token_ids_of(state)), getattr(facts(page), name)(state, token_ids_of(state))
        expected = vars(learner) | getattr(learner, name)(**{each: own[each] for each in random})
        for fact in names_in(template):
            assert rounded(own[fact]) == rounded(expected[fact]), f"{fact} of {name}, {question}, {state}"
        assert question == make_question(name, template, own | expected)
        assert question.answer == expected.get("answer", question.answer), question
        offered = [fill(text, own).replace(",", "") for text in wrong]
        assert offered == [f"{each}".replace(",", "") for each in expected.get("wrong", [])], question
        shown = [chosen(text, own) for text in after]
        said = [rounded(own[fact]) for text in shown for _, fact, *_ in Formatter().parse(text) if fact]
        assert said == [*map(rounded, expected.get("said", []))], f"said of {name}: {shown}, {state}"
        assert numbers_in(question.prompt) == expected.get("prompt", numbers_in(question.prompt)), question
        assert len({*map(number_or_text, question.options)}) == len(question.options), question
        texts = [question.prompt, question.explanation, *(option.feedback for option in question.options)]
        known = {*map(str, chain(*map(numbers_in, [*texts, *(option.text for option in question.options)])))}
        for product in re.findall(r"\d[\d,]*(?: × \d[\d,]*)+(?![.\d])", " ".join(texts)):
            shape = f"[{product.replace(' × ', ', ')}]"
            assert str(prod(numbers_in(product))) in known or shape in " ".join(texts), f"{product} in {texts}"
        for text in texts:
            for symbol, number in re.findall(r"(?<![×√])(?<!× )\b([VDTBNd]) = (\d[\d,]*)", text):
                assert numbers_in(number) == [expected.get(symbol, *numbers_in(number))], text
