"""Multiple-choice questions: the texts of a lesson's questions.toml, filled with the facts of its facts.py.

questions.toml has a table for each question, in order; the function of the same name in facts.py returns its facts, or
None if it cannot be asked.
"""

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any
from zlib import crc32

from components.base.link import State
from components.base.templates import Facts, fill

MIN_OPTIONS, MAX_OPTIONS = 3, 4
Ids = Sequence[int]  # a list, or a NumPy array of integers


@dataclass(frozen=True)
class Option:
    """One of the answers to choose from; a wrong one has a misconception and feedback, the correct one neither."""

    text: str
    misconception: str = ""
    feedback: str = ""


@dataclass(frozen=True)
class Question:
    """A question on the learner's settings: exactly one option is correct, and `explanation` gives the reason."""

    name: str
    prompt: str
    options: tuple[Option, ...]
    explanation: str

    @property
    def answer(self) -> str:
        return next(option.text for option in self.options if not option.misconception)


@dataclass(frozen=True)
class Grade:
    """Whether an answer is correct, the feedback to show, and the misconception behind a wrong answer."""

    correct: bool
    feedback: str
    misconception: str = ""


@cache
def load_templates(path: Path) -> dict[str, dict[str, Any]]:
    return tomllib.loads(path.read_text("utf-8"))


def ask(facts: ModuleType, state: State, token_ids: Ids) -> Iterator[Question]:
    """Yield the questions of a lesson that can be asked; each is built when it is requested.

    `facts` is the module facts.py of the lesson, in the same folder as its questions.toml.
    """
    for name, template in load_templates(Path(facts.__file__).with_name("questions.toml")).items():
        values = getattr(facts, name)(state, token_ids)
        if values is not None and (question := make_question(name, template, values)):
            yield question


def make_question(name: str, template: Mapping[str, Any], facts: Facts) -> Question | None:
    """Return a question, or None if too few of its options differ.

    The first wrong options that differ are used. Numbers are sorted; other options have an order that depends on texts.
    """
    prompt, answer, explanation = (fill(template[part], facts) for part in ("prompt", "answer", "explanation"))
    options = {answer: Option(answer)}
    for wrong in template["wrong"]:
        text = fill(wrong["option"], facts)
        if len(options) < MAX_OPTIONS and text not in options:
            options[text] = Option(text, fill(wrong["misconception"], facts), fill(wrong["feedback"], facts))
    if len(options) < MIN_OPTIONS:
        return None
    try:
        ordered = sorted(options.values(), key=lambda option: float(option.text.replace(",", "").replace("−", "-")))
    except ValueError:
        ordered = sorted(options.values(), key=lambda option: crc32(f"{prompt}{option.text}".encode()))
    return Question(name, prompt, tuple(ordered), explanation)


def grade(question: Question, chosen: str) -> Grade:
    """Return the grade of the option with this text; feedback on a wrong one begins with the correct answer."""
    option = next(option for option in question.options if option.text == chosen)
    if not option.misconception:
        return Grade(True, question.explanation)
    is_quoted = "“" in question.answer or not any(map(str.isalpha, question.answer))
    answer = question.answer if is_quoted else f"“{question.answer}”"
    misconception = f"Common misconception: “{option.misconception}”."
    feedback = f"the answer is {answer}. {misconception} {option.feedback} {question.explanation}"
    return Grade(False, feedback, option.misconception)
