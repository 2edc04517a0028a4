"""The lower half of the figure: the merges of one piece as boxes, and the pairs that can be merged next."""

import json
from dataclasses import dataclass, field
from typing import NamedTuple

from components.lessons.tokens.merges import Box, Replay
from components.lessons.tokens.spans import token_text

WIDTH, TOP, BYTE = 572, 156, 44  # units
PITCH, HEIGHT = 25, 200
SHOWN_BYTES = 60
MAX_PAIRS = 7
CHARACTERS = ((17, 10.2), (14, 8.4))  # sizes of the code font and the width of a character


@dataclass
class Part:
    """A box as it is drawn: `state` is "used", "part", "next" or "later"; the lines come from the boxes it joins."""

    x: float
    y: float
    width: float
    height: float
    text: str
    size: int  # of the text, 0 if it does not fit
    state: str
    part: str
    parts: str
    name: str
    choose: str
    lines: list[tuple[float, float]] = field(default_factory=list)


class Pair(NamedTuple):
    """A pair of neighbors that is a token: its part, its text, its rank, and its description."""

    part: str
    text: str
    rank: int
    name: str
    choose: str = ""

    @property
    def parts(self) -> str:
        """A pair is lit alone; its boxes name it."""
        return self.part


class Tree(NamedTuple):
    """The boxes, the pairs, how many pairs are left out, and the bytes shown."""

    boxes: list[Part]
    pairs: list[Pair]
    more: int
    shown: range


def make_tree(made: Replay, merge: int, later: bool, first_token: int | None) -> Tree:
    """Return the boxes after some merges, those of the merges to come only if `later`.

    `first_token` is the position in the text of the first token that the piece becomes, None if it has no chips.
    """
    parts, candidates = made.parts(merge), made.candidates(merge)
    positions: dict[int, list[int]] = {}  # of the pairs among the parts, by rank
    for at, rank in candidates:
        positions.setdefault(rank, []).append(at)
    pairs = [_pair(number, parts, *each) for number, each in enumerate(positions.items())]
    also = {box.part: [f"m{box.joined}"] if box.joined else [] for box in made.boxes}
    for pair, found in zip(pairs[:MAX_PAIRS], positions.values(), strict=False):
        for part in {box.part for at in found for box in parts[at : at + 2]}:
            also[part].append(pair.part)
    if first_token is not None:
        for position, box in enumerate(made.parts(made.n_merges), start=first_token):
            also[box.part].append(f"t{position}")
    upcoming = parts[candidates[0].at : candidates[0].at + 2] if candidates else []
    n_bytes = parts[-1].end
    first = max(0, min(n_bytes - SHOWN_BYTES, (upcoming[0].start if upcoming else 0) - SHOWN_BYTES // 3))
    placing = _Placing(range(first, min(n_bytes, first + SHOWN_BYTES)), max(box.row for box in made.boxes))
    boxes = []
    for box in made.boxes:
        if placing.shows(box) and (later or box.merge <= merge):
            used = 0 < box.joined <= merge
            state = "later" if box.merge > merge else "used" if used else "next" if box in upcoming else "part"
            boxes.append(placing.part(box, state, also[box.part], made.boxes))
    return Tree(boxes, pairs[:MAX_PAIRS], max(0, len(pairs) - MAX_PAIRS), placing.shown)


def _pair(number: int, parts: list[Box], rank: int, positions: list[int]) -> Pair:
    """Return the pair of a rank, which is the lowest if its number is 0."""
    left, right = (token_text(box.token) for box in parts[positions[0] : positions[0] + 2])
    order = "not the lowest rank" if number else "the lowest rank, so it is merged next"
    times = "" if len(positions) == 1 else f", {len(positions)} times here"
    return Pair(f"c{number}", f"{left} + {right}", rank, f"{left} + {right}: rank {rank}{times}, {order}")


class _Placing:
    """Where the boxes of some bytes of a piece are drawn."""

    def __init__(self, shown: range, last_row: int) -> None:
        self.shown, self.unit = shown, min(BYTE, WIDTH / len(shown))
        self.pitch = min(PITCH, HEIGHT / max(1, last_row))

    def shows(self, box: Box) -> bool:
        return box.start < self.shown.stop and box.end > self.shown.start

    def edge(self, offset: int) -> float:
        return 1 + self.unit * (min(max(offset, self.shown.start), self.shown.stop) - self.shown.start)

    def top(self, box: Box) -> float:
        return TOP + self.pitch * box.row

    def part(self, box: Box, state: str, also: list[str], boxes: list[Box]) -> Part:
        """Return a box as it is drawn, which is lit with some parts `also`."""
        x, height, text = self.edge(box.start), self.pitch - 2, token_text(box.token)
        width = self.edge(box.end) - x - (3 if self.unit > 12 else 1)
        size = next((size for size, wide in CHARACTERS if wide * len(text) <= width - 2 and height > 14), 0)
        joined = [each for each in boxes if each.joined == box.merge] if box.merge else []
        lines = [((self.edge(each.start) + self.edge(each.end)) / 2, self.top(each) + height) for each in joined]
        name, choose = f"byte {box.token.hex().upper()}: ID {box.token_id}", ""
        if joined:
            left, right = (token_text(each.token) for each in sorted(joined, key=lambda each: each.start))
            name = f"merge {box.merge}: {left} + {right} → {text}, ID {box.token_id}"
            choose = json.dumps({"merge": box.merge})
        parts = " ".join([box.part, *also])
        return Part(x, self.top(box), width, height, text, size, state, box.part, parts, name, choose, lines)
