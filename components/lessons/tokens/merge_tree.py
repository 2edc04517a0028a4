"""The lower half of the figure: the merges of one piece as boxes below the parts they join, and the pairs to merge."""

import json
from typing import NamedTuple

from components.figures.cells import CHARACTER
from components.lessons.tokens.merges import Box, Replay
from components.lessons.tokens.spans import SIZE, SMALL, token_text

TOP, HEIGHT, ROW = 156, 200, 25  # units: of all rows, and the height of one at most
WIDTH, BYTE = 572, 44  # units: of all bytes, and of one at most
MAX_BYTES, MAX_PAIRS = 60, 7  # shown

Candidates = dict[int, list[int]]  # those of a Replay: each rank, and the indices of its pairs among the parts


class Grid(NamedTuple):
    """The bytes that are shown, and the width of a byte and the height of a row in units."""

    shown: range
    byte: float
    row: float

    def edge(self, offset: int) -> float:
        """Return the left edge of a byte, or the nearest one shown."""
        return 1 + self.byte * (min(max(offset, self.shown.start), self.shown.stop) - self.shown.start)

    def place(self, box: Box) -> dict[str, float]:
        """Return the rectangle of a box, with a gap to those beside and below it."""
        x, gap = self.edge(box.start), 3 if self.byte > 12 else 1
        y = TOP + self.row * box.row
        return {"x": x, "y": y, "width": self.edge(box.end) - x - gap, "height": self.row - 2}

    def lines(self, box: Box, joined: list[Box]) -> list[tuple[float, float]]:
        """Return where the lines from the boxes that a merge joins begin; all end at the top of its box."""
        bottom = self.row - 2
        return [
            ((self.edge(each.start) + self.edge(each.end)) / 2, TOP + self.row * each.row + bottom) for each in joined
        ]


def merge_tree(made: Replay, merge: int, masked: bool, first_token: int | None) -> dict:
    """Return what the figure shows of a piece after some merges: its boxes, and the pairs that can be merged next.

    The boxes of later merges are left out while they are `masked`. `first_token` is the position in the text of the
    first token that the piece becomes, None if it has no chips. At most MAX_BYTES are `shown`, the next merge among
    them.
    """
    parts, candidates = made.parts(merge), made.candidates(merge)
    upcoming = next((parts[at : at + 2] for at, *_ in candidates.values()), [])
    grid, lit_with = grid_of(made, upcoming), lighting(made, parts, candidates, first_token)
    boxes = [box for box in made.boxes if box.start < grid.shown.stop and box.end > grid.shown.start]
    drawn = []
    for box in boxes:
        if masked and box.merge > merge:
            continue
        placed, joined, text = grid.place(box), made.joined(box.merge), token_text(box.token)
        state = "later" if box.merge > merge else "used" if 0 < box.joined <= merge else "part"
        drawn.append(
            placed
            | {"text": text, "size": text_size(text, placed), "lines": grid.lines(box, joined)}
            | {"state": "next" if box in upcoming else state, "name": name_of(box, joined)}
            | {"part": box.part, "parts": " ".join(lit_with[box.part])}
            | {"choose": json.dumps({"merge": box.merge}) if joined else ""}
        )
    tokens = [] if candidates else [(token_text(box.token), box.token_id) for box in parts]
    return {
        "boxes": drawn,
        "pairs": pairs_to_merge(parts, candidates)[:MAX_PAIRS],
        "tokens": tokens[:MAX_PAIRS],
        "more": max(0, len(candidates or tokens) - MAX_PAIRS),
        "shown": grid.shown,
        "width": WIDTH,
        "max_pairs": MAX_PAIRS,
    }


def grid_of(made: Replay, upcoming: list[Box]) -> Grid:
    """Return the part of a piece that is shown, with the boxes that are merged next, and the sizes that fit it."""
    n_bytes = max(box.end for box in made.boxes)
    first = upcoming[0].start - MAX_BYTES // 3 if upcoming else 0
    start = max(0, min(n_bytes - MAX_BYTES, first))
    shown = range(start, min(n_bytes, start + MAX_BYTES))
    rows = max(1, *(box.row for box in made.boxes))
    return Grid(shown, min(BYTE, WIDTH / len(shown)), min(ROW, HEIGHT / rows))


def lighting(made: Replay, parts: list[Box], candidates: Candidates, first_token: int | None) -> dict[str, list[str]]:
    """Return what each box is lit with: itself, the merge that joins it, the pairs it is in, and its token's chip."""
    found = {box.part: [box.part, *([f"m{box.joined}"] if box.joined else [])] for box in made.boxes}
    for number, positions in enumerate([*candidates.values()][:MAX_PAIRS]):
        for part in {box.part: box for at in positions for box in parts[at : at + 2]}:
            found[part].append(f"c{number}")
    if first_token is not None:
        for position, box in enumerate(made.parts(made.n_merges), start=first_token):
            found[box.part].append(f"t{position}")
    return found


def name_of(box: Box, joined: list[Box]) -> str:
    """Return a byte or a merge in words."""
    if not joined:
        return f"byte {box.token.hex().upper()}: ID {box.token_id}"
    left, right = (token_text(each.token) for each in joined)
    return f"merge {box.merge}: {left} + {right} → {token_text(box.token)}, ID {box.token_id}"


def text_size(text: str, placed: dict[str, float]) -> int:
    """Return the size at which a text fits a box, 0 if it does not."""
    if placed["height"] <= 14:
        return 0
    return next((size for size in (SIZE, SMALL) if CHARACTER * size * len(text) <= placed["width"] - 2), 0)


def pairs_to_merge(parts: list[Box], candidates: Candidates) -> list[dict]:
    """Return what the figure shows of each pair that can be merged next; it is lit alone, its boxes name it."""
    pairs = []
    for number, (rank, (at, *others)) in enumerate(candidates.items()):
        text = " + ".join(token_text(box.token) for box in parts[at : at + 2])
        times = f", {len(others) + 1} times here" if others else ""
        order = "not the lowest rank" if number else "the lowest rank, so it is merged next"
        part, name = f"c{number}", f"{text}: rank {rank}{times}, {order}"
        pairs.append({"part": part, "parts": part, "text": text, "rank": rank, "name": name, "choose": ""})
    return pairs
