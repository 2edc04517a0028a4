"""The figure of the lesson on one-hot vectors: one-hot matrix times table, or the same rows by a lookup."""

from collections.abc import Sequence
from itertools import pairwise

import torch
from torch import Tensor

from components.base.text_format import pluralize
from components.embedding.one_hot import costs, one_hot_matrix
from components.figures.cells import factor
from components.figures.columns import Column, columns, in_words, pager, shown_columns, wider_by
from components.figures.drawing import Figure, draw
from components.figures.sizes import CELL_HEIGHT, ROW_PITCH

TOP = 80
MAX_ROWS = 8  # of the table
COLUMNS = 3  # of the table
TERMS = 3  # of a dot product
NARROW, BELOW = 424, 24  # of a narrow screen, and from a panel to the heading of the next
LEFT, WIDTH = 101, 312  # of the one-hot vectors
DIGIT = 7  # width of a digit of an index


def one_hot_figure(
    ids: Tensor,
    names: Sequence[str],
    shown: range,
    table: Tensor,
    way: str,
    masked: bool,
    first_column: int,
    extra: int = 0,
) -> Figure:
    """Return the figure of the `shown` ones of IDs [n], with the names of their tokens, and the table [V, D].

    `way` is "product" or "lookup"; the number of multiplications is masked until the learner has predicted it.
    Table and result have `extra` columns more than usually, if there are as many.
    """
    (V, D), n = table.shape, len(ids)
    ids = ids[shown.start : shown.stop]
    flat = ids.tolist()
    columns_shown, indices = shown_columns(D, first_column, COLUMNS + extra), rows_to_show(flat, V)
    wider = wider_by(columns_shown, COLUMNS)
    part = table.index_select(1, torch.tensor(columns_shown))  # [V, columns]; faster than table[:, columns]
    result = one_hot_matrix(ids, part) @ part if way == "product" else part[ids]  # [n, columns]
    height = ROW_PITCH * (max(len(flat), len(indices)) - 1) + CELL_HEIGHT

    def cells(vector: Tensor) -> list[Column]:
        return columns(columns_shown, dict(zip(columns_shown, vector.tolist(), strict=True)))

    rows = [row | {"cells": cells(part[row["id"]])} for row in table_rows(indices, flat, height)]
    tokens = []
    for t, (text, i) in enumerate(zip(names, flat, strict=True)):
        selects = f"the 1 is in column {i}, which selects row {i}" if way == "product" else f"row {i}"
        token = {"text": text, "y": middle(t, len(flat), height), "row": rows[indices.index(i)]}
        token |= {"cells": cells(result[t]), "sums": [terms(indices, i, column) for column in part[indices].T.tolist()]}
        tokens.append(token | {"name": f"{text}, ID {i}: {selects} of the table, {in_words(token['cells'])}"})
    multiplications = costs(n, V, D).multiplications
    drawing = draw(
        "lessons/one_hot/figure.svg.j2",
        way=way,
        tokens=tokens,
        rows=rows,
        more=V - min(TERMS, len(rows)),
        shape=(n, V, D),
        top=TOP,
        wider=wider,
        left=LEFT,
        width=WIDTH,
        height=height,
        masked=masked,
        multiplications=multiplications,
        copied=n * D,
        down=height + TOP + BELOW,
        of_tokens=pager("one_hot_token", shown, n, "tokens"),
        of_columns=pager("one_hot_column", columns_shown, D, "columns"),
        first_row=shown.start,
    )
    how = f"One-hot vectors [{n}, {V}] times the table [{V}, {D}]" if way == "product" else "A lookup"
    cut = f" Tokens {shown.start:,} to {shown.stop - 1:,} of {n:,}." if len(flat) < n else ""
    count = "" if masked else f" Multiplications: {multiplications if way == 'product' else 0:,}."
    reading = f"{how}: {pluralize(n, 'row')} of {pluralize(D, 'number')}.{cut}{count} "
    reading += "; ".join(token["name"] for token in tokens)
    lit = next((t for t, row in enumerate(flat) if flat.count(row) > 1), 0)
    size = {"width": Figure.width + 2 * wider, "height": TOP + height + 74}
    size |= {"narrow": (NARROW, 2 * (TOP + height) + BELOW + 192)}
    return Figure(drawing, reading, **size, lit=str(lit), columns=columns_shown, column=columns_shown[0])


def rows_to_show(ids: Sequence[int], V: int) -> list[int]:
    """Return the rows of the table to show: those in use, and as many of the last and the first as fit."""
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
    return TOP + (height - ROW_PITCH * (count - 1)) / 2 + ROW_PITCH * index


def terms(indices: list[int], row: int, column: Sequence[float]) -> list[tuple[int, str]]:
    """Return up to three terms of the product of a one-hot vector and a column: that of `row`, and those beside it.

    >>> terms([0, 13, 262, 50256], 262, [0.5, -1.0, 2.0, 0.0])
    [(0, '(−1.00)'), (1, '2.00'), (0, '0.00')]
    """
    first = max(0, min(indices.index(row) - 1, len(indices) - TERMS))
    found = zip(indices[first : first + TERMS], column[first : first + TERMS], strict=True)
    return [(int(index == row), factor(value)) for index, value in found]
