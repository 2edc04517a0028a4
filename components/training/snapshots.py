"""Snapshots of a few rows during training, and the 2-D projection on which their changes are shown."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from torch import Tensor

from components.embedding.projection import project

MAX_FRAMES = 32


@dataclass(frozen=True)
class EmbeddingMap:
    """Points [frames, rows, 2] after `steps`, all on the same two axes, and the variance that each axis explains."""

    steps: tuple[int, ...]
    points: np.ndarray
    shares: tuple[float, float]


class SnapshotRecorder:
    """Snapshots of `rows` of a table, at most MAX_FRAMES: if there are more, every second one is deleted.

    >>> import torch
    >>> snapshots = SnapshotRecorder([0, 2], torch.zeros(3, 2))
    >>> for step in range(1, 101):
    ...     snapshots.record_snapshot(step, torch.full((3, 2), float(step)))
    >>> snapshots.every, snapshots.steps[:3], snapshots.steps[-1]
    (4, [0, 4, 8], 100)
    """

    def __init__(self, rows: Sequence[int], table: Float[Tensor, "V D"]) -> None:
        self.rows, self.every = list(rows), 1
        self.steps: list[int] = []
        self._frames: list[np.ndarray] = []
        self.record_snapshot(0, table)

    def record_snapshot(self, step: int, table: Float[Tensor, "V D"]) -> None:
        """Store the rows as they are after `step` if that step is a multiple of `every`."""
        if step % self.every:
            return
        self.steps.append(step)
        self._frames.append(table[self.rows].numpy(force=True))
        if len(self.steps) > MAX_FRAMES:
            self.every *= 2
            self.steps, self._frames = self.steps[::2], self._frames[::2]

    def project(self, step: int, table: Float[Tensor, "V D"]) -> EmbeddingMap:
        """Return all snapshots and the table after `step` on the first two principal components of all of them.

        Snapshots that contain NaN or infinity are left out. Raises ValueError for fewer than two rows.

        >>> import torch
        >>> snapshots = SnapshotRecorder([0, 1], torch.tensor([[0.0, 0.0], [2.0, 0.0]]))
        >>> snapshots.project(1, torch.tensor([[0.0, 0.0], [4.0, 0.0]])).points[1].round(2).tolist()
        [[-1.5, 0.0], [2.5, 0.0]]
        """
        frames = dict(zip(self.steps, self._frames, strict=True)) | {step: table[self.rows].numpy(force=True)}
        frames = {step: frame for step, frame in frames.items() if np.isfinite(frame).all()}
        projection = project(np.concatenate([*frames.values()]))
        points = projection.points.reshape(len(frames), len(self.rows), 2)
        return EmbeddingMap(tuple(frames), points, projection.shares)

    @property
    def nbytes(self) -> int:
        """The memory of all snapshots, in bytes."""
        return sum(frame.nbytes for frame in self._frames)


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
