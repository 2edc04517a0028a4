"""The merges of one piece: the parts that they join, and the pairs that can be merged next."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from components.lessons.tokens.choices import MAX_PIECE_BYTES
from components.text.bpe import merge_steps, pair_ranks
from components.text.gpt2 import gpt2_ranks

ROWS_IN_ORDER = 8  # with no more merges each has a row of its own; otherwise merges that do not touch share one


@dataclass(eq=False)
class Box:
    """A part of a piece: its first byte and the one after its last, its token, and the merges that make and join it."""

    start: int
    end: int
    token: bytes
    token_id: int
    merge: int = 0  # number of the merge that makes it, 0 for a byte
    row: int = 0
    made_of: Sequence["Box"] = ()
    joined: int = 0  # number of the merge that joins it with a neighbor, 0 if it is a token of the text

    @property
    def part(self) -> str:
        """The name of the box in the figure."""
        return f"m{self.merge}" if self.merge else f"b{self.start}"


Candidates = dict[int, list[tuple[Box, Box]]]  # the pairs of neighbors that are a token, by its rank


class Replay(NamedTuple):
    """The boxes of a piece in the order in which they are made, and its parts after 0, 1, 2 ... merges."""

    boxes: list[Box]
    parts: list[list[Box]]

    @property
    def n_merges(self) -> int:
        return len(self.parts) - 1

    def candidates(self, merge: int) -> Candidates:
        """Return the pairs that can be merged after some merges; the lowest rank is the first, and merged next."""
        parts, found = self.parts[merge], {}
        ranks = pair_ranks([box.token for box in parts], gpt2_ranks())
        for rank, pair in zip(ranks, pairwise(parts), strict=True):
            if rank is not None:
                found.setdefault(rank, []).append(pair)
        return dict(sorted(found.items()))


@lru_cache(32)
def replay(piece: str) -> Replay | None:
    """Return the merges of a piece, None if it is too long."""
    if len(piece.encode()) > MAX_PIECE_BYTES:
        return None
    steps, ranks = merge_steps(piece), gpt2_ranks()
    boxes = [Box(n, n + 1, token, ranks[token]) for n, token in enumerate(steps[0][0])]
    parts = [[*boxes]]
    for merge, ((before, token_id), (after, _)) in enumerate(pairwise(steps), start=1):
        at = next(n for n, part in enumerate(after) if part != before[n])
        left, right = parts[-1][at : at + 2]
        left.joined = right.joined = merge
        row = merge if len(steps) <= ROWS_IN_ORDER + 1 else 1 + max(left.row, right.row)
        boxes.append(Box(left.start, right.end, after[at], token_id, merge, row, (left, right)))
        parts.append([*parts[-1][:at], boxes[-1], *parts[-1][at + 2 :]])
    return Replay(boxes, parts)
