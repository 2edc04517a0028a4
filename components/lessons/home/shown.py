"""The tokens that the figure of Home follows, and the two among the first that have the same ID."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import pad

from components.base.settings import Settings
from components.figures.columns import shown_rows
from components.text.token_ids import repeated_ids
from components.text.window_counts import fills_window, typed_batch


class Step(NamedTuple):
    """A token: the index of its sequence, its position in it, and its ID."""

    sequence: int
    position: int
    token_id: int


class Journey(NamedTuple):
    """The IDs that can be followed, in sequences of T: those of a text [1, n], or a typed batch [B, T]."""

    ids: Tensor
    T: int

    @property
    def n_sequences(self) -> int:
        return -(-self.ids.numel() // self.T)

    def steps(self, at: int = 0) -> dict[int, Step]:
        """Return the tokens that the figure shows, index `at` among them, by their indices."""
        shown = shown_rows(self.ids.numel(), at)
        ids = self.ids.flatten()[shown.start : shown.stop].tolist()
        return {n: Step(*divmod(n, self.T), token_id) for n, token_id in zip(shown, ids, strict=True)}

    def sequences(self, at: int = 0) -> Tensor:
        """Return the sequences [B, T] that the tokens shown are in, the last one padded with ID 0."""
        shown = shown_rows(self.ids.numel(), at)
        ids = self.ids.flatten()[shown.start - shown.start % self.T : -(-shown.stop // self.T) * self.T]
        return pad(ids, (0, -len(ids) % self.T)).view(-1, self.T)


def journey(token_ids: Sequence[int] | np.ndarray, settings: Settings) -> Journey:
    """Return the typed IDs, or all those of a text in sequences of at most T.

    Raises ValueError if there are none. The message is shown to learners.
    """
    if settings.typed:
        ids = torch.tensor(typed_batch(settings))
        return Journey(ids, ids.shape[1])
    T = settings.context_length if fills_window(len(token_ids), settings) else len(token_ids)
    return Journey(torch.tensor(token_ids, dtype=torch.int64)[None], T)


def same_id_steps(followed: Journey) -> tuple[Step, Step] | None:
    """Return the first two of the tokens shown at first that have the same ID, or None."""
    steps = followed.steps()
    found = repeated_ids([step.token_id for step in steps.values()])
    return (steps[found[0][1]], steps[found[0][2]]) if found else None
