"""Vectors on their first principal components (PCA), with the explained variance."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float


@dataclass(frozen=True)
class Projection:
    """Points [words, n], the share of the variance that each axis explains, and the n axes [n, D] with their origin."""

    points: np.ndarray
    shares: tuple[float, ...]
    origin: np.ndarray
    axes: np.ndarray

    def apply(self, vectors: Float[np.ndarray, "... D"]) -> Float[np.ndarray, "... n"]:
        """Return other vectors on the same axes."""
        return (vectors.astype(np.float64) - self.origin) @ self.axes.T


def project(vectors: Float[np.ndarray, "words D"], n: int = 2) -> Projection:
    """Return the first n principal components of a few vectors [words, D]: Pearson (1901), by singular values.

    The sign of each axis is fixed by its largest component, so that the same words always give the same points.
    """
    vectors = vectors.astype(np.float64)
    origin = vectors.mean(axis=0)
    centered = vectors - origin  # [words, D]
    _, singular_values, axes = np.linalg.svd(centered, full_matrices=False)
    axes = np.vstack([axes, np.zeros((n, vectors.shape[1]))])[:n]  # [n, D]; D = 1 has only one axis
    signs = np.sign(axes[np.arange(n), np.abs(axes).argmax(axis=1)])
    axes = axes * np.where(signs == 0, 1.0, signs)[:, None]
    variance = np.append(singular_values**2, [0.0] * n)
    shares = variance[:n] / (variance.sum() or 1.0)
    return Projection(centered @ axes.T, tuple(shares.tolist()), origin, axes)
