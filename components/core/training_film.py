"""Snapshots of a few rows while they learn, and the flat map on which they are shown moving."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from torch import Tensor

from components.core.word_map import word_map

MAX_FRAMES = 32


@dataclass(frozen=True)
class FilmMap:
    """Points [frames, rows, 2] at `steps`, all on the same two axes, and the share of the variance of each axis."""

    steps: tuple[int, ...]
    points: np.ndarray
    shares: tuple[float, float]


class Film:
    """Snapshots of `rows` of a table, at most MAX_FRAMES: when there are more, every second one is let go.

    >>> import torch
    >>> film = Film([0, 2], torch.zeros(3, 2))
    >>> for step in range(1, 101):
    ...     film.shoot(step, torch.full((3, 2), float(step)))
    >>> film.every, film.steps[:3], film.steps[-1]
    (4, [0, 4, 8], 100)
    """

    def __init__(self, rows: Sequence[int], table: Float[Tensor, "V D"]) -> None:
        self.rows, self.every = list(rows), 1
        self.steps: list[int] = []
        self._frames: list[np.ndarray] = []
        self.shoot(0, table)

    def shoot(self, step: int, table: Float[Tensor, "V D"]) -> None:
        """Keep the rows as they are after `step`, where it is that step's turn."""
        if step % self.every:
            return
        self.steps.append(step)
        self._frames.append(table[self.rows].numpy(force=True))
        if len(self.steps) > MAX_FRAMES:
            self.every *= 2
            self.steps, self._frames = self.steps[::2], self._frames[::2]

    def project(self, step: int, table: Float[Tensor, "V D"]) -> FilmMap:
        """Return all frames, and the table as it stands at `step`, on the two directions in which they differ most.

        Frames with numbers that are not finite are left out. Raises ValueError for fewer than two rows.

        >>> import torch
        >>> film = Film([0, 1], torch.tensor([[0.0, 0.0], [2.0, 0.0]]))
        >>> film.project(1, torch.tensor([[0.0, 0.0], [4.0, 0.0]])).points[1].round(2).tolist()
        [[-1.5, 0.0], [2.5, 0.0]]
        """
        frames = dict(zip(self.steps, self._frames, strict=True)) | {step: table[self.rows].numpy(force=True)}
        frames = {step: frame for step, frame in frames.items() if np.isfinite(frame).all()}
        flat = word_map(np.concatenate([*frames.values()]))
        return FilmMap(tuple(frames), flat.points.reshape(len(frames), len(self.rows), 2), flat.shares)

    @property
    def nbytes(self) -> int:
        """The memory of all frames."""
        return sum(frame.nbytes for frame in self._frames)


def misplaced(flat: Float[np.ndarray, "rows 2"], vectors: Float[np.ndarray, "rows D"]) -> int:
    """Return for how many rows the nearest neighbour on the map is not the nearest in all D dimensions.

    >>> misplaced(np.array([[0.0, 0.0], [1.0, 0.0], [3.0, 0.0]]), np.array([[0.0, 9.0], [1.0, 0.0], [3.0, 9.0]]))
    2
    """
    nearest = []
    for points in (flat, vectors):
        apart = np.linalg.norm(points[:, None].astype(float) - points[None].astype(float), axis=2)  # [rows, rows]
        np.fill_diagonal(apart, np.inf)
        nearest.append(apart.argmin(axis=1))
    return int((nearest[0] != nearest[1]).sum())
