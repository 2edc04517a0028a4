"""The figure of the lesson on the combined embedding: token + position = combined, block beside block."""

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from torch import Tensor

from components.base.text_format import pluralize
from components.figures.cells import FULL_COLOR, number, printed
from components.figures.columns import SHOWN, Column, columns, shown_columns
from components.figures.drawing import Figure, Slider, draw
from components.figures.pager import pager, shown_rows
from components.figures.sizes import CELL_WIDTH, COLUMN_GAP, COLUMN_PITCH

TOP, PITCH, TALLEST, LOWEST = 66, 46, 240, 120  # units: first row, from row to row, all rows at most and at least
ROW_GAP = 4
SHEETS = 2  # at most, behind the one in front
DIGITS = 4
LEFT = {"token": 124, "position": 377, "combined": 605}
WIDEST = COLUMN_PITCH * (SHOWN - 1) + COLUMN_GAP + CELL_WIDTH  # block
# The blocks that there are after each step.
BLOCKS = {
    "ids": (),
    "token": ("token",),
    "scaled": ("token",),
    "position": ("token", "position"),
    "position_unsqueezed": ("token", "position"),
    "position_broadcast": ("token", "position"),
    "combined": ("token", "position", "combined"),
}


class Sum(NamedTuple):
    """One element of the sum as texts, the position "" if there is none; `sign` is "=" if these numbers add up."""

    token: str
    position: str
    sign: str
    combined: str


class Block(NamedTuple):
    """One block of cells: its shape and the shown cells, both empty without positions, and the sheets behind it."""

    role: str
    left: int
    shape: Sequence[int]
    rows: Sequence[Sequence[Column]]
    batched: bool
    behind: int


def element_sum(steps: Mapping[str, Tensor], b: int, t: int, d: int) -> Sum:
    """Return element [b, t, d] of the sum with the numbers that it is made of, as texts."""
    root = math.sqrt(steps["token"].shape[-1]) if "scaled" in steps else 1.0
    position = steps["position"][t, d].item() if "position" in steps else 0.0
    values = (steps["token"][b, t, d].item(), root, position, steps["combined"][b, t, d].item())
    texts = [number(value, DIGITS) for value in values]
    token, root, added, combined = map(printed, texts)
    product = f"{texts[0]} × {texts[1]}" if "scaled" in steps else texts[0]
    sign = "=" if token * root + added == combined else "≈"
    return Sum(product, texts[2] if "position" in steps else "", sign, texts[3])


def element_names(steps: Mapping[str, Tensor], b: int, t: int, d: int) -> Sum:
    """Return the names of the terms of element [b, t, d] of the sum."""
    root = f" × √{steps['token'].shape[-1]}" if "scaled" in steps else ""
    position = f"P[{t}, {d}]" if "position" in steps else ""
    return Sum(f"W[{steps['ids'][b, t]}, {d}]{root}", position, "=", f"out[{b}, {t}, {d}]")


def combine_figure(
    steps: Mapping[str, Tensor],
    names: Sequence[str],
    at: Sequence[int],
    masked: bool = False,
    stage: str = "combined",
) -> Figure:
    """Return the figure of sequence b with element [t, d] lit; `at` is [b, t, d], `names` are those of the shown rows.

    `steps` are those of `walk`, shown up to `stage`. The sum is masked until the learner has predicted its shape.
    """
    (b, t, d), (B, T), D = at, steps["ids"].shape, steps["token"].shape[-1]
    rows, shown = shown_rows(T, t), shown_columns(D, d - d % 4)
    pitch = min(PITCH, TALLEST // len(rows))
    rows_height = pitch * len(rows) - ROW_GAP
    height = max(LOWEST, rows_height)
    blocks = [_block(steps, role, b, rows, shown, stage) for role in BLOCKS[stage]]
    is_sum, scaled = stage == "combined", "scaled" in steps and stage not in ("ids", "token")
    ids = steps["ids"][b, rows.start : rows.stop].tolist()
    tokens = [
        {"t": i, "id": token_id, "text": name}
        | {"name": f"{name}, ID {token_id}, position {i}{_row_name(blocks, i - rows.start, masked)}"}
        for i, name, token_id in zip(rows, names, ids, strict=True)
    ]
    drawing = draw(
        "lessons/combine/figure.svg.j2",
        blocks=blocks,
        tokens=tokens,
        sums=[(i, j, element_names(steps, b, i, j), element_sum(steps, b, i, j)) for i in rows for j in shown]
        if is_sum
        else [],
        axis=columns(shown, [0.0] * D),
        ids_shape=[B, T],
        b=b,
        top=TOP,
        pitch=pitch,
        cell=pitch - ROW_GAP,
        rows_height=rows_height,
        height=height,
        middle={role: left + WIDEST // 2 for role, left in LEFT.items()},
        id_width=math.ceil(8.5 * max(len(str(each)) for each in ids)),
        full=FULL_COLOR * (math.sqrt(D) if scaled else 1.0),
        root=f" × √{D}" if scaled else "",
        masked=masked,
        pages=[pager("t", rows, T, "tokens", f"{T:,} tokens"), pager("d", shown, D, "columns", f"{D:,} columns")],
        is_sum=is_sum,
    )
    part = f"positions {rows.start} to {rows.stop - 1} of {T:,}" if T > 1 else "one position"
    reading = (
        f"Sequence {b} of {pluralize(B, 'sequence')}, {part}, columns {', '.join(map(str, shown))} of {D:,}: "
        f"{', '.join(names)}. {_sum_in_words(element_names(steps, *at), element_sum(steps, *at), masked)}"
    )
    return Figure(
        drawing,
        reading,
        TOP + height + (86 if is_sum else 26),
        lit=str(t),
        columns=shown,
        column=d,
        slider=Slider("b", "Sequence b", b, B - 1) if B > 1 and is_sum else None,
    )


def _block(steps: Mapping[str, Tensor], role: str, b: int, rows: range, shown: Sequence[int], stage: str) -> Block:
    """Return the block of tokens, positions or sums of sequence b as it is after the step `stage`."""
    name = stage if stage.startswith(role) else role
    if role == "token" and stage != "token" and "scaled" in steps:
        name = "scaled"
    tensor = steps.get(name)
    if tensor is None:
        return Block(role, LEFT[role], (), (), False, 0)
    batched = tensor.dim() == 3
    values = tensor[min(b, len(tensor) - 1)] if batched else tensor  # [T, D]
    cells = [columns(shown, row) for row in values[rows.start : rows.stop].tolist()]
    return Block(role, LEFT[role], list(tensor.shape), cells, batched, min(len(tensor) - 1, SHEETS) if batched else 0)


def _row_name(blocks: Sequence[Block], row: int, masked: bool) -> str:
    """Return the shown numbers of a row of all blocks in words."""
    drawn, found = [block for block in blocks if block.rows], []
    for cells in zip(*(block.rows[row] for block in drawn), strict=True):
        texts = {block.role: number(each.value) for block, each in zip(drawn, cells, strict=True)}
        combined = texts.pop("combined", "")
        result = f" ≈ {combined}" if combined and not masked else ""
        found.append(f"{' + '.join(texts.values())}{result} in column {cells[0].index}")
    return f": {', '.join(found)}" if found else ""


def _sum_in_words(names: Sum, found: Sum, masked: bool) -> str:
    """Return an element of the sum: its terms by name, and by number."""
    terms, numbers = (" + ".join(filter(None, (each.token, each.position))) for each in (names, found))
    result = "" if masked else f" {found.sign} {found.combined}"
    return f"{terms} = {names.combined}: {numbers}{result}"
