"""Snapshots of a few rows during training, and the 2-D projection on which their changes are shown."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from components.embedding.projection import project
from components.training.model import Training

EVERY_STEP_TO = 20  # each step up to this one is recorded
GROWTH = 1.3  # then the distances grow by this factor


@dataclass(frozen=True)
class Snapshot:
    """Rows [rows, D] before a step and after it, and what the step did in the whole table."""

    step: int
    loss: float
    before: np.ndarray
    after: np.ndarray
    looked_up: tuple[int, ...]  # the IDs of the batch, in order
    n_changed: int  # rows of the table
    farthest: int  # the row that moved farthest
    distance: float  # how far


@dataclass(frozen=True)
class EmbeddingMap:
    """Points [frames, rows, 2] before and after each snapshot, on the same two axes, and the variance of each axis."""

    snapshots: tuple[Snapshot, ...]
    before: np.ndarray
    after: np.ndarray
    shares: tuple[float, float]

    @property
    def steps(self) -> list[int]:
        """The steps of the snapshots."""
        return [each.step for each in self.snapshots]


def is_recorded(step: int) -> bool:
    """Return whether a snapshot of this step is stored: of the first steps, then at growing distances.

    >>> [step for step in range(2_001) if is_recorded(step)][20:]
    [20, 26, 34, 44, 57, 74, 97, 125, 163, 212, 276, 358, 466, 606, 787, 1024, 1331, 1730]
    """
    recorded = float(EVERY_STEP_TO)
    while round(recorded) < step:
        recorded *= GROWTH
    return step <= EVERY_STEP_TO or round(recorded) == step


class SnapshotRecorder:
    """Snapshots of `rows` of the table of a training: its start, and the steps that `is_recorded` names.

    >>> from components.training.config import TrainingConfig
    >>> from components.training.training_text import training_text
    >>> training = Training(training_text([7, 5, 7, 5, 7, 9], 4, 4), TrainingConfig(batch_size=1))
    >>> snapshots = SnapshotRecorder([0, 2], training)
    >>> for step in range(25):
    ...     training.step()
    ...     snapshots.record(training)
    >>> snapshots.steps[-3:], snapshots.stored[1].n_changed, snapshots.project(training).steps[-3:]
    ([18, 19, 20], 2, [19, 20, 25])
    """

    def __init__(self, rows: Sequence[int], training: Training) -> None:
        self.rows = list(rows)
        self.stored = [self.snapshot(training)]

    @property
    def steps(self) -> list[int]:
        """The steps of the stored snapshots."""
        return [each.step for each in self.stored]

    def record(self, training: Training) -> None:
        """Store what the last step has changed if it is one of those to be recorded."""
        if is_recorded(len(training.losses)):
            self.stored.append(self.snapshot(training))

    def snapshot(self, training: Training) -> Snapshot:
        """Return what the last step has changed."""
        before, after = training.previous_table, training.table
        distances = (after - before).norm(dim=1)
        farthest = int(distances.argmax())
        return Snapshot(
            len(training.losses),
            training.losses[-1] if training.losses else math.nan,
            before[self.rows].numpy(force=True),
            after[self.rows].numpy(force=True),
            tuple(training.batch.flatten().tolist()),
            int(after.ne(before).any(dim=1).sum()),
            farthest,
            float(distances[farthest]),
        )

    def project(self, training: Training, only_start: bool = False) -> EmbeddingMap:
        """Return all snapshots, and the last step, on the first two principal components of the rows after each.

        With `only_start` there is only the one before the first step. Snapshots that contain NaN or infinity are left
        out. Raises ValueError for fewer than two rows.
        """
        recorded = training.diverged or len(training.losses) == self.stored[-1].step
        last = [] if recorded else [self.snapshot(training)]
        found = [each for each in [*self.stored, *last] if np.isfinite(each.after).all()]
        found = found[:1] if only_start else found
        after = np.stack([each.after for each in found]).astype(np.float64)  # [frames, rows, D]
        projection = project(after.reshape(-1, after.shape[2]))
        points = projection.points.reshape(len(found), len(self.rows), 2)
        changes = (after - np.stack([each.before for each in found])) @ projection.axes.T
        return EmbeddingMap(tuple(found), points - changes, points, projection.shares)

    @property
    def nbytes(self) -> int:
        """The memory of all snapshots, in bytes."""
        return sum(each.before.nbytes + each.after.nbytes for each in self.stored)


def neighbour_mismatches(points: Float[np.ndarray, "rows 2"], vectors: Float[np.ndarray, "rows D"]) -> int:
    """Return for how many rows the nearest neighbour in the projection is not the nearest in all D dimensions.

    >>> points = np.array([[0.0, 0.0], [1.0, 0.0], [3.0, 0.0]])
    >>> neighbour_mismatches(points, np.array([[0.0, 9.0], [1.0, 0.0], [3.0, 9.0]]))
    2
    """
    nearest = []
    for rows in (points, vectors):
        distances = np.linalg.norm(rows[:, None].astype(float) - rows[None].astype(float), axis=2)  # [rows, rows]
        np.fill_diagonal(distances, np.inf)
        nearest.append(distances.argmin(axis=1))
    return int((nearest[0] != nearest[1]).sum())
