"""A training as the page needs it: in slices of time, with snapshots for its map, and of known size in memory."""

import time

import torch
from jaxtyping import Bool
from torch import Tensor

from components.training.config import TrainingConfig
from components.training.model import Training
from components.training.snapshots import SnapshotRecorder
from components.training.training_text import TrainingText

MAX_RECORDED_ROWS = 24


class RecordedTraining(Training):
    """A training that stores snapshots of its most frequent rows, and how often each row was looked up.

    >>> from components.training.training_text import training_text
    >>> training = RecordedTraining(training_text([7, 5, 7, 5, 7, 9], context_length=4, stride=4), TrainingConfig())
    >>> training.advance(3, seconds=60.0)
    >>> len(training.losses), training.snapshots.steps
    (3, [0, 1, 2, 3])
    """

    def __init__(self, text: TrainingText, config: TrainingConfig) -> None:
        super().__init__(text, config)
        self.snapshots = SnapshotRecorder(text.rows_to_show(MAX_RECORDED_ROWS), self)
        self.n_batches = torch.zeros(text.vocab_size, dtype=torch.int64)  # with each row
        self._text_loss = (-1, 0.0)  # the number of steps when it was computed, and the loss

    def step(self) -> None:
        """Take a step, and record it."""
        super().step()
        if not self.diverged:
            self.n_batches[self.batch.unique()] += 1
            self.snapshots.record(self)

    def advance(self, steps: int, seconds: float) -> None:
        """Train until there are `steps` steps in all, until `seconds` have passed, or until the loss has diverged."""
        end = time.perf_counter() + seconds
        while len(self.losses) < steps and not self.diverged and time.perf_counter() < end:
            self.step()

    def text_loss(self) -> float:
        """Return the mean loss over all windows, computed once for each step."""
        if self._text_loss[0] != len(self.losses):
            self._text_loss = (len(self.losses), super().text_loss())
        return self._text_loss[1]

    @property
    def seen(self) -> Bool[Tensor, " V"]:
        """Whether each row was in a batch."""
        return self.n_batches > 0

    @property
    def nbytes(self) -> int:
        """The approximate memory in bytes: the tables, their copies, and the state of the optimizer."""
        return 14 * self.table.nbytes + self.snapshots.nbytes + 100 * len(self.text.pairs)
