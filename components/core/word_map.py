"""Word vectors on a flat map: the two directions in which they differ most, and how much the map leaves out."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float


@dataclass(frozen=True)
class WordMap:
    """Points [words, 2], and the share of the variance that each axis carries."""

    points: np.ndarray
    shares: tuple[float, float]


def word_map(vectors: Float[np.ndarray, "words D"]) -> WordMap:
    """Return the principal components of a few vectors [words, D]: Pearson (1901), by singular values.

    The sign of each axis is fixed by its largest entry, so that the same words always give the same map. Raises
    ValueError for fewer than two vectors.

    >>> flat = word_map(np.array([[0.0, 0.0, 1.0], [2.0, 0.0, 1.0], [4.0, 0.0, 1.0]]))
    >>> flat.points.round(4).tolist(), flat.shares
    ([[-2.0, 0.0], [0.0, 0.0], [2.0, 0.0]], (1.0, 0.0))
    """
    if len(vectors) < 2:
        raise ValueError(f"{len(vectors)} vectors make no map: name two or more words.")
    vectors = vectors.astype(np.float64)
    mean = vectors.mean(axis=0)
    _, sizes, directions = np.linalg.svd(vectors - mean, full_matrices=False)
    directions = np.vstack([directions, np.zeros((2, vectors.shape[1]))])[:2]  # D = 1 has one direction only
    signs = np.sign(directions[np.arange(2), np.abs(directions).argmax(axis=1)])
    directions = directions * np.where(signs == 0, 1.0, signs)[:, None]
    variance = np.append(sizes**2, [0.0, 0.0])
    total = variance.sum() or 1.0
    shares = (float(variance[0] / total), float(variance[1] / total))
    return WordMap((vectors - mean) @ directions.T, shares)
