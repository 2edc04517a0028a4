"""The figure of the lesson on errors: the catalogue, what the program works on, both tables, and what was raised."""

import json
import re
from collections.abc import Sequence
from itertools import dropwhile, groupby
from textwrap import wrap
from typing import Any

from components.failures.cases import row_range
from components.failures.catalogue import FAILURES, GROUPS
from components.failures.experiment import Outcome
from components.failures.views import TableLookup, format_result, table_lookups
from components.figures.cells import fit, text_columns, text_width
from components.figures.drawing import Figure, draw
from components.lessons.errors.choices import FIRST_SIZES
from components.lessons.errors.figure_values import LEFT, Value, placed_values

HEIGHT = 388
NARROW, NARROW_CHARS = 424, (48, 54)  # a narrow screen: its width, characters of a message and of a sentence in a line
WIDE, CODE_SIZES = 535, (14, 13)  # the width of the outcome on a wide screen, and the font sizes of code on both
STRIP_DOWN = 34  # there a table is below its name
CARD, CARD_GAP = 24, 1  # pitch of the cards
MEMBER = 26  # pitch of the experiments in the open card
STRIP_PITCH, CODE_PITCH, CAUSE_PITCH = 46, 18, 20
TOP, ABOVE, MASK_HEIGHT = 258, 24, 100  # of the outcome: usually, below the code, and at least while it is masked
MESSAGE_LINES, CODE_LINES, WIDE_CHARS = 3, 5, (60, 70)  # for so many there is room in any case
PADDING, WHERE, FIRST_CAUSE = 12, 24, 48  # of a message; below it until the end of its two next lines
NARROW_LINES = 9  # of code, at most
INDENT = 8 * " "  # of a line of code that is continued
STRIP_LEFT, STRIP_WIDTH, STRIP_END = 500, 240, 819  # of a table, and the right edge of the box for a row above it
STRIP_GAP, BELOW = 6, 47  # beside the table, and the width of the box for a negative row
MAX_CELLS = 14  # rows of a table that are drawn one by one


def errors_figure(outcome: Outcome, chosen: str, masked: bool) -> Figure:
    """Return the figure of one experiment's outcome; a card chooses another one, with the first sizes.

    What was raised, and by what, is masked until the learner has predicted it.
    """
    title, values, cut = placed_values(outcome, masked)
    lookups = table_lookups(outcome)
    bottom = max((value.y for value in values), default=60) + 14
    strips = [strip(lookup, values, bottom + 22 + STRIP_PITCH * n, masked) for n, lookup in enumerate(lookups)]
    run, invalid_values = outcome.run, outcome.invalid_values
    first = bottom + 26 + STRIP_PITCH * len(strips)
    all_code, all_narrow = (
        broken(plain_lines(run.code), width - 1, size) for width, size in zip((WIDE, NARROW), CODE_SIZES, strict=True)
    )
    narrow_code = ending(all_narrow, NARROW_LINES)
    least, narrow_top = (
        first + CODE_PITCH * (n - 1) + ABOVE for n in (min(len(all_code), CODE_LINES), len(narrow_code))
    )
    raised = run.raised.strip() or "No exception is raised."
    where = f"raised by {run.failed}"
    if not run.exception:
        shape = getattr(run.result, "shape", None)
        where = f"The result has the shape {list(shape)}." if shape else f"The result is {format_result(run.result)}."
    causes = [str(invalid) for invalid in invalid_values[:2]]
    value = invalid_values[0].value if run.exception and invalid_values else None
    # A message names the value, which is not part of another number or that of an argument, or its type.
    in_message = rf"(?<![#\d]){value}(?!\d)|list|(Tensor|Type) instead"
    if isinstance(value, int | float) and not re.search(in_message, run.message):
        causes[0] = f"Not in the message: {causes[0]}"
    most_lines = max(MESSAGE_LINES, int((HEIGHT - 2 - least - PADDING - FIRST_CAUSE) // CODE_PITCH))
    wide = wrapped(raised, where, causes, WIDE_CHARS, most_lines)
    narrow = wrapped(raised, where, causes, NARROW_CHARS, None)
    heights = [MASK_HEIGHT if masked else height_of(*each) for each in (wide, narrow)]
    room = HEIGHT - 2 - max(MASK_HEIGHT, height_of(*wide)) - ABOVE - first  # the same code before and after the answer
    code = ending(all_code, int(room // CODE_PITCH) + 1)
    top = min(max(TOP, first + CODE_PITCH * (len(code) - 1) + ABOVE), HEIGHT - 2 - heights[0])
    drawing = draw(
        "lessons/errors/figure.svg.j2",
        cards=cards(chosen),
        chosen=chosen,
        title=title,
        cut=cut,
        last_line=plain_lines(run.code)[-1].removeprefix("result = "),
        first=first,
        code_pitch=CODE_PITCH,
        cause_pitch=CAUSE_PITCH,
        code_sizes=CODE_SIZES,
        values=values,
        strips=strips,
        wide=wide,
        narrow=narrow,
        exception=bool(run.exception),
        code=code,
        narrow_code=narrow_code,
        cut_code=len(code) < len(all_code),
        cut_narrow_code=len(narrow_code) < len(all_narrow),
        masked=masked,
        left=LEFT,
        width=WIDE,
        narrow_width=NARROW,
        top=top,
        narrow_down=narrow_top - top,
        narrow_height=heights[1],
        strip_down=STRIP_DOWN,
        strip_left=1 + BELOW + STRIP_GAP,  # on a narrow screen
        member_height=MEMBER,
        height=HEIGHT,
    )
    named = [(name, [value.text for value in group]) for name, group in groupby(values, key=lambda value: value.name)]
    texts = [f"{name} [{', '.join(each)}]" if len(each) > 1 else f"{name} = {each[0]}" for name, each in named]
    parts = [f"{FAILURES[chosen].title}: {title}", *texts]
    sentences = [", ".join(parts), *(f"{lookup.table} {list(lookup.shape)}" for lookup in lookups)]
    if not masked:
        sentences += [raised.removesuffix("."), "; ".join(causes)]
    size = {"height": HEIGHT, "narrow": (NARROW, narrow_top + heights[1] + 2 + STRIP_DOWN * len(strips))}
    return Figure(drawing, f"{'. '.join(filter(None, sentences))}.", **size, lit=f"case-{chosen}")


def wrapped(
    raised: str, where: str, causes: Sequence[str], chars: tuple[int, int], most_lines: int | None
) -> tuple[list[str], ...]:
    """Return the lines of what was raised, of where, and of its causes, of so many characters; None: all lines."""
    lines = wrap(raised, in_line(raised, chars[0]), max_lines=most_lines, placeholder="…")
    found = [line for cause in causes for line in wrap(cause, in_line(cause, chars[1]))]
    if most_lines:
        found = found[: 1 + (len(lines) < MESSAGE_LINES)]
    return lines, wrap(where, in_line(where, chars[0])), found


def height_of(raised: Sequence[str], where: Sequence[str], causes: Sequence[str]) -> int:
    """Return the height of an outcome of so many lines."""
    code = PADDING + CODE_PITCH * (len(raised) + len(where) - 1)
    return code + (FIRST_CAUSE + CAUSE_PITCH * (len(causes) - 1) if causes else WHERE)


def in_line(text: str, chars: int) -> int:
    """Return how many characters of a text are as wide as so many Latin ones.

    >>> in_line("left", 60), in_line("她离开了", 60)
    (60, 30)
    """
    return chars * len(text) // max(1, text_columns(text))


def broken(lines: Sequence[str], width: float, size: float) -> list[str]:
    """Return lines of code of at most this width, if there are spaces to break them; a comment goes if it is too wide.

    >>> broken(["ids = [1, 2, 3]  # of tokens", "result = table(torch.tensor(ids))"], 110, 10)
    ['ids = [1, 2, 3]', 'result =', '        table(torch.tensor(ids))']
    >>> broken(["encode('well-known', 'unbelievably')"], 90, 10)
    ["encode('well-known',", "        'unbelievably')"]
    """
    found = []
    for line in lines:
        code = line if fit(line, width, size) == line else line.split("  #")[0]
        room = in_line(code, int(width / text_width("x", size)))
        found += wrap(code, room, subsequent_indent=INDENT, break_long_words=False, break_on_hyphens=False)
    return found


def ending(lines: Sequence[str], n: int) -> list[str]:
    """Return the last n lines of code, without the end of a line that begins before them.

    >>> ending(["ids = [1, 2, 3]", "result =", "        table(torch.tensor(ids))"], 1)
    []
    """
    return [*dropwhile(lambda line: line.startswith(INDENT), lines[max(0, len(lines) - max(0, n)) :])]


def plain_lines(code: str) -> list[str]:
    """Return the lines of an experiment without imports; those in its `try` as if they were outside of it."""
    before, _, tried = code.rpartition("\ntry:\n")
    lines = [line for line in before.splitlines() if line and not line.startswith(("import ", "from "))]
    print_and_except = 3  # lines
    return lines + [line.removeprefix("    ") for line in tried.splitlines()[:-print_and_except]]


def cards(chosen: str) -> list[dict]:
    found, y = [], 1
    for title, group in GROUPS.items():
        names = [experiment.name for experiment in group]
        is_open = chosen in names
        members = names if is_open and len(names) > 1 else []
        height = CARD - CARD_GAP + MEMBER * len(members)
        first = y + CARD - CARD_GAP + MEMBER / 2
        found.append(
            {
                "y": y,
                "height": height,
                "title": title,
                "open": is_open,
                "members": [card(name) | {"y": first + MEMBER * n} for n, name in enumerate(members)],
                **card(chosen if is_open else names[0]),
            }
        )
        y += height + CARD_GAP
    return found


def card(name: str) -> dict[str, str]:
    choices = json.dumps({"experiment": name, **FIRST_SIZES})
    return {"experiment": name, "label": FAILURES[name].title, "choose": choices}


def strip(lookup: TableLookup, values: Sequence[Value], y: float, masked: bool) -> dict[str, Any]:
    """Return a table as a strip: where its requested rows are, and the nearest ones below and above that it lacks."""
    n_rows, role = lookup.shape[0], lookup.table.removesuffix("_table")
    requested = [] if masked else lookup.rows
    one = STRIP_WIDTH / max(1, n_rows)
    drawn = range(n_rows) if n_rows <= MAX_CELLS and (masked or requested) else ()
    rows: dict[int, list[int]] = {}  # of a large table, those on the same pixel are drawn once
    for row in requested:
        if 0 <= row < n_rows:
            rows.setdefault(round(one * row), []).append(row)
    below, above = [row for row in requested if row < 0], [row for row in requested if row >= n_rows]
    strip_width = STRIP_WIDTH if n_rows else 0
    right = STRIP_LEFT + strip_width + STRIP_GAP
    boxes = [(row, STRIP_LEFT - BELOW - STRIP_GAP, BELOW) for row in below[-1:]]
    boxes += [(row, right, STRIP_END - right) for row in above[:1]]
    return {
        "x": STRIP_LEFT,
        "y": y,
        "width": strip_width,
        "role": role,
        "reached": masked or bool(requested),
        "range": row_range(n_rows),
        "cells": [(STRIP_LEFT + one * row, STRIP_LEFT + one * (row + 0.5), row) for row in drawn],
        "rows": [
            {
                "x": STRIP_LEFT + one * same[0],
                "width": max(2.0, one),
                "part": " ".join(value.part for row in same for value in requesting(row, role, values)),
            }
            for same in rows.values()
        ],
        "missing": [
            {"x": x, "width": width, "row": row, "from": next(iter(requesting(row, role, values)), None)}
            for row, x, width in boxes
        ],
    }


def requesting(row: int, role: str, values: Sequence[Value]) -> list[Value]:
    """Return the shown values that request a row of a table: an ID, or any value at that position; no size does."""
    found = [value for value in values if ".shape" not in value.name]
    return [value for value in found if (value.column == row if role == "position" else value.text == str(row))]
