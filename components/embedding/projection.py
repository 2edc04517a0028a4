"""Vectors as a 2-D projection: principal components (PCA), with the explained variance."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float


@dataclass(frozen=True)
class Projection:
    """Points [words, 2], the share of the variance that each axis explains, and the axes [2, D] with their origin."""

    points: np.ndarray
    shares: tuple[float, float]
    origin: np.ndarray
    axes: np.ndarray

    def apply(self, vectors: Float[np.ndarray, "... D"]) -> Float[np.ndarray, "... 2"]:
        """Return other vectors on the same two axes."""
        return (vectors.astype(np.float64) - self.origin) @ self.axes.T


def project(vectors: Float[np.ndarray, "words D"]) -> Projection:
    """Return the first two principal components of a few vectors [words, D]: Pearson (1901), by singular values.

    The sign of each axis is fixed by its largest component, so that the same words always give the same points.
    """
    vectors = vectors.astype(np.float64)
    origin = vectors.mean(axis=0)
    centered = vectors - origin  # [words, D]
    _, singular_values, axes = np.linalg.svd(centered, full_matrices=False)
    axes = np.vstack([axes, np.zeros((2, vectors.shape[1]))])[:2]  # [2, D]; D = 1 has only one axis
    signs = np.sign(axes[np.arange(2), np.abs(axes).argmax(axis=1)])
    axes = axes * np.where(signs == 0, 1.0, signs)[:, None]
    variance = np.append(singular_values**2, [0.0, 0.0])
    total = variance.sum() or 1.0
    shares = (float(variance[0] / total), float(variance[1] / total))
    return Projection(centered @ axes.T, shares, origin, axes)
