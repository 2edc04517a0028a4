"""A text as a ribbon of tokens cut into windows: what the figure shows of it, and what each token is used for."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Int
from torch import Tensor

COLUMNS = 9
HEAD = 4  # tokens shown at the start of a window that is longer than the ribbon
MAX_LANES = 6
LONGEST_USE = 52  # characters that fit in the figure

Name = Callable[[int], str]  # of a token ID


@dataclass(frozen=True)
class Ribbon:
    """The IDs of a text [tokens], T, the stride, and the windows in the order of their batches; one is followed."""

    ids: np.ndarray
    T: int
    stride: int
    order: Int[Tensor, "N"]
    n_batches: int
    B: int
    window: int

    @property
    def N(self) -> int:
        """The number of windows, those in a dropped last batch included."""
        return len(self.order)

    @property
    def in_batches(self) -> Int[Tensor, " n"]:
        """The windows of all batches in order."""
        return self.order[: self.n_batches * self.B]

    def batch(self, index: int) -> Int[Tensor, " B"]:
        return self.order[index * self.B : (index + 1) * self.B]

    @cached_property
    def dropped(self) -> set[int]:
        return set(self.order[self.n_batches * self.B :].tolist())

    @cached_property
    def columns(self) -> list[int | None]:
        """The positions shown, around the window; None where the middle of a long window is left out."""
        n, start, T = len(self.ids), self.window * self.stride, self.T
        if T >= COLUMNS:
            return [*range(start, start + HEAD), None, *range(start + T - (COLUMNS - HEAD - 2), start + T + 1)]
        first = max(0, min(start - (T < COLUMNS - 1), n - COLUMNS))
        return list(range(first, min(first + COLUMNS, n)))

    def positions(self) -> list[int]:
        return [position for position in self.columns if position is not None]

    def lanes(self) -> list[int]:
        """Return the windows that have a token in the ribbon, at most MAX_LANES around the one followed."""
        shown = self.positions()
        first, last = self.with_input(shown[0] - 1).start, self.with_input(shown[-1]).stop
        first = max(first, min(self.window - MAX_LANES // 2 + 1, last - MAX_LANES))
        return list(range(first, min(first + MAX_LANES, last)))

    def covered(self, first: int) -> list[int]:
        """Return the columns of T tokens from a position on, the gap included if one of them is in it."""
        found = []
        for column, position in enumerate(self.columns):
            low = high = position
            if position is None:
                low, high = self.columns[column - 1] + 1, self.columns[column + 1] - 1
            if low < first + self.T and high >= first:
                found.append(column)
        return found

    def batch_of(self, window: int) -> int | None:
        """Return the batch of a window; None if it is dropped."""
        return None if window in self.dropped else int((self.order == window).nonzero()) // self.B

    def inputs(self, position: int) -> list[int]:
        """Return the windows of the batches in which a token is an input; a target is in those of the token before."""
        return [window for window in self.with_input(position) if window not in self.dropped]

    def with_input(self, position: int) -> range:
        """Return the windows in which a token is an input, those of a dropped batch included."""
        last = min(self.N - 1, position // self.stride)
        return range(max(0, -((self.T - 1 - position) // self.stride)), last + 1)

    def unused(self, position: int) -> str:
        """Return why a token is neither input nor target; nothing if it is used."""
        if self.inputs(position) or self.inputs(position - 1):
            return ""
        if position > (self.N - 1) * self.stride + self.T:
            return "left over"
        return "skipped" if position % self.stride > self.T else "dropped"


def at_positions(windows: Sequence[int], position: int, stride: int) -> str:
    """Return the positions that a token of the text has in windows: of two if there are no more, else of the first."""
    named = [f"window {window:,} at index {position - window * stride:,}" for window in windows[:2]]
    both = ", ".join(named)
    return both if len(windows) <= 2 and len(both) <= LONGEST_USE else f"{named[0]} and {len(windows) - 1:,} more"
