"""The lower half of the figure: the merges of one piece as boxes below the parts they join, and the pairs to merge."""

import json
from collections.abc import Sequence
from typing import NamedTuple

from components.base.learner_text import whole_character
from components.figures.cells import fit
from components.lessons.tokens.line import SIZE, SMALL, token_text
from components.lessons.tokens.merges import Box, Candidates, Replay

TOP, HEIGHT, ROW = 156, 200, 25  # units: of all rows, and the height of one at most
WIDTH, BYTE = 572, 44  # units: of all bytes, and of one at most
MAX_BYTES, MAX_LETTERS, MAX_PAIRS = 23, 50, 7  # shown: their texts fit the boxes
MASKED_PAIRS = 3  # before the answer, when there are no merges beside them


class Grid(NamedTuple):
    """The bytes that are shown, and the width of a byte and the height of a row in units."""

    shown: range
    byte: float
    row: float

    def edge(self, offset: int) -> float:
        """Return the left edge of a byte, or the nearest one shown."""
        return 1 + self.byte * (min(max(offset, self.shown.start), self.shown.stop) - self.shown.start)

    def shows(self, box: Box) -> bool:
        return box.end > self.shown.start and box.start < self.shown.stop

    def place(self, box: Box) -> dict:
        """Return the rectangle of a box, with a gap to those beside and below it, and where lines to it begin.

        These end at its top and begin at the bottom of the shown boxes that it is made of.
        """
        x, gap, height = self.edge(box.start), 3 if self.byte > 24 else 1, self.row - 2
        return {
            "x": x,
            "y": TOP + self.row * box.row,
            "width": self.edge(box.end) - x - gap,
            "height": height,
            "lines": [
                ((self.edge(each.start) + self.edge(each.end)) / 2, TOP + self.row * each.row + height)
                for each in box.made_of
                if self.shows(each)
            ],
        }


def merge_tree(made: Replay, merge: int, masked: bool, first_token: int | None) -> dict:
    """Return what the figure shows of a piece after some merges: its boxes, and the pairs that can be merged next.

    The boxes of later merges are left out while they are `masked`. `first_token` is the position in the text of the
    first token that the piece becomes, None if it has no chips. Of a long piece a part is `shown`, with the next merge.
    """
    candidates = made.candidates(merge)
    upcoming = next((pair for pair, *_ in candidates.values()), ())
    grid, lit_with = grid_of(made, merge), lighting(made, candidates, first_token)
    boxes = []
    for box in made.boxes:
        if not grid.shows(box) or (masked and box.merge > merge):
            continue
        placed = grid.place(box)
        text, size = fitting(token_text(box.token), placed)
        state = "later" if box.merge > merge else "used" if 0 < box.joined <= merge else "part"
        boxes.append(
            placed
            | {"text": text, "size": size, "name": name_of(box)}
            | {"part": box.part, "parts": " ".join(lit_with[box.part])}
            | {"state": "next" if box in upcoming else state}
            | {"choose": json.dumps({"merge": box.merge}) if box.merge else ""}
        )
    tokens = [] if masked or candidates else [(token_text(box.token), box.token_id) for box in made.parts[merge]]
    most = MASKED_PAIRS if masked else MAX_PAIRS
    return {
        "boxes": boxes,
        "right": max(box["x"] + box["width"] for box in boxes),
        "bottom": max(box["y"] + box["height"] for box in boxes),
        "pairs": pairs_to_merge(candidates)[:most],
        "tokens": tokens[:MAX_PAIRS],
        "more": max(0, len(candidates or tokens) - (most if candidates else MAX_PAIRS)),
        "shown": grid.shown,
        "width": WIDTH,
    }


def grid_of(made: Replay, merge: int) -> Grid:
    """Return the part of a piece that is shown after some merges, and the sizes that fit it.

    It begins with the first byte, and moves only as far as each merge requires, up to the next one.
    """
    n_bytes, letters = len(made.parts[0]), sum(whole_character(box.token) for box in made.parts[0])
    most = MAX_LETTERS if letters > n_bytes / 2 else MAX_BYTES
    start = 0
    for box in made.boxes[n_bytes : n_bytes + merge + 1]:
        start = min(box.start, max(start, box.end - most))
    shown = range(start, min(n_bytes, start + most))
    rows = max(1, *(box.row for box in made.boxes))
    return Grid(shown, min(BYTE, WIDTH / len(shown)), min(ROW, HEIGHT / rows))


def lighting(made: Replay, candidates: Candidates, first_token: int | None) -> dict[str, list[str]]:
    """Return what each box is lit with: itself, the merge that joins it, the pairs it is in, and its token's chip."""
    found = {box.part: [box.part, *([f"m{box.joined}"] if box.joined else [])] for box in made.boxes}
    for number, pairs in enumerate([*candidates.values()][:MAX_PAIRS]):
        for part in {box.part for pair in pairs for box in pair}:
            found[part].append(f"c{number}")
    if first_token is not None:
        for position, box in enumerate(made.parts[-1], start=first_token):
            found[box.part].append(f"t{position}")
    return found


def name_of(box: Box) -> str:
    if not box.made_of:
        return f"byte {box.token.hex().upper()}: ID {box.token_id}"
    return f"merge {box.merge}: {joined_text(box.made_of)} → {token_text(box.token)}, ID {box.token_id}"


def joined_text(pair: Sequence[Box]) -> str:
    return " + ".join(token_text(box.token) for box in pair)


def fitting(text: str, placed: dict) -> tuple[str, int]:
    """Return a text, its beginning or a dot, and the size at which it fits a box; the size is 0 in a low one.

    >>> [fitting("F0 9F", {"width": width, "height": 23}) for width in (80, 40, 14)]
    [('F0 9F', 17), ('F0…', 14), ('·', 14)]
    >>> fitting("F0 9F", {"width": 80, "height": 14})
    ('F0 9F', 0)
    """
    if placed["height"] <= SMALL:
        return text, 0
    if fit(text, placed["width"] - 4, SIZE) == text:
        return text, SIZE
    text = fit(text, placed["width"] - 1, SMALL).replace(" …", "…")
    return "·" if text == "…" else text, SMALL


def pairs_to_merge(candidates: Candidates) -> list[dict]:
    """Return what the figure shows of each pair that can be merged next; it is lit alone, its boxes name it."""
    found = []
    for number, (rank, pairs) in enumerate(candidates.items()):
        part, text = f"c{number}", joined_text(pairs[0])
        times = f", {len(pairs)} times here" if len(pairs) > 1 else ""
        order = "not the lowest rank" if number else "the lowest rank, so it is merged next"
        name = f"{text}: rank {rank}{times}, {order}"
        found.append({"part": part, "parts": part, "text": text, "rank": rank, "name": name, "choose": ""})
    return found
