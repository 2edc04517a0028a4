"""The merges of one piece: the parts that they join, and the pairs that can be merged next."""

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from components.lessons.tokens.choices import MAX_PIECE_BYTES
from components.text.bpe import Step, merge_steps, pair_ranks
from components.text.gpt2 import gpt2_ranks

ROWS_IN_ORDER = 8  # with no more merges each has a row of its own; otherwise merges that do not touch share one


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

    def joined(self, merge: int) -> list[Box]:
        """Return the two boxes that a merge joins, in the order of the text; none of merge 0."""
        return sorted((box for box in self.boxes if 0 < box.joined == merge), key=lambda box: box.start)

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
