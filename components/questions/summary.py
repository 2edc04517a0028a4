"""A learner's answers as plain text to save or to hand in."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from components.base.learner_text import show_hidden
from components.base.text_format import pluralize

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


def attempts(answers: Sequence[Answer]) -> list[list[Answer]]:
    """Return the answers to each question; asked again with other numbers it is the same question."""
    found: dict[tuple[str, str], list[Answer]] = {}
    for answer in answers:
        found.setdefault((answer.page, answer.name), []).append(answer)
    return list(found.values())


def summary(answers: Sequence[Answer], titles: Mapping[str, str]) -> str:
    """Return the answers as plain text, lesson by lesson; `titles` maps each page to its title, in order.

    Only the first answer to a question counts for the score.
    """
    questions = attempts(answers)
    correct = sum(given[0].correct for given in questions)
    score = f"{pluralize(len(questions), 'question')} answered, {correct} {FIRST_ATTEMPT}."
    lines = ["Predictions in Embedding Lab", "", score]
    for page, title in titles.items():
        on_page = [given for given in questions if given[0].page == page]
        correct = sum(given[0].correct for given in on_page)
        if on_page:
            lines += ["", f"{title}: {correct} of {len(on_page)} {FIRST_ATTEMPT}", ""]
        for given in on_page:
            for prompt, answers_to_it in groupby(given, key=lambda answer: answer.question):
                lines.append(f"- {_line(prompt)}")
                lines += [f"  - {_graded(answer)}" for answer in answers_to_it]
    misconceptions = Counter(answer.misconception for answer in answers if not answer.correct)
    if misconceptions:
        lines += ["", "Misconceptions", ""]
        lines += [f"- {_line(name)}: {TIMES.get(n, f'{n} times')}" for name, n in misconceptions.most_common()]
    return "\n".join(lines)


def _line(text: str) -> str:
    return show_hidden(" ".join(text.split()))


def _graded(answer: Answer) -> str:
    if answer.correct:
        return f"correct: {_line(answer.chosen)}"
    return f"wrong: {_line(answer.chosen)}; {_line(answer.feedback)}"
