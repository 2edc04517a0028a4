"""A learner's answers as a text to keep, or to hand in."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

PUNCTUATION = re.compile(r"[!-/:-@\[-`{-~]")
TIMES = {1: "once", 2: "twice"}


@dataclass(frozen=True)
class Answer:
    """An answer that was given: which question of which page, what was chosen, what that shows, and what was said."""

    page: str
    name: str
    question: str
    chosen: str
    right: bool
    misconception: str = ""
    feedback: str = ""


def escaped(text: str) -> str:
    """Return text on one line, every sign that Markdown might obey behind a backslash.

    >>> print(escaped("<b> *two*\\nlines"))
    \\<b\\> \\*two\\* lines
    """
    return PUNCTUATION.sub(r"\\\g<0>", " ".join(text.split()))


def summary(answers: Sequence[Answer], lessons: Mapping[str, str] | None = None) -> str:
    """Return the answers as a Markdown text to keep or to hand in, lesson by lesson.

    `lessons` has the title of each page, in order; other pages come after these, under their own names. The first
    answer to a question is the one that counts as its first try; with other numbers it is another question.

    >>> wrong = Answer("lookup", "shape", "What?", "7", False, "D is lost", "the answer is 3. D stays.")
    >>> right = Answer("tokens", "a", "So?", "1", True)
    >>> print(summary([wrong, right], {"tokens": "Tokens", "lookup": "Lookup"}))
    # Predictions in Embedding Lab
    <BLANKLINE>
    2 questions answered, 1 right at the first try.
    <BLANKLINE>
    ## Tokens: 1 of 1 right at the first try
    <BLANKLINE>
    - **So\\?**
      - right: 1
    <BLANKLINE>
    ## Lookup: 0 of 1 right at the first try
    <BLANKLINE>
    - **What\\?**
      - wrong: 7; the answer is 3\\. D stays\\.
    <BLANKLINE>
    ## Misconceptions met
    <BLANKLINE>
    - D is lost: once
    """
    titles = lessons or {}
    tries: dict[str, dict[tuple[str, str], list[Answer]]] = {page: {} for page in titles}
    for answer in answers:
        tries.setdefault(answer.page, {}).setdefault((answer.name, answer.question), []).append(answer)
    first = {page: [given[0].right for given in asked.values()] for page, asked in tries.items()}
    asked, right = sum(map(len, first.values())), sum(map(sum, first.values()))
    noun = "question" if asked == 1 else "questions"
    lines = ["# Predictions in Embedding Lab", "", f"{asked} {noun} answered, {right} right at the first try."]
    for page, questions in tries.items():
        if not questions:
            continue
        count = f"{sum(first[page])} of {len(first[page])} right at the first try"
        lines += ["", f"## {escaped(titles.get(page, page))}: {count}", ""]
        for (_, question), given in questions.items():
            lines.append(f"- **{escaped(question)}**")
            lines += [f"  - {_said(answer)}" for answer in given]
    met = Counter(answer.misconception for answer in answers if not answer.right)
    if met:
        lines += ["", "## Misconceptions met", ""]
        lines += [f"- {escaped(name)}: {TIMES.get(n, f'{n} times')}" for name, n in met.most_common()]
    return "\n".join(lines)


def _said(answer: Answer) -> str:
    if answer.right:
        return f"right: {escaped(answer.chosen)}"
    return f"wrong: {escaped(answer.chosen)}; {escaped(answer.feedback)}"
