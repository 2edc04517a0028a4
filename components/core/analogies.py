"""Questions to word vectors: analogies with the inputs kept or struck out, neighbours, the odd one out, similarity.

gensim does the arithmetic. Public demos strike the inputs out of the answer without a word; here that is a choice.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

import numpy as np
from gensim.models import KeyedVectors

from components.core.choices import METHODS

SPELLINGS_SEARCHED = 50_000  # the most frequent words; a search through 400,000 takes seconds
TIE = 1e-6  # scores that float32 cannot tell apart
Ranked = list[tuple[str, float]]


def unknown_word(vectors: KeyedVectors, words: Sequence[str]) -> str | None:
    """Return a sentence that names the first word without a vector and the nearest spellings, else None.

    >>> vectors = KeyedVectors(1)
    >>> vectors.add_vectors(["king", "queen"], np.ones((2, 1), dtype=np.float32))
    >>> unknown_word(vectors, ["king", "quen"])
    "'quen' is not among the 2 words here. Did you mean queen?"
    """
    for word in words:
        if not word:
            return "There is no word yet: type one."
        if word in vectors and not vectors[word].any():
            return f"The vector of '{word[:40]}' is all zeros and points nowhere: choose another word."
        if word not in vectors:
            near = nearest_spellings(vectors, word)
            hint = f"Did you mean {' or '.join(near)}?" if near else "No spelling comes near: try another word."
            return f"'{word[:40]}' is not among the {len(vectors):,} words here. {hint}"
    return None


def nearest_spellings(vectors: KeyedVectors, word: str, count: int = 3) -> list[str]:
    """Return the same word in another capitalisation, else the words spelled most like it."""
    cases = [form for form in (word.lower(), word.capitalize(), word.upper()) if form in vectors]
    return cases or get_close_matches(word, vectors.index_to_key[:SPELLINGS_SEARCHED], count, 0.6)


def _known(vectors: KeyedVectors, words: Sequence[str]) -> None:
    if problem := unknown_word(vectors, words):
        raise ValueError(problem)


def analogy(
    vectors: KeyedVectors,
    positive: Sequence[str],
    negative: Sequence[str] = (),
    topn: int = 10,
    keep_inputs: bool = False,
    method: str = "add",
) -> Ranked:
    """Return the `topn` words nearest to the sum of `positive` minus the sum of `negative`, with their scores.

    "add" is 3CosAdd: the score is the cosine with the mean of the unit vectors (Mikolov et al., 2013). "mul" is
    3CosMul: products and quotients of cosines moved into 0 to 1 (Levy and Goldberg, 2014). Raises ValueError, in a
    plain sentence, for a word without a vector and for another method.

    >>> vectors = KeyedVectors(2)
    >>> vectors.add_vectors(["a", "b", "c", "d"], np.array([[1, 0], [0, 1], [0, 2], [2, 1]], dtype=np.float32))
    >>> [word for word, _ in analogy(vectors, ["a", "c"], ["b"])]
    ['d']
    >>> [word for word, _ in analogy(vectors, ["a", "c"], ["b"], keep_inputs=True)]
    ['a', 'd', 'b', 'c']
    """
    if method not in METHODS:
        raise ValueError(f"method = {method!r} is neither add nor mul.")
    _known(vectors, [*positive, *negative])
    if not positive and not negative:
        raise ValueError("There is no word yet: an analogy needs at least one.")
    if not keep_inputs:
        ask = vectors.most_similar if method == "add" else vectors.most_similar_cosmul
        return _plain(ask(positive=list(positive), negative=list(negative), topn=topn))
    return _plain(_asked_by_vectors(vectors, positive, negative, topn, method))


def _asked_by_vectors(
    vectors: KeyedVectors, positive: Sequence[str], negative: Sequence[str], topn: int | None, method: str
) -> Any:
    """Return the answers with the inputs kept: gensim strikes out words, not vectors; all scores for topn = None."""
    if method == "mul":  # it takes vectors as long as they come
        plus, minus = ([vectors.get_vector(word, norm=True) for word in words] for words in (positive, negative))
        return vectors.most_similar_cosmul(positive=plus, negative=minus, topn=topn)
    weights = [1.0] * len(positive) + [-1.0] * len(negative)
    mean = vectors.get_mean_vector([*positive, *negative], weights, pre_normalize=True, post_normalize=True)
    return vectors.similar_by_vector(mean, topn=topn)


@dataclass(frozen=True)
class Place:
    """Where one word stands among all: its score, its rank with the inputs kept, and with them struck out."""

    score: float
    kept: int
    struck: int


def place_of(
    vectors: KeyedVectors, positive: Sequence[str], negative: Sequence[str], word: str, method: str = "add"
) -> Place:
    """Return where `word` stands in the answer to an analogy by either method; words as near as it stand before it.

    Raises ValueError for a word without a vector.

    >>> vectors = KeyedVectors(2)
    >>> vectors.add_vectors(["a", "b", "c", "d"], np.array([[1, 0], [0, 1], [0, 2], [2, 1]], dtype=np.float32))
    >>> place = place_of(vectors, ["a", "c"], ["b"], "d")
    >>> round(place.score, 4), place.kept, place.struck
    (0.8944, 2, 1)
    """
    inputs = [*positive, *negative]
    _known(vectors, [*inputs, word])
    scores = _asked_by_vectors(vectors, positive, negative, None, method)
    own = scores[vectors.key_to_index[word]]
    before = scores >= own - TIE
    kept = int(before.sum())
    return Place(float(own), kept, kept - int(before[[vectors.key_to_index[one] for one in {*inputs} - {word}]].sum()))


def neighbours(vectors: KeyedVectors, word: str, topn: int = 10) -> Ranked:
    """Return the words with the largest cosine to `word`; raises ValueError for a word without a vector."""
    return analogy(vectors, [word], topn=topn)


def odd_one_out(vectors: KeyedVectors, words: Sequence[str]) -> str:
    """Return the word whose vector lies farthest from the mean of all; raises ValueError for fewer than three words.

    >>> vectors = KeyedVectors(2)
    >>> vectors.add_vectors(["a", "b", "c"], np.array([[1, 0], [9, 1], [0, 1]], dtype=np.float32))
    >>> odd_one_out(vectors, ["a", "b", "c"])
    'c'
    """
    if len(set(words)) < 3:
        raise ValueError(f"{len(set(words))} different words are too few: write three or more.")
    _known(vectors, words)
    return min((similarity, word) for similarity, word in vectors.rank_by_centrality(list(words)))[1]


def similarities(vectors: KeyedVectors, words: Sequence[str]) -> np.ndarray:
    """Return the cosine of every pair of words [words, words]; raises ValueError for a word without a vector.

    >>> vectors = KeyedVectors(2)
    >>> vectors.add_vectors(["a", "b"], np.array([[1, 0], [1, 1]], dtype=np.float32))
    >>> similarities(vectors, ["a", "b"]).round(4).tolist()
    [[1.0, 0.7071], [0.7071, 1.0]]
    """
    _known(vectors, words)
    unit = np.stack([vectors.get_vector(word, norm=True) for word in words]).astype(np.float64)  # [words, D]
    return unit @ unit.T


def starts_with(vectors: KeyedVectors, start: str, count: int = 8) -> list[str]:
    """Return the most frequent words that start with `start`, in order of frequency.

    >>> vectors = KeyedVectors(1)
    >>> vectors.add_vectors(["queen", "quiet", "king"], np.ones((3, 1), dtype=np.float32))
    >>> starts_with(vectors, "qu")
    ['queen', 'quiet']
    """
    found = []
    for word in vectors.index_to_key:
        if word.startswith(start):
            found.append(word)
            if len(found) == count:
                break
    return found


def _plain(ranked: Sequence[tuple[str, float]]) -> Ranked:
    return [(word, float(score)) for word, score in ranked]
