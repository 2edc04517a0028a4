"""The values in the figure of an experiment: IDs, words or shapes, with what is invalid among them."""

from typing import NamedTuple

from components.base.learner_text import show_hidden
from components.failures.experiment import Outcome
from components.failures.views import shown_values

ROWS, COLUMNS = 3, 6  # shown
LEFT, WIDTH, TOP, PITCH, GAP = 284, 424, 58, 30, 5
RESULTS = ("sum", "share")  # rows that are no input
Rows = list[tuple[str, list[tuple[str, str]]]]


class Value(NamedTuple):
    """A value in the figure: its part, its middle and width, its text, its name, and the reason if it is invalid."""

    part: str
    x: float
    y: float
    width: float
    text: str
    name: str
    reason: str
    column: int


def placed_values(outcome: Outcome, masked: bool) -> tuple[str, list[Value], str]:
    """Return a heading, the values that fit, from the first invalid one unless it is masked, and where they begin."""
    rows = shown_values(outcome)
    is_grid = rows[0][0].split("[")[0] in ("ids", "sentence")
    longest = max(len(cells) for _, cells in rows)
    top, left = (0, 0) if masked else _first(rows, longest)
    names = 0 if is_grid else min(240, 10 + max(10 * len(name) for name, _ in rows))
    width = (WIDTH - names) // COLUMNS if is_grid else 150 if longest < 3 else 112
    shown = [
        Value(
            f"value-{row}-{column}",
            LEFT + names + (column - left) * width + (width - GAP) / 2,
            TOP + PITCH * (row - top),
            width - GAP,
            "?" if masked and name in RESULTS else show_hidden(text),
            _element(name, column) if is_grid else name,
            "" if masked else reason,
            column,
        )
        for row, (name, cells) in list(enumerate(rows))[top : top + ROWS]
        for column, (text, reason) in list(enumerate(cells))[left : left + COLUMNS]
        if text
    ]
    cut = f"from {shown[0].name} on" if shown and (longest > COLUMNS or len(rows) > ROWS) else ""
    return _title(outcome, rows, longest) if is_grid else "shapes" if longest > 2 else "values", shown, cut


def _first(rows: Rows, longest: int) -> tuple[int, int]:
    """Return the first row and the first column that are shown, so that the first invalid value is among them."""
    invalid = [(r, c) for r, (_, cells) in enumerate(rows) for c, (_, reason) in enumerate(cells) if reason]
    row, column = invalid[0] if invalid else (0, 0)
    top = min(row, len(rows) - ROWS) if row >= ROWS else 0
    return top, min(column, longest - COLUMNS) if column >= COLUMNS else 0


def _element(row: str, column: int) -> str:
    """Return the name of an element of a row: "ids[0, 1, 2]" in "ids[0][1]"."""
    return f"{row[:-1].replace('][', ', ')}, {column}]" if row.endswith("]") else f"{row}[{column}]"


def _title(outcome: Outcome, rows: Rows, longest: int) -> str:
    """Return the name of the IDs or words with their shape, if they have one."""
    (name, *indices), tensor = rows[0][0].split("["), outcome.run.variables.get("ids")
    if hasattr(tensor, "shape"):
        return f"{name} {list(tensor.shape)}"
    is_ragged = len({len(cells) for _, cells in rows}) > 1
    return name if is_ragged or len(indices) > 1 else f"{name} {[len(rows)] * len(indices) + [longest]}"
