"""The figure of the lesson on the lookup: chips, the table as a strip, the rows in use, and their copies in order."""

from collections.abc import Sequence

from torch import Tensor

from components.base.text_format import pluralize
from components.figures.cells import number
from components.figures.columns import columns, shown_columns
from components.figures.drawing import Figure, draw

TOP, PITCH, CELL = 74, 30, 26
MAX_ROWS = 9


def lookup_figure(ids: Tensor, names: Sequence[str], table: Tensor, first: int, masked: bool) -> Figure:
    """Return the figure for IDs of any shape, the names of their tokens, and the table [V, D].

    `first` is the first column shown; the result is masked until the learner has predicted its shape.
    """
    V, D = table.shape
    flat = ids.flatten().tolist()[:MAX_ROWS]
    distinct = sorted(set(flat))
    shown = shown_columns(D, first)
    height = PITCH * len(flat) - PITCH + CELL
    middle = TOP + (height - PITCH * (len(distinct) - 1)) / 2
    rows = {
        row: {
            "id": row,
            "strip": TOP + 2 + (height - 4) * row / max(1, V - 1),
            "y": middle + PITCH * index,
            "cells": columns(shown, table[row].tolist()),
        }
        for index, row in enumerate(distinct)
    }

    def begins(row: int) -> str:
        return ", ".join(f"{number(value)} in column {index}" for index, _, value in rows[row]["cells"])

    tokens = [
        rows[row] | {"text": text, "name": f"{text}, ID {row}: row {row} of the table, {begins(row)}"}
        for text, row in zip(names, flat, strict=False)
    ]
    drawing = draw(
        "lessons/lookup/figure.svg.j2",
        tokens=tokens,
        rows=rows.values(),
        count=ids.numel(),
        height=height,
        masked=masked,
        last_row=V - 1,
        id_shape=list(ids.shape),
        table_shape=[V, D],
        result_shape=[*ids.shape, D],
    )
    cut = f" The first {len(flat)} of {pluralize(ids.numel(), 'ID')}." if ids.numel() > len(flat) else ""
    reading = (
        f"{pluralize(len(flat), 'ID')} select {pluralize(len(distinct), 'row')} of the table, which has {V:,} rows and "
        f"{D:,} columns.{cut} " + "; ".join(f"{text} is row {row}" for text, row in zip(names, flat, strict=False))
    )
    lit = next((row for row in flat if flat.count(row) > 1), flat[0])
    return Figure(drawing, reading, TOP + height + 24, lit=str(lit), columns=shown, column=shown[0])
