"""A learner's answers as a Markdown text to save or to hand in."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from components.base.text_format import pluralize

PUNCTUATION = re.compile(r"[!-/:-@\[-`{-~]")
TIMES = {1: "once", 2: "twice"}
FIRST_ATTEMPT = "correct on the first attempt"


@dataclass(frozen=True)
class Answer:
    """An answer of the learner: the page, the question and its name, the chosen option, and the grade."""

    page: str
    name: str
    question: str
    chosen: str
    correct: bool
    misconception: str = ""
    feedback: str = ""


def escaped(text: str) -> str:
    """Return text on one line, with a backslash before every character that has a meaning in Markdown."""
    return PUNCTUATION.sub(r"\\\g<0>", " ".join(text.split()))


def summary(answers: Sequence[Answer], lessons: Mapping[str, str] | None = None) -> str:
    """Return the answers as a Markdown text, lesson by lesson.

    `lessons` maps each page to its title, in order; other pages come after these, under their names. Only the first
    answer to a question counts for the score; the same question with other numbers is another question.
    """
    titles = lessons or {}
    attempts: dict[str, dict[tuple[str, str], list[Answer]]] = {page: {} for page in titles}
    for answer in answers:
        attempts.setdefault(answer.page, {}).setdefault((answer.name, answer.question), []).append(answer)
    first = {page: [given[0].correct for given in questions.values()] for page, questions in attempts.items()}
    answered, correct = sum(map(len, first.values())), sum(map(sum, first.values()))
    score = f"{pluralize(answered, 'question')} answered, {correct} {FIRST_ATTEMPT}."
    lines = ["# Predictions in Embedding Lab", "", score]
    for page, questions in attempts.items():
        if not questions:
            continue
        count = f"{sum(first[page])} of {len(first[page])} {FIRST_ATTEMPT}"
        lines += ["", f"## {escaped(titles.get(page, page))}: {count}", ""]
        for (_, question), given in questions.items():
            lines.append(f"- **{escaped(question)}**")
            lines += [f"  - {_graded(answer)}" for answer in given]
    misconceptions = Counter(answer.misconception for answer in answers if not answer.correct)
    if misconceptions:
        lines += ["", "## Misconceptions", ""]
        lines += [f"- {escaped(name)}: {TIMES.get(n, f'{n} times')}" for name, n in misconceptions.most_common()]
    return "\n".join(lines)


def _graded(answer: Answer) -> str:
    if answer.correct:
        return f"correct: {escaped(answer.chosen)}"
    return f"wrong: {escaped(answer.chosen)}; {escaped(answer.feedback)}"
