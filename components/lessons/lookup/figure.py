"""The figure of the lesson on the lookup: chips, the table as a strip, the rows in use, and their copies in order."""

from collections.abc import Sequence

from torch import Tensor

from components.base.limits import MAX_TABLE_CELLS
from components.base.text_format import pluralize
from components.figures.columns import SHOWN, columns, in_words, pager, shown_columns, wider_by
from components.figures.drawing import Figure, draw
from components.figures.sizes import CELL_HEIGHT, ROW_PITCH

TOP = 74
MAX_TOKENS = 9
LOWEST = 116  # units of the mask, for its text
BELOW, NARROW = 24, 424


def lookup_figure(
    ids: Tensor,
    names: Sequence[str],
    shown: range,
    table: Tensor,
    first_column: int,
    masked: bool,
    full: float,
    extra: int = 0,
) -> Figure:
    """Return the figure of the `shown` ones of IDs of any shape, with the names of their tokens, and the table [V, D].

    The result is masked until the learner has predicted its shape. Numbers from `full` on have the full color.
    Both blocks have `extra` columns more than usually, if there are as many.
    """
    (V, D), count = table.shape, ids.numel()
    flat = ids.flatten()[shown.start : shown.stop].tolist()
    distinct = sorted(set(flat))
    shown_of_D = shown_columns(D, first_column, SHOWN + extra)
    wider = wider_by(shown_of_D)
    height = ROW_PITCH * (len(flat) - 1) + CELL_HEIGHT
    middle = TOP + (height - ROW_PITCH * (len(distinct) - 1)) / 2
    rows = {
        row: {
            "id": row,
            "strip": TOP + 2 + (height - 4) * row / max(1, V - 1),
            "y": middle + ROW_PITCH * index,
            "cells": columns(shown_of_D, table[row].tolist()),
        }
        for index, row in enumerate(distinct)
    }
    tokens = [
        rows[row] | {"text": text, "name": f"{text}, ID {row}: row {row} of the table, {in_words(rows[row]['cells'])}"}
        for text, row in zip(names, flat, strict=True)
    ]
    cut = f" IDs {shown.start:,} to {shown.stop - 1:,} of {count:,}." if len(flat) < count else ""
    drawing = draw(
        "lessons/lookup/figure.svg.j2",
        tokens=tokens,
        rows=rows.values(),
        count=count,
        top=TOP,
        wider=wider,
        height=height,
        masked=masked,
        mask_height=max(height, LOWEST),
        down=TOP + height + BELOW,
        last_row=V - 1,
        full=full,
        turn=pager("column", shown_of_D, D, "columns", f"{D:,} columns") if V * D > MAX_TABLE_CELLS else None,
        id_shape=list(ids.shape),
        table_shape=[V, D],
        result_shape=[*ids.shape, D],
        pages=pager("lookup_token", shown, count, "tokens", f"{shown.start:,} to {shown.stop - 1:,}"),
    )
    select = f"The {len(flat)} IDs shown select" if len(flat) > 1 else "The ID shown selects"
    reading = (
        f"{select} {pluralize(len(distinct), 'row')} of the table, which has {pluralize(V, 'row')} and "
        f"{pluralize(D, 'column')}.{cut} " + "; ".join(token["name"] for token in tokens)
    )
    lit = next((row for row in flat if flat.count(row) > 1), flat[0])
    lowest = TOP + max(height, LOWEST) + BELOW
    size = {"width": Figure.width + 2 * wider, "height": lowest, "narrow": (NARROW, TOP + height + BELOW + lowest)}
    return Figure(drawing, reading, **size, lit=str(lit), columns=shown_of_D, column=shown_of_D[0])
