"""The result of a question: both votes, as HTML in which all text is escaped, and as a file."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from markupsafe import Markup

from components.base.text_format import pluralize
from components.questions.quiz import Option, Question

NAMES = {1: "first vote", 2: "second vote"}
MISTAKES_SHOWN = 2  # of equally frequent ones
# Crouch and Mazur (2001): a second vote teaches most if this share of the first was correct.
AGAIN_FROM, AGAIN_TO = 0.3, 0.7
Counts = Mapping[int, Sequence[int]]


def results_html(question: Question, counts: Counts, own: Mapping[int, int]) -> Markup:
    """Return the votes for each option in each round, with the correct answer and the own one marked."""
    rounds = sorted(counts) or [1]
    rows = Markup().join(
        Markup('<div class="option{}"><div>{}</div><div>{}</div></div>').format(
            "" if option.misconception else " right",
            _words(option, {round_ for round_, chosen in own.items() if chosen == number}, len(rounds)),
            Markup().join(_bar(number, round_, counts.get(round_, []), len(rounds)) for round_ in rounds),
        )
        for number, option in enumerate(question.options)
    )
    return Markup('<div class="room-results">{}</div>').format(rows)


def _words(option: Option, chosen_in: set[int], rounds: int) -> Markup:
    marks = [] if option.misconception else ["✓ Correct answer"]
    if chosen_in:
        which = "" if rounds == 1 or len(chosen_in) == rounds else f", {NAMES[min(chosen_in)]}"
        marks.append(f"● Your answer{which}")
    return Markup("{} {}").format(option.text, Markup(" ").join(Markup("<b>{}</b>").format(each) for each in marks))


def _bar(option: int, round_: int, votes: Sequence[int], rounds: int) -> Markup:
    count, total = (votes[option], sum(votes)) if votes else (0, 0)
    width = 100 * count / max(1, total)
    words = f"{NAMES[round_]}: " * (rounds > 1) + (f"{count} of {total}" if total else "no votes")
    bar = '<div class="bar"><i class="round{}" style="width:{:.0f}%"></i><span>{}</span></div>'
    return Markup(bar).format(round_, width, words)


def should_vote_again(question: Question, votes: Sequence[int]) -> bool:
    """Return whether a second vote is likely to teach most: if 30 to 70 % of the first are correct."""
    right = next(number for number, option in enumerate(question.options) if not option.misconception)
    return sum(votes) > 0 and AGAIN_FROM <= votes[right] / sum(votes) <= AGAIN_TO


class Mistake(NamedTuple):
    """A wrong option, and how many chose it of how many."""

    option: Option
    votes: int
    total: int


def most_frequent_mistakes(question: Question, counts: Counts) -> list[Mistake]:
    """Return the wrong option that most chose in the last vote, all of them if several have as many votes."""
    votes = counts[max(counts)] if counts else [0] * len(question.options)
    wrong = [Mistake(o, n, sum(votes)) for o, n in zip(question.options, votes, strict=True) if o.misconception]
    most = max(each.votes for each in wrong)
    return [each for each in wrong if each.votes == most > 0]


def debrief(question: Question, counts: Counts) -> list[str]:
    """Return texts for the discussion, of the question's own feedback: on one mistake, on two if as many made both, and
    the reason.
    """
    mistakes = most_frequent_mistakes(question, counts)
    which = "Most frequent wrong answer" if len(mistakes) == 1 else "One of the most frequent wrong answers"
    found = [
        f"{which} ({votes} of {pluralize(total, 'vote')}): {option.text}."
        + f" Common misconception: “{option.misconception}”." * (len(mistakes) == 1)  # two have less room
        + f" {option.feedback}"
        for option, votes, total in mistakes[:MISTAKES_SHOWN]
    ]
    return [*found, question.explanation]


def rows_of_file(number: int, lesson: str, question: Question, counts: Counts) -> list[dict[str, object]]:
    """Return the lines of a question in the file of counts: no persons are in it."""
    return [
        {
            "question": number,
            "lesson": lesson,
            "prompt": question.prompt,
            "answer": option.text,
            "correct": "" if option.misconception else "correct",
            "misconception": option.misconception,
            **{NAMES[round_]: counts[round_][index] if round_ in counts else "" for round_ in NAMES},
        }
        for index, option in enumerate(question.options)
    ]
