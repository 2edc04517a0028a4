"""A training as the page needs it: in slices of time, with snapshots and their projection, of known size in memory."""

import math
import time
from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Float

from components.base.limits import MAX_TEXT_LOSS_LOGITS
from components.embedding.projection import project
from components.training.config import TrainingConfig
from components.training.model import Training
from components.training.training_text import TrainingText

# Of which a snapshot is stored: the first 12 steps, then steps at growing distances. Of 200 steps they are 20.
RECORDED_STEPS = {*range(13)} | {round(12 * (200 / 12) ** (n / 8)) for n in range(40)}


@dataclass(frozen=True)
class Snapshot:
    """Rows [rows, D] before a step and after it, and what the step did in the whole table."""

    step: int
    loss: float
    before: np.ndarray
    after: np.ndarray
    looked_up: tuple[int, ...]  # the rows of the batch, each once, in order; at step 0 of the next batch
    n_changed: int  # rows of the table
    farthest: int  # the row that changed most
    distance: float  # how far


@dataclass(frozen=True)
class EmbeddingMap:
    """Points [frames, rows, 2] before and after each step, on the same two axes, and their explained variance."""

    snapshots: tuple[Snapshot, ...]
    before: np.ndarray
    after: np.ndarray
    shares: tuple[float, float]


class RecordedTraining(Training):
    """A training with snapshots of its most frequent rows, and how many batches had each row."""

    def __init__(self, text: TrainingText, config: TrainingConfig) -> None:
        super().__init__(text, config)
        self.shown_rows = text.rows_to_show()
        self.snapshots = [self.snapshot()]
        self.n_batches = torch.zeros(text.vocab_size, dtype=torch.int64)  # with each row
        self._text_loss = (-1, 0.0)  # the number of steps when it was computed, and the loss

    def step(self) -> None:
        super().step()
        if not self.diverged:
            self.n_batches[self.batch.unique()] += 1
            if len(self.losses) in RECORDED_STEPS:
                self.snapshots.append(self.snapshot())

    def advance(self, steps: int, seconds: float) -> None:
        """Train until there are `steps` steps in all, until `seconds` have passed, or until the loss has diverged."""
        end = time.perf_counter() + seconds
        while len(self.losses) < steps and not self.diverged and time.perf_counter() < end:
            self.step()

    @property
    def text_loss_is_quick(self) -> bool:
        """Whether the text is so short that the page can show the loss over all windows."""
        return self.text.inputs.numel() * self.text.vocab_size <= MAX_TEXT_LOSS_LOGITS

    def text_loss(self) -> float:
        """Return the mean loss over all windows, computed once for each step."""
        if self._text_loss[0] != len(self.losses):
            self._text_loss = (len(self.losses), super().text_loss())
        return self._text_loss[1]

    def snapshot(self) -> Snapshot:
        """Return what the last step has changed."""
        before, after = self.previous_table, self.table
        batch = self.batch if self.losses else self.text.inputs[self.upcoming_windows]
        distances = (after.double() - before).norm(dim=1)  # in float32 a square can be out of range
        farthest = int(distances.argmax())
        return Snapshot(
            len(self.losses),
            self.losses[-1] if self.losses else math.nan,
            before[self.shown_rows].numpy(),
            after[self.shown_rows].numpy(),
            tuple(dict.fromkeys(batch.flatten().tolist())),
            int(after.ne(before).any(dim=1).sum()),
            farthest,
            float(distances[farthest]),
        )

    def project(self, only_start: bool = False) -> EmbeddingMap:
        """Return all snapshots, and the last step, on the first two principal components of the rows after each.

        With `only_start` there is only the one before the first step. Snapshots that contain NaN or infinity are left
        out.
        """
        recorded = self.diverged or len(self.losses) == self.snapshots[-1].step
        last = [] if recorded else [self.snapshot()]
        found = [each for each in [*self.snapshots, *last] if np.isfinite(each.after).all()]
        found = found[:1] if only_start else found
        after = np.stack([each.after for each in found]).astype(np.float64)  # [frames, rows, D]
        projection = project(after.reshape(-1, after.shape[2]))
        points = projection.points.reshape(len(found), len(self.shown_rows), 2)
        changes = (after - np.stack([each.before for each in found])) @ projection.axes.T
        return EmbeddingMap(tuple(found), points - changes, points, projection.shares)

    @property
    def nbytes(self) -> int:
        """The approximate memory in bytes: tables, copies, the state of the optimizer, what is recorded, the text."""
        recorded = sum(2 * each.after.nbytes + 8 * len(each.looked_up) for each in self.snapshots)
        text = 24 * len(self.text.rows) + self.text.pairs.nbytes + 80 * self.text.vocab_size
        return 14 * self.table.nbytes + recorded + text + 32 * len(self.losses)


def neighbor_mismatches(points: Float[np.ndarray, "rows 2"], vectors: Float[np.ndarray, "rows D"]) -> int:
    """Return for how many rows the nearest neighbor in the projection is not the nearest in all D dimensions.

    >>> points = np.array([[0.0, 0.0], [1.0, 0.0], [3.0, 0.0]])
    >>> neighbor_mismatches(points, np.array([[0.0, 9.0], [1.0, 0.0], [3.0, 9.0]]))
    2
    """
    nearest = []
    for rows in (points, vectors):
        distances = np.linalg.norm(rows[:, None].astype(float) - rows[None].astype(float), axis=2)  # [rows, rows]
        np.fill_diagonal(distances, np.inf)
        nearest.append(distances.argmin(axis=1))
    return int((nearest[0] != nearest[1]).sum())
