"""Queries on word vectors: analogies, ranks, and cosine similarities.

gensim does the arithmetic. It excludes the input words from the results; here that is a choice.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import islice
from typing import Any

import numpy as np
from gensim.models import KeyedVectors

from components.base.field_types import quote
from components.base.text_format import pluralize

SPELLINGS_SEARCHED = 50_000  # the most frequent words; a search through 400,000 takes seconds
LEAST_MATCH = 0.7  # share of the characters of two words that match, as difflib counts them
TIE_TOLERANCE = 1e-6  # smaller differences are within the precision of float32
Ranked = list[tuple[str, float]]


def unknown_word(vectors: KeyedVectors, words: Sequence[str]) -> str | None:
    """Return an error message if a word has no vector, with the nearest spellings, else None."""
    for word in words:
        if not word:
            return "A word is missing: type one."
        if word not in vectors:
            spellings = nearest_spellings(vectors, word)
            hint = f" Did you mean {' or '.join(spellings)}?" if spellings else ""
            return f"{quote(word)} is not among the {pluralize(len(vectors), 'word')} here.{hint}"
        if not has_direction(vectors, word):
            return f"The vector of {quote(word)} is all zeros and has no direction: choose another word."
    return None


def has_direction(vectors: KeyedVectors, word: str) -> bool:
    """Return whether a word has a vector that is not all zeros."""
    return word in vectors and bool(vectors[word].any())


def unanswerable(vectors: KeyedVectors, a: str, b: str, c: str) -> str | None:
    """Return an error message if a - b + c has no answer, else None.

    >>> vectors = KeyedVectors(1)
    >>> vectors.add_vectors(["king", "man"], np.ones((2, 1), dtype=np.float32))
    >>> unanswerable(vectors, "king", "man", "king")
    'Without the inputs no word is left as an answer: choose vectors of four words or more.'
    >>> unanswerable(vectors, "king", "man", "cat")
    "'cat' is not among the 2 words here."
    """
    if problem := unknown_word(vectors, [a, b, c]):
        return problem
    one, minus, plus = (vectors.get_vector(word, norm=True) for word in (a, b, c))
    if np.linalg.norm(one - minus + plus) < TIE_TOLERANCE:
        return "a − b + c of these unit vectors is 0 and has no direction: choose other words."
    if len(vectors) > len({a, b, c}):
        return None
    return "Without the inputs no word is left as an answer: choose vectors of four words or more."


def nearest_spellings(vectors: KeyedVectors, word: str) -> list[str]:
    """Return the word in another capitalization, or else the words with the most similar spelling."""
    cases = [form for form in (word.lower(), word.capitalize(), word.upper()) if form in vectors]
    return cases or get_close_matches(word, vectors.index_to_key[:SPELLINGS_SEARCHED], cutoff=LEAST_MATCH)


def _require_vectors(vectors: KeyedVectors, words: Sequence[str]) -> None:
    if problem := unknown_word(vectors, words):
        raise ValueError(problem)


def analogy(
    vectors: KeyedVectors,
    positive: Sequence[str],
    negative: Sequence[str] = (),
    topn: int = 10,
    include_inputs: bool = False,
    method: str = "add",
) -> Ranked:
    """Return the `topn` words nearest to the sum of `positive` minus the sum of `negative`, with their scores.

    "add" is 3CosAdd: the score is the cosine similarity with the mean of the unit vectors (Mikolov et al., 2013). "mul"
    is 3CosMul: products and quotients of cosines shifted to 0 … 1 (Levy and Goldberg, 2014). Raises ValueError if a
    word has no vector or the method is unknown. The message is shown to learners.

    >>> vectors = KeyedVectors(2)
    >>> vectors.add_vectors(["a", "b", "c", "d"], np.array([[1, 0], [0, 1], [0, 2], [2, 1]], dtype=np.float32))
    >>> [word for word, _ in analogy(vectors, ["a", "c"], ["b"])], analogy(vectors, ["b"], [], topn=1)
    (['d'], [('c', 1.0)])
    >>> [word for word, _ in analogy(vectors, ["a", "c"], ["b"], include_inputs=True)]
    ['a', 'd', 'b', 'c']
    """
    if method not in ("add", "mul"):
        raise ValueError(f"method = {method!r} is neither add nor mul.")
    _require_vectors(vectors, [*positive, *negative])
    if not positive and not negative:
        raise ValueError("A word is missing: an analogy needs at least one.")
    if include_inputs:
        return _rank_all_words(vectors, positive, negative, topn, method)
    query = vectors.most_similar if method == "add" else vectors.most_similar_cosmul
    return query(positive=list(positive), negative=list(negative), topn=topn)


def _rank_all_words(
    vectors: KeyedVectors, positive: Sequence[str], negative: Sequence[str], topn: int | None, method: str
) -> Any:
    """Return the results with the input words included, or the scores of all words if `topn` is None.

    gensim excludes inputs that are given as words, but not those that are given as vectors.
    """
    if method == "mul":  # most_similar_cosmul does not normalize vectors
        plus, minus = ([vectors.get_vector(word, norm=True) for word in words] for words in (positive, negative))
        return vectors.most_similar_cosmul(positive=plus, negative=minus, topn=topn)
    weights = [1.0] * len(positive) + [-1.0] * len(negative)
    mean = vectors.get_mean_vector([*positive, *negative], weights, pre_normalize=True, post_normalize=True)
    return vectors.similar_by_vector(mean, topn=topn)


@dataclass(frozen=True)
class WordRank:
    """The score of one word and its rank among all words, with the input words included and excluded.

    `is_shared` if another word has the same score.
    """

    score: float
    included: int
    excluded: int
    is_shared: bool


def rank_of(
    vectors: KeyedVectors, positive: Sequence[str], negative: Sequence[str], word: str, method: str = "add"
) -> WordRank:
    """Return the rank of `word` in the results of an analogy; words with the same score are counted before it.

    Raises ValueError if a word has no vector.
    """
    inputs = [*positive, *negative]
    _require_vectors(vectors, [*inputs, word])
    scores = _rank_all_words(vectors, positive, negative, None, method)
    own = scores[vectors.key_to_index[word]]
    before = scores >= own - TIE_TOLERANCE  # [words]
    included = int(before.sum())
    inputs_before = before[[vectors.key_to_index[other] for other in {*inputs} - {word}]]
    is_shared = int((scores[before] <= own + TIE_TOLERANCE).sum()) > 1
    return WordRank(float(own), included, included - int(inputs_before.sum()), is_shared)


def similarities(vectors: KeyedVectors, words: Sequence[str]) -> np.ndarray:
    """Return the cosine similarity of every pair of words, [words, words]. Raises ValueError if a word has no vector.

    >>> vectors = KeyedVectors(2)
    >>> vectors.add_vectors(["a", "b"], np.array([[1, 0], [1, 1]], dtype=np.float32))
    >>> similarities(vectors, ["a", "b"]).round(4).tolist()
    [[1.0, 0.7071], [0.7071, 1.0]]
    """
    _require_vectors(vectors, words)
    unit = np.stack([vectors.get_vector(word, norm=True) for word in words]).astype(np.float64)  # [words, D]
    return unit @ unit.T


def starts_with(vectors: KeyedVectors, start: str, count: int = 8) -> list[str]:
    """Return the most frequent words that start with `start`, in order of frequency."""
    return [*islice((word for word in vectors.index_to_key if word.startswith(start)), count)]
