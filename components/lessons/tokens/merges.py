"""The lower half of the figure: the merges of one piece as boxes below the parts they join, and the pairs to merge."""

import json
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from components.lessons.tokens.choices import MAX_PIECE_BYTES
from components.lessons.tokens.spans import token_text
from components.text.bpe import Step, merge_steps, pair_ranks
from components.text.gpt2 import gpt2_ranks

ROWS_IN_ORDER = 8  # with no more merges each has a row of its own; otherwise merges that do not touch share one
WIDTH, TOP, BYTE = 572, 156, 44  # units
PITCH, HEIGHT = 25, 200
SHOWN_BYTES = 60
MAX_PAIRS = 7
CHARACTERS = ((17, 10.2), (14, 8.4))  # sizes of the code font and the width of a character


@dataclass
class Box:
    """A part of a piece: its first byte and the one after its last, its token, and the merge that joins it, if any."""

    start: int
    end: int
    token: bytes
    token_id: int
    merge: int = 0  # number of the merge that makes it, 0 for a byte
    row: int = 0
    joined: int = 0  # number of the merge that joins it with a neighbor, 0 if it is a token of the text

    @property
    def part(self) -> str:
        """The name of the box in the figure."""
        return f"m{self.merge}" if self.merge else f"b{self.start}"


class Replay(NamedTuple):
    """All steps of a piece, and its boxes in the order in which they are made."""

    steps: list[Step]
    boxes: list[Box]

    @property
    def n_merges(self) -> int:
        """The number of merges."""
        return len(self.steps) - 1

    def parts(self, merge: int) -> list[Box]:
        """Return the boxes that are the parts after some merges, in the order of the text."""
        shown = [box for box in self.boxes if box.merge <= merge and not 0 < box.joined <= merge]
        return sorted(shown, key=lambda box: box.start)

    def candidates(self, merge: int) -> dict[int, list[int]]:
        """Return the pairs of neighbors that are a token after some merges: the rank and its indices among the parts.

        The lowest rank, which is merged next, is the first.
        """
        found: dict[int, list[int]] = {}
        ranks = pair_ranks(self.steps[merge][0], gpt2_ranks())
        for rank, at in sorted((rank, at) for at, rank in enumerate(ranks) if rank is not None):
            found.setdefault(rank, []).append(at)
        return found


@lru_cache(32)
def replay(piece: str) -> Replay | None:
    """Return the merges of a piece, None if it is too long.

    >>> made = replay(" the")
    >>> [(box.token, box.token_id, box.row) for box in made.boxes if box.merge]
    [(b' t', 256, 1), (b'he', 258, 2), (b' the', 262, 3)]
    """
    if len(piece.encode()) > MAX_PIECE_BYTES:
        return None
    steps, ranks = merge_steps(piece), gpt2_ranks()
    parts = [Box(n, n + 1, token, ranks[token]) for n, token in enumerate(steps[0][0])]
    boxes = list(parts)
    for merge, ((before, token_id), (after, _)) in enumerate(pairwise(steps), start=1):
        at = next(n for n, part in enumerate(after) if part != before[n])
        left, right = parts[at : at + 2]
        left.joined = right.joined = merge
        row = merge if len(steps) <= ROWS_IN_ORDER + 1 else 1 + max(left.row, right.row)
        parts[at : at + 2] = [Box(left.start, right.end, after[at], token_id, merge, row)]
        boxes.append(parts[at])
    return Replay(steps, boxes)


def merge_tree(made: Replay, merge: int, masked: bool, first_token: int | None) -> dict:
    """Return what the figure shows of a piece after some merges: its boxes, and the pairs that can be merged next.

    The boxes of later merges are left out while they are `masked`. `first_token` is the position in the text of the
    first token that the piece becomes, None if it has no chips. At most SHOWN_BYTES are `shown`, the next merge among
    them.
    """
    parts, candidates = made.parts(merge), made.candidates(merge)
    lit_with = {box.part: [box.part, *([f"m{box.joined}"] if box.joined else [])] for box in made.boxes}
    for number, positions in enumerate([*candidates.values()][:MAX_PAIRS]):
        for part in {box.part: box for at in positions for box in parts[at : at + 2]}:
            lit_with[part].append(f"c{number}")
    if first_token is not None:
        for position, box in enumerate(made.parts(made.n_merges), start=first_token):
            lit_with[box.part].append(f"t{position}")

    upcoming = next((parts[positions[0] : positions[0] + 2] for positions in candidates.values()), [])
    start = max(0, min(parts[-1].end - SHOWN_BYTES, (upcoming[0].start if upcoming else 0) - SHOWN_BYTES // 3))
    shown = range(start, min(parts[-1].end, start + SHOWN_BYTES))
    unit, pitch = min(BYTE, WIDTH / len(shown)), min(PITCH, HEIGHT / max(1, *(box.row for box in made.boxes)))

    def edge(offset: int) -> float:
        return 1 + unit * (min(max(offset, shown.start), shown.stop) - shown.start)

    def drawn(box: Box) -> dict:
        x, width = edge(box.start), edge(box.end) - edge(box.start) - (3 if unit > 12 else 1)
        height, text = pitch - 2, token_text(box.token)
        joined = sorted((each for each in made.boxes if 0 < each.joined == box.merge), key=lambda each: each.start)
        state = "next" if box in upcoming else "part"
        state = "later" if box.merge > merge else "used" if 0 < box.joined <= merge else state
        name, choose = f"byte {box.token.hex().upper()}: ID {box.token_id}", ""
        if joined:
            left, right = (token_text(each.token) for each in joined)
            name = f"merge {box.merge}: {left} + {right} → {text}, ID {box.token_id}"
            choose = json.dumps({"merge": box.merge})
        return {
            **{"x": x, "y": TOP + pitch * box.row, "width": width, "height": height, "text": text, "state": state},
            "size": next((size for size, wide in CHARACTERS if wide * len(text) <= width - 2 and height > 14), 0),
            "lines": [((edge(each.start) + edge(each.end)) / 2, TOP + pitch * each.row + height) for each in joined],
            **{"part": box.part, "parts": " ".join(lit_with[box.part]), "name": name, "choose": choose},
        }

    boxes = [box for box in made.boxes if box.start < shown.stop and box.end > shown.start]
    return {
        "boxes": [drawn(box) for box in boxes if not masked or box.merge <= merge],
        "pairs": _pairs(parts, candidates)[:MAX_PAIRS],
        "more": max(0, len(candidates) - MAX_PAIRS),
        "shown": shown,
    }


def _pairs(parts: list[Box], candidates: dict[int, list[int]]) -> list[dict]:
    """Return what the figure shows of each pair that can be merged next; it is lit alone, its boxes name it."""
    pairs = []
    for number, (rank, (at, *others)) in enumerate(candidates.items()):
        text = " + ".join(token_text(box.token) for box in parts[at : at + 2])
        times = f", {len(others) + 1} times here" if others else ""
        order = "not the lowest rank" if number else "the lowest rank, so it is merged next"
        part, name = f"c{number}", f"{text}: rank {rank}{times}, {order}"
        pairs.append({"part": part, "parts": part, "text": text, "rank": rank, "name": name, "choose": ""})
    return pairs
