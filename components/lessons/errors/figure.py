"""The figure of the lesson on errors: the catalogue, what the program works on, both tables, and what was raised."""

import json
from collections.abc import Mapping
from textwrap import wrap
from typing import Any

from components.failures.catalogue import FAILURES, Outcome
from components.failures.groups import GROUPS, NO_ERROR, group_of
from components.failures.views import table_lookups
from components.figures.drawing import Figure, draw
from components.lessons.errors.figure_tables import strip
from components.lessons.errors.figure_values import placed_values

HEIGHT = 388
CARD, MEMBER = 26, 21  # pitch of the cards, and of the experiments in the open one
CODE_PITCH, CODE_END = 18, 234
MESSAGE_LINES, MESSAGE_CHARS, SENTENCE_CHARS = 3, 60, 74


def errors_figure(outcome: Outcome, chosen: str, first_choices: Mapping[str, Any], masked: bool) -> Figure:
    """Return the figure of one experiment's outcome; a card chooses another one, with `first_choices`.

    What was raised, and by what, is masked until the learner has predicted it.
    """
    title, values, cut = placed_values(outcome, masked)
    lookups = table_lookups(outcome)
    bottom = max((value.y for value in values), default=60) + 14
    strips = [strip(lookup, values, bottom + 22 + 46 * n, masked) for n, lookup in enumerate(lookups)]
    code = code_lines(outcome.code, bottom + 26 + 46 * len(strips))
    raised = wrap(outcome.run.raised.strip() or "No exception is raised.", MESSAGE_CHARS)
    if len(raised) > MESSAGE_LINES:
        raised = [*raised[: MESSAGE_LINES - 1], raised[MESSAGE_LINES - 1][: MESSAGE_CHARS - 1] + "…"]
    causes = [str(invalid) for invalid in outcome.invalid_values[:2]]
    if outcome.exception and causes and not any(str(v.value) in outcome.message for v in outcome.invalid_values[:1]):
        causes[0] = f"Not in the message: {causes[0]}"
    drawing = draw(
        "lessons/errors/figure.svg.j2",
        cards=cards(outcome, chosen, first_choices, masked),
        chosen=chosen,
        title=title,
        cut=cut,
        last_line="" if code else outcome.code.splitlines()[-1],
        values=values,
        strips=strips,
        raised=raised,
        exception=bool(outcome.exception),
        where=f"raised by {outcome.failed} in line {outcome.run.line}" if outcome.exception else result_shape(outcome),
        causes=[line for cause in causes for line in wrap(cause, SENTENCE_CHARS)][: 1 + (len(raised) < MESSAGE_LINES)],
        code=code,
        masked=masked,
        height=HEIGHT,
    )
    reading = f"{FAILURES[chosen].title}: {title}, " + ", ".join(f"{value.name} = {value.text}" for value in values)
    for lookup in lookups:
        reading += f". {lookup.table} {list(lookup.shape)}"
    if not masked:
        reading += f". {outcome.run.raised.strip() or 'No exception is raised'}. {'; '.join(causes)}"
    return Figure(drawing, f"{reading}.", HEIGHT, lit=f"case-{chosen}")


def code_lines(code: str, first: float) -> list[tuple[float, str]]:
    """Return the last lines of a program that fit from `first` on, each with its middle.

    >>> code_lines("import torch\\n\\na = 1\\nb = a\\n", 210)
    [(210, 'a = 1'), (228, 'b = a')]
    """
    lines = code.rstrip().rsplit("\n\n", 1)[-1].splitlines()
    n_lines = max(0, int((CODE_END + CODE_PITCH - first) // CODE_PITCH))
    return [(first + CODE_PITCH * n, line) for n, line in enumerate(lines[-n_lines:] if n_lines else [])]


def cards(outcome: Outcome, chosen: str, first_choices: Mapping[str, Any], masked: bool) -> list[dict]:
    """Return the cards of the catalogue from top to bottom; that of the chosen experiment is open."""
    found, y, opened = [], 1, group_of(chosen)
    for group in GROUPS:
        members = group.experiments if len(group.experiments) > 1 and group == opened else ()
        height = CARD - 3 + (20 + MEMBER * len(members) if group == opened else 0)
        exception = group.exception
        if group == opened:
            exception = outcome.exception.__name__ if outcome.exception else NO_ERROR
        found.append(
            {
                "y": y,
                "height": height,
                "title": group.title,
                "exception": exception if group == opened and not masked else "?",
                "open": group == opened,
                "message": "?" if masked else outcome.message.strip().splitlines()[0] if outcome.message else NO_ERROR,
                "members": [card(name, first_choices) for name in members],
                **card(chosen if group == opened else group.experiments[0], first_choices),
            }
        )
        y += height + 3
    return found


def card(name: str, first_choices: Mapping[str, Any]) -> dict[str, str]:
    """Return the name of an experiment, its title, and the choices that select it."""
    choices = json.dumps({"experiment": name, **first_choices})
    return {"experiment": name, "label": FAILURES[name].title, "choose": choices}


def result_shape(outcome: Outcome) -> str:
    """Return the shape or the type of the result of a program that raises nothing.

    >>> from components.failures.catalogue import run_failure
    >>> result_shape(run_failure("silent_pairs")), result_shape(run_failure("half_character"))
    ('The result has the shape [4, 4, 3].', "The result is '\\ufffd'.")
    """
    result = outcome.result
    return (
        f"The result has the shape {list(result.shape)}." if hasattr(result, "shape") else f"The result is {result!r}."
    )
