"""The words of an analogy in three dimensions: their distances are those of the vectors, whatever D is."""

from dataclasses import dataclass

import numpy as np
from gensim.models import KeyedVectors
from jaxtyping import Float

SMALL = 1e-6  # of a unit vector: what float32 leaves of two equal directions


@dataclass(frozen=True)
class AnalogySpace:
    """Coordinates [3] of the words of a - b + c, of the sum, and of a word that may answer.

    b is the origin, c is on the first axis, a and the sum are in the plane of the first two axes.
    """

    a: np.ndarray
    b: np.ndarray
    c: np.ndarray
    sum: np.ndarray
    answer: np.ndarray

    @property
    def height(self) -> float:
        """The distance of the answer from the plane of the other words."""
        return float(self.answer[2])

    @property
    def foot(self) -> np.ndarray:
        """The point of the plane that is nearest to the answer."""
        return self.answer * np.array([1.0, 1.0, 0.0])

    def distance(self, point: np.ndarray) -> float:
        """Return the distance of a point [3] from the sum."""
        return float(np.linalg.norm(self.sum - point))


def analogy_space(vectors: KeyedVectors, a: str, b: str, c: str, answer: str) -> AnalogySpace:
    """Return the words as unit vectors in an orthonormal basis of their differences: Gram-Schmidt.

    >>> vectors = KeyedVectors(2)
    >>> vectors.add_vectors(["a", "b", "c", "d"], np.array([[1, 0], [0, 1], [0, 2], [2, 0]], dtype=np.float32))
    >>> space = analogy_space(vectors, "a", "b", "c", "d")
    >>> space.a.round(4).tolist(), space.sum.round(4).tolist(), space.height
    ([0.0, 1.4142, 0.0], [0.0, 1.4142, 0.0], 0.0)
    """
    origin = unit(vectors, b)
    differences = np.stack([unit(vectors, word) - origin for word in (c, a, answer)])  # [3, D]
    c_point, a_point, answer_point = coordinates(differences)
    return AnalogySpace(a_point, np.zeros(3), c_point, a_point + c_point, answer_point)


def coordinates(vectors: Float[np.ndarray, "3 D"]) -> Float[np.ndarray, "3 3"]:
    """Return three vectors [3, D] in an orthonormal basis of theirs; no diagonal element is below 0.

    >>> coordinates(np.array([[0.0, 2.0, 0.0, 0.0], [1.0, 1.0, 0.0, 0.0], [0.0, 0.0, 0.0, 3.0]])).tolist()
    [[2.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 3.0]]
    """
    basis = np.zeros((3, vectors.shape[1]))
    for axis, vector in enumerate(vectors):
        rest = vector - basis.T @ (basis @ vector)
        rest = rest - basis.T @ (basis @ rest)  # once more: nearly parallel vectors lose digits the first time
        if (norm := np.linalg.norm(rest)) > SMALL:
            basis[axis] = rest / norm
    return vectors @ basis.T


def unit(vectors: KeyedVectors, word: str) -> np.ndarray:
    """Return the vector [D] of a word divided by its norm, in double precision; zeros stay zeros, as in gensim."""
    vector = vectors[word].astype(np.float64)
    return vector / (np.linalg.norm(vector) or 1)
