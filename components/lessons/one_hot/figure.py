"""The figure of the lesson on one-hot vectors: one-hot matrix times table, or the same rows by a lookup."""

from collections.abc import Sequence
from itertools import pairwise

from torch import Tensor
from torch.nn import functional as F

from components.base.text_format import pluralize
from components.embedding.one_hot import costs, one_hot_matrix
from components.figures.cells import number
from components.figures.columns import Column, columns, shown_columns
from components.figures.drawing import Figure, draw

TOP, PITCH, CELL = 80, 30, 26
MAX_ROWS = 8  # tokens, and rows of the table
COLUMNS = 3  # of the table
TERMS = 3  # of a dot product
LEFT, WIDTH = 101, 312  # of the one-hot vectors
DIGIT = 7  # width of a digit of an index


def one_hot_figure(ids: Tensor, names: Sequence[str], table: Tensor, way: str, masked: bool, first: int = 0) -> Figure:
    """Return the figure for IDs [N], the names of their tokens, and the table [V, D].

    `way` is "product" or "lookup", `first` the first column shown; the number of multiplications is masked until the
    learner has predicted it.
    """
    (V, D), N = table.shape, len(ids)
    flat = ids[:MAX_ROWS].tolist()
    shown, indices = shown_columns(D, first, COLUMNS), shown_rows(flat, V)
    part = table[:, shown]  # [V, columns]
    height = PITCH * max(len(flat), len(indices)) - PITCH + CELL
    rows = table_rows(indices, flat, height)
    for row, vector in zip(rows, part[indices].tolist(), strict=True):
        row["cells"] = columns(shown, dict(zip(shown, vector, strict=True)))
    tokens = []
    for t, vector in enumerate(result(ids[:MAX_ROWS], part, way).tolist()):
        cells = columns(shown, dict(zip(shown, vector, strict=True)))
        row = rows[indices.index(flat[t])]
        tokens.append(
            {
                "text": names[t],
                "name": accessible_name(names[t], flat[t], cells, way),
                "y": middle(t, len(flat), height),
                "row": row,
                "cells": cells,
                "sums": [terms(indices, row["id"], column) for column in part[indices].T.tolist()],
            }
        )
    multiplications = costs(N, V, D).multiplications
    drawing = draw(
        "lessons/one_hot/figure.svg.j2",
        way=way,
        tokens=tokens,
        rows=rows,
        more=V - min(TERMS, len(rows)),
        shape=(N, V, D),
        top=TOP,
        height=height,
        masked=masked,
        multiplications=multiplications,
        copied=N * D,
        moves=moves(shown, D),
    )
    how = f"One-hot vectors [{N}, {V}] times the table [{V}, {D}]" if way == "product" else "A lookup"
    cut = f" The first {len(flat)} of {pluralize(N, 'token')}." if len(flat) < N else ""
    count = "" if masked else f" Multiplications: {multiplications if way == 'product' else 0:,}."
    reading = f"{how}: {pluralize(N, 'row')} of {pluralize(D, 'number')}.{cut}{count} "
    reading += "; ".join(token["name"] for token in tokens)
    lit = next((t for t, row in enumerate(flat) if flat.count(row) > 1), 0)
    return Figure(drawing, reading, TOP + height + 74, lit=str(lit), columns=shown, column=shown[0])


def moves(shown: Sequence[int], D: int) -> list[tuple[str, str, int, int]]:
    """Return the buttons that move the columns: sign, accessible name, position, and the first column that they show.

    >>> moves([0, 1, 15], 16), moves([0, 1], 2)
    ([('›', 'Later columns', 657, 2)], [])
    """
    first, last = shown[0], D - len(shown)
    earlier = ("‹", "Earlier columns", 503, max(0, first - COLUMNS + 1))
    later = ("›", "Later columns", 657, min(last, first + COLUMNS - 1))
    return [move for move, possible in ((earlier, first > 0), (later, first < last)) if possible]


def accessible_name(text: str, row: int, cells: Sequence[Column], way: str) -> str:
    """Return what a token selects, with the numbers that the figure shows of it.

    >>> accessible_name("the", 262, columns([0], [1.125]), "lookup")
    'the, ID 262: row 262 of the table, 1.12 in column 0'
    """
    selects = f"the 1 is in column {row}, which selects row {row}" if way == "product" else f"row {row}"
    begins = ", ".join(f"{number(value)} in column {index}" for index, _, value in cells)
    return f"{text}, ID {row}: {selects} of the table, {begins}"


def result(ids: Tensor, table: Tensor, way: str) -> Tensor:
    """Return the rows of a table [V, columns] for IDs [N], by the way that the figure shows."""
    return one_hot_matrix(ids, table) @ table if way == "product" else F.embedding(ids, table)


def shown_rows(ids: Sequence[int], V: int) -> list[int]:
    """Return the rows of the table to show: those in use, and as many of the last and the first as there is room for.

    >>> shown_rows([262, 13, 262], 50_257), shown_rows([2, 3], 4)
    ([0, 13, 262, 50256], [0, 1, 2, 3])
    """
    rows = set(ids)
    others = range(V) if V <= MAX_ROWS else (V - 1, 0)
    rows.update([row for row in others if row not in rows][: MAX_ROWS - len(rows)])
    return sorted(rows)


def table_rows(indices: list[int], ids: list[int], height: float) -> list[dict]:
    """Return where each row of the table is drawn, and its column of the one-hot vectors; some labels are raised."""
    pitch = WIDTH / len(indices)
    raised = [False]
    for left, right in pairwise(map(str, indices)):
        raised.append(not raised[-1] and DIGIT * (len(left) + len(right)) / 2 > pitch - 5)
    return [
        {
            "id": row,
            "x": LEFT + pitch * (n + 0.5),
            "y": middle(n, len(indices), height),
            "raised": raised[n],
            # Where zeros are left out: before this column of the one-hot vectors.
            "cut": LEFT + pitch * n if row > (indices[n - 1] + 1 if n else 0) else None,
            "parts": " ".join(str(t) for t, each in enumerate(ids) if each == row) or None,
        }
        for n, row in enumerate(indices)
    ]


def middle(index: int, count: int, height: float) -> float:
    """Return the middle of one of `count` rows that are centered in the height of the figure's blocks.

    >>> middle(0, 8, 236), middle(0, 1, 86)
    (93.0, 123.0)
    """
    return TOP + (height - PITCH * (count - 1)) / 2 + PITCH * index


def terms(indices: list[int], row: int, column: Sequence[float]) -> list[tuple[int, str]]:
    """Return up to three terms of the product of a one-hot vector and a column: that of `row`, and those beside it.

    >>> terms([0, 13, 262, 50256], 262, [0.5, -1.0, 2.0, 0.0])
    [(0, '(−1.00)'), (1, '2.00'), (0, '0.00')]
    """
    first = max(0, min(indices.index(row) - 1, len(indices) - TERMS))
    found = zip(indices[first : first + TERMS], column[first : first + TERMS], strict=True)
    return [(int(index == row), f"({number(value)})" if value < 0 else number(value)) for index, value in found]
