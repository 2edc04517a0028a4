"""The figure of the lesson on windows: the text as a ribbon of tokens, its windows, and the uses of each token."""

from itertools import pairwise

import numpy as np

from components.base.text_format import numbered, pluralize
from components.figures.drawing import Figure, Slider, draw
from components.lessons.windows.ribbon import COLUMNS, Name, Ribbon, at_positions

LEFT, PITCH, TILE = 150, 74, 70  # units
WIDTH = PITCH * (COLUMNS - 1) + TILE
LANES_TOP, LANES, THICKEST_LANE = 156, 96, 36
HEIGHT = 378
# On a narrow screen: its width, that of the names at the left, the columns of a sheet, and heights
NARROW, NARROW_LEFT, SHEET_COLUMNS, SHEET_HEIGHT, HEADER = 424, 54, 5, 292, 44
FINGER = 28  # from lane to lane there
IDS_SHOWN = 4
REASONS = {
    "left over": "left over at the end, after the last window that fits",
    "skipped": "skipped, since the stride is above T",
    "dropped": "in the dropped last batch",
}


def windows_figure(ribbon: Ribbon, name: Name, masked: bool) -> Figure:
    """Return the figure of a text cut into windows, of which one is followed; `name` gives the token of an ID.

    How many windows there are is masked until the learner has predicted it.
    """
    n, T, stride, N = len(ribbon.ids), ribbon.T, ribbon.stride, ribbon.N
    windows = [ribbon.window] if masked else ribbon.lanes()
    pitch = min(THICKEST_LANE, LANES / len(windows))
    shown = ribbon.positions()
    count = "? windows" if masked else f"⌊({n:,} − {T:,} − 1) / {stride:,}⌋ + 1 = {pluralize(N, 'window')}"
    part = f", {numbered('window', windows[0], windows[-1])} shown" if not masked and len(windows) < N else ""
    span = f"{shown[0]:,} to {shown[-1]:,} of {n:,}" if len(shown) < n else ""
    sizes = f"{pluralize(n, 'token')}, T = {T:,}, stride = {stride:,}"
    tokens = [_token(ribbon, name, position, windows if masked else None) for position in shown]
    lanes = [_lane(ribbon, window, LANES_TOP + pitch * row) for row, window in enumerate(windows)]
    apart = max(0.0, round(FINGER - pitch, 1))  # more from lane to lane on a narrow screen
    height = SHEET_HEIGHT + apart * (len(windows) - 1)
    sheets = [_sheet(number, height) for number in range(1 + (len(ribbon.columns) > SHEET_COLUMNS))]
    read = round(HEADER + height * len(sheets) + 34)
    drawing = draw(
        "lessons/windows/figure.svg.j2",
        ribbon=ribbon,
        tiles={side: _tiles(ribbon, name, shift, windows) for side, shift in (("input", 0), ("target", 1))},
        axis=[(left_of(column), position) for column, position in enumerate(ribbon.columns)],
        tokens=tokens,
        lanes=lanes,
        windows=" ".join(map(str, windows)),
        left=LEFT,
        tile_width=TILE,
        width=WIDTH,
        lanes_top=LANES_TOP,
        lanes_bottom=LANES_TOP + LANES,
        mask_top=LANES_TOP + THICKEST_LANE + 4,
        bar=pitch / 2 - 2,
        uses=_uses(ribbon),
        step=_step(ribbon, lanes),
        sizes=sizes,
        count=count,
        part=part,
        masked=masked,
        span=span,
        sheets=sheets,
        apart=apart,
        read=read,
    )
    reading = f"{sizes}: {count}{part}. " + (f"Positions {span} are shown. " if span else "")
    reading += "; ".join(lane["name"] for lane in lanes) + ". " + "; ".join(token["about"] for token in tokens)
    low, high = (ribbon.window, ribbon.window) if masked else (0, N - 1)
    return Figure(
        drawing,
        reading,
        HEIGHT,
        narrow=(NARROW, read + 186),
        lit=str(ribbon.window),
        columns=shown,
        column=ribbon.window * stride + T - 1,  # the last input
        slider=Slider("window_index", "Window", ribbon.window, high, low),
        play="" if masked or len(windows) == 1 else "Slide the window",
    )


def _sheet(number: int, height: float) -> dict[str, float]:
    """Return the left edges of the columns in a sheet, and how it is moved on a narrow screen."""
    left, right = left_of(SHEET_COLUMNS * number), left_of(COLUMNS if number else SHEET_COLUMNS)
    edge = left - NARROW_LEFT  # of the screen
    return {"number": number, "left": left, "right": right, "edge": edge, "down": HEADER + height * number}


def left_of(column: int) -> int:
    return LEFT + PITCH * column


def _tiles(ribbon: Ribbon, name: Name, shift: int, windows: list[int]) -> list[dict]:
    """Return the tokens of the ribbon, shifted to the left by `shift` columns, or the number of those left out."""
    found = [_tile(ribbon, name, ribbon.columns[0], shift, windows)] if shift else []
    for position in ribbon.columns:
        if position is None:
            found.append({"more": ribbon.T - (COLUMNS - 2)})
        else:
            is_last = position + shift == len(ribbon.ids)
            found.append({} if is_last else _tile(ribbon, name, position + shift, shift, windows))
    for column, tile in enumerate(found):
        tile["x"] = left_of(column - shift)
    return found


def _tile(ribbon: Ribbon, name: Name, position: int, shift: int, windows: list[int]) -> dict:
    """Return a token as it is drawn, with those of `windows` in which it is an input, or a target if shifted."""
    token_id = int(ribbon.ids[position])
    of = [window for window in windows if 0 <= position - shift - window * ribbon.stride < ribbon.T]
    return {"position": position, "text": name(token_id), "id": token_id, "windows": " ".join(map(str, of)) or None}


def _lane(ribbon: Ribbon, window: int, y: float) -> dict:
    start, T = window * ribbon.stride, ribbon.T
    batch = ribbon.batch_of(window)
    inputs, targets = (_some(ribbon.ids[start + shift : start + shift + T]) for shift in (0, 1))
    cells = []
    for side, shift in (("input", 0), ("target", 1)):
        for column in ribbon.covered(start + shift):
            position = ribbon.columns[column]
            at = None if position is None else position - start - shift
            cells.append({"side": side, "x": left_of(column), "position": position, "at": at})
    framed = ribbon.covered(start)
    return {
        "window": window,
        "label": f"{window:,}" if ribbon.N > 999 else f"window {window:,}",
        "batch": "dropped" if batch is None else f"batch {batch:,}",
        "y": y,
        "cells": cells,
        "arrows": [left_of(column) for column in framed if ribbon.columns[column] is not None],
        "first": start,
        "frame": framed and (left_of(framed[0]), PITCH * (framed[-1] - framed[0]) + TILE),
        "inputs": inputs,
        "targets": targets,
        "name": f"Window {window:,}: inputs {inputs}, targets {targets}",
    }


def _step(ribbon: Ribbon, lanes: list[dict]) -> tuple[int, int, float] | None:
    """Return from where to where the stride leads between the first two windows whose starts are shown, and its y."""
    for lane, following in pairwise(lanes):
        if {lane["first"], following["first"]} <= {*ribbon.columns}:
            first, second = (left_of(ribbon.columns.index(each["first"])) for each in (lane, following))
            return first, second, following["y"]
    return None


def _some(ids: np.ndarray) -> str:
    ids = [str(i) for i in ids]
    if len(ids) > IDS_SHOWN:
        ids = [*ids[: IDS_SHOWN - 1], "…", ids[-1]]
    return f"[{', '.join(ids)}]"


def _token(ribbon: Ribbon, name: Name, position: int, known: list[int] | None) -> dict:
    """Return a token with what it is used for, in all windows or in those that are `known`, and with which token."""
    lines = []
    for at, other, use in (
        (position, position + 1, "input of {}, its target is"),
        (position - 1, position - 1, "target of {}, of the input"),
    ):
        if windows := ribbon.inputs(at) if known is None else [each for each in known if each in ribbon.with_input(at)]:
            other_id = int(ribbon.ids[other])
            lines.append((use.format(at_positions(windows, at, ribbon.stride)), name(other_id), other_id))
    if not lines:
        text = f"not in window {known[0]:,}" if known else f"unused: {REASONS[ribbon.unused(position)]}"
        lines.append((text, "", ""))
    token_id = int(ribbon.ids[position])
    text = name(token_id)
    uses = "; ".join(" ".join(map(str, line)).rstrip() for line in lines)
    return {"position": position, "name": text, "id": token_id, "lines": lines, "about": f"{text} {token_id}: {uses}"}


def _uses(ribbon: Ribbon) -> list[dict]:
    """Return how often each token shown is an input and a target, and why if it is neither."""
    found = [
        {
            "x": left_of(column),
            "position": position,
            "unused": ribbon.unused(position),
            "times": (len(ribbon.inputs(position)), len(ribbon.inputs(position - 1))),
        }
        for column, position in enumerate(ribbon.columns)
        if position is not None
    ]
    most = max(1, *(max(use["times"]) for use in found))  # all tokens shown may be in a dropped batch
    return [use | {"shares": [round(12 + 48 * times / most) for times in use["times"]]} for use in found]
