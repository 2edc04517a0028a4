"""Predict, then reveal: questions about the learner's own numbers, with a known mistake behind each wrong answer."""

from collections.abc import Iterable
from dataclasses import dataclass
from importlib import import_module
from random import Random
from typing import Any, Protocol, runtime_checkable
from zlib import crc32

from components.core.check_summary import Answer as Answer
from components.core.check_summary import summary as summary
from components.core.kinds import quote
from components.core.link import State

# The lessons that ask, in the order of the journey; each has its questions in a module of its own.
PAGES = (
    "tokens",
    "windows",
    "lookup",
    "one_hot",
    "positions",
    "combine",
    "errors",
    "training",
    "word2vec",
    "reproduce",
)
FEWEST_OPTIONS, MOST_OPTIONS = 3, 4


@runtime_checkable
class Ids(Protocol):
    """Token IDs in order: a list, or an array of NumPy, which this module has no need to import."""

    def __len__(self) -> int: ...
    def __getitem__(self, place: Any) -> Any: ...


@dataclass(frozen=True)
class Option:
    """An answer to choose from; a wrong one carries the misconception behind it, the right one none."""

    text: str
    misconception: str = ""
    feedback: str = ""


@dataclass(frozen=True)
class Check:
    """One question about the learner's own numbers: exactly one option is right, and `why` says why."""

    name: str
    question: str
    options: tuple[Option, ...]
    why: str


@dataclass(frozen=True)
class Judgement:
    """Whether an answer is right, what is to be said about it, and the misconception behind a wrong one.

    What is said of a wrong answer begins with the right one, goes on with the misconception and ends with why.
    """

    right: bool
    feedback: str
    misconception: str


def checks(page: str, state: State, token_ids: Ids) -> list[Check]:
    """Return the questions of a page about this state; `token_ids` are those of its text, empty where there are none.

    >>> for check in checks("lookup", State(), range(21))[:2]:
    ...     print(check.question)
    IDs [2, 4] go into a table with V = 50,257 and D = 16. What shape comes out?
    A table has V = 50,257 rows of D = 16 numbers. A model looks up 21 tokens. How many rows has the table then?
    >>> checks("home", State(), [])
    []
    """
    if page not in PAGES:
        return []
    return import_module(f"components.core.check_{page}").questions(state, token_ids)


def judge(check: Check, chosen: str) -> Judgement:
    """Return what there is to say about an answer; raises ValueError, in a plain sentence, for one not offered.

    >>> check = checks("lookup", State(), range(21))[0]
    >>> judge(check, "[2, 4, 16]").right, judge(check, "[2, 4, 4]").misconception
    (True, 'D must equal T')
    >>> judge(check, "[2, 4, 4]").feedback[:63]
    'the answer is [2, 4, 16]. Perhaps you thought “D must equal T”?'
    """
    for option in check.options:
        if option.text == chosen and not option.misconception:
            return Judgement(True, check.why, "")
        if option.text == chosen:
            right = next(option.text for option in check.options if not option.misconception)
            named = f"“{right}”" if any(map(str.isalpha, right)) else right  # words stand apart from the sentence
            thought = f"Perhaps you thought “{option.misconception}”?"
            said = f"the answer is {named}. {thought} {option.feedback} {check.why}"
            return Judgement(False, said, option.misconception)
    raise ValueError(f"{quote(chosen)} is none of the {len(check.options)} answers offered: choose one of those.")


def ask(name: str, question: str, right: str, wrong: Iterable[Option], why: str) -> list[Check]:
    """Return a list of one check with the first of the wrong options that differ; of none where too few do.

    Numbers are put in order, other answers in an order that depends on the question alone.

    >>> wrong = [Option("4", "A", "No."), Option("5", "B", "No."), Option("3", "C", "No.")]
    >>> [option.text for option in ask("sum", "2 + 2?", "4", wrong, "So it is.")[0].options]
    ['3', '4', '5']
    """
    options = {right: Option(right)}
    for option in wrong:
        if len(options) < MOST_OPTIONS:
            options.setdefault(option.text, option)
    if len(options) < FEWEST_OPTIONS:
        return []
    try:
        ordered = sorted(options.values(), key=lambda option: float(option.text.replace(",", "")))
    except ValueError:
        ordered = sorted(
            options.values(), key=lambda option: crc32(f"{question}{option.text}".encode("utf-8", "replace"))
        )
    return [Check(name, question, tuple(ordered), why)]


def many(count: int, noun: str) -> str:
    """Return a count with its noun.

    >>> many(1, "row"), many(50_257, "row")
    ('1 row', '50,257 rows')
    """
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def dice(state: State, page: str) -> Random:
    """Return a source of choices for a page that depends on the learner's seed alone.

    >>> dice(State(), "tokens").random() == dice(State(text=""), "tokens").random()
    True
    """
    return Random(f"{page} {state.settings.seed}")
