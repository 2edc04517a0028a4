"""The figure of the lesson on the combined embedding: token + position = combined, block beside block."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from torch import Tensor

from components.base.text_format import pluralize
from components.figures.cells import FULL_COLOR, equals, number, printed
from components.figures.columns import SHOWN, columns, pager, shown_columns, shown_rows, wider_by
from components.figures.drawing import Figure, Slider, draw
from components.figures.sizes import CELL_WIDTH, COLUMN_GAP, COLUMN_PITCH

TOP, PITCH, TALLEST, LOWEST = 66, 46, 240, 120  # units: first row, from row to row, all rows at most and at least
ROW_GAP = 4
SHEETS = 2  # at most, behind the one in front
DIGITS = 4
LEFT = {"token": 124, "position": 377, "combined": 605}
NARROW, BELOW = 424, 36  # of a narrow screen: width, and from a block to the next heading
WIDEST = COLUMN_PITCH * (SHOWN - 1) + COLUMN_GAP + CELL_WIDTH  # block
SIGNS = {"token": "", "position": " + ", "combined": " ≈ "}  # before the rounded numbers of each block
# How many of the three blocks there are after each step; from the position embeddings on there are two.
BLOCKS = {"ids": 0, "token": 1, "scaled": 1, "combined": 3}


def element_sum(steps: Mapping[str, np.ndarray], b: int, t: int, d: int) -> dict[str, Any]:
    """Return name and number of each term of element [b, t, d] and of their sum, by role, and the sign between them.

    It is "=" if they add up although they are rounded, else "≈".
    """
    token, combined = (number(steps[role][b, t, d].item(), DIGITS) for role in ("token", "combined"))
    name, total = f"W[{steps['ids'][b, t]}, {d}]", printed(token)
    if "scaled" in steps:
        D = steps["token"].shape[-1]
        root = number(math.sqrt(D), DIGITS)
        name, token, total = f"{name} × √{D}", f"{token} × {root}", total * printed(root)
    terms = {"token": (name, token)}
    if "position" in steps:
        position = number(steps["position"][t, d].item(), DIGITS)
        terms["position"] = (f"P[{t}, {d}]", position)
        total += printed(position)
    terms["combined"] = (f"combined[{b}, {t}, {d}]", combined)
    return {"t": t, "d": d, "terms": terms, "sign": equals(total, combined)}


def combine_figure(
    steps: Mapping[str, Tensor],
    names: Sequence[str],
    at: Sequence[int],
    masked: bool = False,
    stage: str = "combined",
    full: float = FULL_COLOR,
    extra: int = 0,
) -> Figure:
    """Return the figure of sequence b with element [t, d] lit; `at` is [b, t, d], `names` are those of the shown rows.

    `steps` are those of `walk`, shown up to `stage`. The sum is masked until the learner has predicted its shape.
    The blocks have `extra` columns more than usually, if there are as many.
    """
    arrays = {role: each.numpy() for role, each in steps.items()}  # indexing a tensor takes ten times as long
    (b, t, d), (B, T), D = at, steps["ids"].shape, steps["token"].shape[-1]
    rows, shown = shown_rows(T, t), shown_columns(D, d, SHOWN + extra)
    wider = wider_by(shown)
    left = {role: each + wider * n for n, (role, each) in enumerate(LEFT.items())}
    pitch = min(PITCH, TALLEST // len(rows))
    rows_height = pitch * len(rows) - ROW_GAP
    height = max(LOWEST, rows_height)
    top_to_top = TOP + height + BELOW
    blocks = [_block(steps, role, b, rows, shown, stage) for role in list(LEFT)[: BLOCKS.get(stage, 2)]]
    is_sum, scaled = stage == "combined", "scaled" in steps and stage not in ("ids", "token")
    last = top_to_top + (top_to_top if "position" in steps else TOP)  # on a narrow screen, the block of the sums
    ids = steps["ids"][b, rows.start : rows.stop].tolist()
    tokens = [
        {"t": i, "id": token_id, "text": name}
        | {"name": f"{name}, ID {token_id}, position {i}{_in_words(blocks, i - rows.start, masked)}"}
        for i, name, token_id in zip(rows, names, ids, strict=True)
    ]
    drawing = draw(
        "lessons/combine/figure.svg.j2",
        blocks=blocks,
        tokens=tokens,
        sums=[element_sum(arrays, b, i, j) for i in rows for j in shown] if is_sum else [],
        left=left,
        down=top_to_top,
        last=last,
        axis=columns(shown, [0.0] * D),
        ids_shape=[B, T],
        b=b,
        top=TOP,
        pitch=pitch,
        cell=pitch - ROW_GAP,
        rows_height=rows_height,
        height=height,
        middle={role: each + (WIDEST + wider) // 2 for role, each in left.items()},
        id_width=math.ceil(8.5 * max(len(str(each)) for each in ids)),
        full=full * (math.sqrt(D) if scaled else 1.0),
        root=f" × √{D}" if scaled else "",
        masked=masked,
        pages=[pager("t", rows, T, "tokens", f"{T:,} tokens"), pager("d", shown, D, "columns", f"{D:,} columns")],
        is_sum=is_sum,
    )
    lit = element_sum(arrays, *at)
    (*summands, element), (*numbers, result) = zip(*lit["terms"].values(), strict=True)
    part = f"positions {rows.start} to {rows.stop - 1} of {T:,}" if T > 1 else "one position"
    column = "columns" if len(shown) > 1 else "column"
    reading = (
        f"Sequence {b} of {pluralize(B, 'sequence')}, {part}, {column} {', '.join(map(str, shown))} of {D:,}: "
        f"{', '.join(names)}. {' + '.join(summands)} = {element}: {' + '.join(numbers)}"
    )
    reading += "" if masked else f" {lit['sign']} {result}"
    return Figure(
        drawing,
        reading,
        TOP + height + (86 if is_sum else 26),
        width=Figure.width + 3 * wider,
        narrow=(NARROW, (last + top_to_top + 122 if is_sum else (len(blocks) or 1) * top_to_top)),
        lit=str(t),
        columns=shown,
        column=d,
        slider=Slider("b", "Sequence b", b, B - 1) if B > 1 and is_sum else None,
    )


def _block(steps: Mapping[str, Tensor], role: str, b: int, rows: range, shown: Sequence[int], stage: str) -> dict:
    """Return the block of tokens, positions or sums of sequence b as it is after the step `stage`.

    Without positions it has no shape and no rows; `behind` is the number of sheets behind the one in front.
    """
    name = stage if stage.startswith(role) else role
    if role == "token" and stage != "token" and "scaled" in steps:
        name = "scaled"
    block = {"role": role, "shape": [], "rows": [], "behind": 0}
    if name in steps:
        sheets = steps[name].reshape(-1, *steps[name].shape[-2:])  # [B, T, D]; [1, T, D] of position embeddings
        front = sheets[min(b, len(sheets) - 1), rows.start : rows.stop]  # [rows, D]
        block |= {"shape": list(steps[name].shape), "rows": [columns(shown, row) for row in front.tolist()]}
        block["behind"] = min(len(sheets) - 1, SHEETS)
    return block


def _in_words(blocks: Sequence[Mapping[str, Any]], row: int, masked: bool) -> str:
    """Return the numbers that are shown in a row of the blocks, column by column."""
    hidden = "combined" if masked else ""
    drawn = {block["role"]: block["rows"][row] for block in blocks if block["rows"] and block["role"] != hidden}
    texts = []
    for cells in zip(*drawn.values(), strict=True):
        numbers = "".join(SIGNS[role] + number(cell.value) for role, cell in zip(drawn, cells, strict=True))
        texts.append(f"{numbers} in column {cells[0].index}")
    return f": {', '.join(texts)}" if texts else ""
