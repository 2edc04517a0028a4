"""The figure of the lesson on errors: the catalogue, what the program works on, both tables, and what was raised."""

import json
from collections.abc import Mapping
from textwrap import wrap
from typing import Any

from components.failures.catalogue import FAILURES, GROUPS, Outcome
from components.failures.views import table_lookups
from components.figures.drawing import Figure, draw
from components.lessons.errors.figure_tables import strip
from components.lessons.errors.figure_values import LEFT, WIDTH, placed_values

HEIGHT = 388
CARD, CARD_GAP = 26, 3  # pitch of the cards
MESSAGE, MEMBER = 20, 21  # height of the message in the open card, and pitch of its experiments
STRIP_PITCH, CODE_PITCH, CODE_END = 46, 18, 234
MESSAGE_LINES, MESSAGE_CHARS, SENTENCE_CHARS = 3, 60, 74


def errors_figure(outcome: Outcome, chosen: str, first_choices: Mapping[str, Any], masked: bool) -> Figure:
    """Return the figure of one experiment's outcome; a card chooses another one, with `first_choices`.

    What was raised, and by what, is masked until the learner has predicted it.
    """
    title, values, cut = placed_values(outcome, masked)
    lookups = table_lookups(outcome)
    bottom = max((value.y for value in values), default=60) + 14
    strips = [strip(lookup, values, bottom + 22 + STRIP_PITCH * n, masked) for n, lookup in enumerate(lookups)]
    run, invalid_values = outcome.run, outcome.case.invalid_values
    code = code_lines(run.code, bottom + 26 + STRIP_PITCH * len(strips))
    raised = run.raised.strip() or "No exception is raised."
    lines = wrap(raised, MESSAGE_CHARS, max_lines=MESSAGE_LINES, placeholder="…")
    causes = [str(invalid) for invalid in invalid_values[:2]]
    if run.exception and causes and str(invalid_values[0].value) not in run.message:
        causes[0] = f"Not in the message: {causes[0]}"
    drawing = draw(
        "lessons/errors/figure.svg.j2",
        cards=cards(chosen, first_choices),
        raised_name="exception: ?" if masked else run.exception or "no error",
        message="message: ?" if masked else next(iter(run.message.strip().splitlines()), "no message"),
        chosen=chosen,
        title=title,
        cut=cut,
        last_line="" if code else plain_lines(run.code)[-1].removeprefix("result = "),
        values=values,
        strips=strips,
        raised=lines,
        exception=bool(run.exception),
        where=f"raised by {run.failed} in line {run.line}" if run.exception else result_shape(run.result),
        causes=[line for cause in causes for line in wrap(cause, SENTENCE_CHARS)][: 1 + (len(lines) < MESSAGE_LINES)],
        code=code,
        masked=masked,
        left=LEFT,
        width=WIDTH,
        member_height=MEMBER,
        height=HEIGHT,
    )
    reading = f"{FAILURES[chosen].title}: {title}, " + ", ".join(f"{value.name} = {value.text}" for value in values)
    for lookup in lookups:
        reading += f". {lookup.table} {list(lookup.shape)}"
    if not masked:
        reading += f". {raised.removesuffix('.')}. {'; '.join(causes)}"
    return Figure(drawing, f"{reading}.", HEIGHT, lit=f"case-{chosen}")


def code_lines(code: str, first: float) -> list[tuple[float, str]]:
    """Return the last lines of a program that fit from `first` on, each with its middle."""
    lines = plain_lines(code)
    n_lines = max(0, int((CODE_END + CODE_PITCH - first) // CODE_PITCH))
    return [(first + CODE_PITCH * n, line) for n, line in enumerate(lines[-n_lines:] if n_lines else [])]


def plain_lines(code: str) -> list[str]:
    """Return the lines of an experiment without imports; those in its `try` as if they were outside of it.

    >>> plain_lines("a = 1\\n\\nimport json\\n\\ntry:\\n    b = a\\n    print(b)\\nexcept KeyError:\\n    print(a)")
    ['a = 1', 'b = a']
    """
    before, _, tried = code.rpartition("\ntry:\n")
    lines = [line for line in before.splitlines() if line and not line.startswith(("import ", "from "))]
    print_and_except = 3  # lines
    return lines + [line.removeprefix("    ") for line in tried.splitlines()[:-print_and_except]]


def cards(chosen: str, first_choices: Mapping[str, Any]) -> list[dict]:
    """Return the cards of the catalogue from top to bottom; that of the chosen experiment is open."""
    found, y = [], 1
    for title, group in GROUPS.items():
        names = [experiment.name for experiment in group]
        is_open = chosen in names
        members = names if is_open and len(names) > 1 else []
        height = CARD - CARD_GAP + (MESSAGE + MEMBER * len(members) if is_open else 0)
        found.append(
            {
                "y": y,
                "height": height,
                "title": title,
                "open": is_open,
                "members": [
                    card(name, first_choices) | {"y": y + CARD + MESSAGE + 6 + MEMBER * n}
                    for n, name in enumerate(members)
                ],
                **card(chosen if is_open else names[0], first_choices),
            }
        )
        y += height + CARD_GAP
    return found


def card(name: str, first_choices: Mapping[str, Any]) -> dict[str, Any]:
    """Return the name of an experiment, its title, and the choices that select it."""
    choices = json.dumps({"experiment": name, **first_choices})
    return {"experiment": name, "label": FAILURES[name].title, "choose": choices}


def result_shape(result: Any) -> str:
    """Return the shape of the result of a program that raises nothing, or the result if it has none.

    >>> result_shape("Hi")
    "The result is 'Hi'."
    """
    return (
        f"The result has the shape {list(result.shape)}." if hasattr(result, "shape") else f"The result is {result!r}."
    )
