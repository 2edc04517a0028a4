"""The 19,544 analogy questions of Mikolov et al. (2013), scored with the input words excluded and included.

The file questions-words.txt is part of gensim; the usual score excludes the three input words.
"""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
from gensim.models import KeyedVectors
from gensim.test.utils import datapath

MAX_WORDS = 30_000  # only the most frequent words are candidates, as in word2vec's own script
QUESTIONS_PER_PRODUCT = 32  # bounds the memory of one matrix product
Words = tuple[str, str, str, str]


class Score(NamedTuple):
    """The score of a section: the number of questions, of those with all four words, and of correct answers."""

    section: str
    questions: int
    covered: int
    correct: int
    correct_with_inputs: int


def totals(scores: Sequence[Score]) -> list[Score]:
    """Return the sums of the scores: of the sections about meaning, of those about grammar ("gram…"), and of all.

    >>> for total in totals([Score("family", 3, 2, 1, 0), Score("gram8-plural", 4, 3, 3, 1)]):
    ...     print(*total)
    about meaning 3 2 1 0
    about grammar 4 3 3 1
    all 7 5 4 1
    """

    def add_up(name: str, parts: Sequence[Score]) -> Score:
        counts = [part[1:] for part in parts]
        return Score(name, *map(sum, zip((0, 0, 0, 0), *counts, strict=True)))

    grammar = [part for part in scores if part.section.startswith("gram")]
    meaning = [part for part in scores if part not in grammar]
    return [add_up("about meaning", meaning), add_up("about grammar", grammar), add_up("all", scores)]


@cache
def sections() -> dict[str, tuple[Words, ...]]:
    """Return the questions by section: a is to b as c is to the fourth word.

    >>> len(sections()), sum(map(len, sections().values())), sections()["family"][0]
    (14, 19544, ('boy', 'girl', 'brother', 'sister'))
    """
    found: dict[str, list[Words]] = {}
    with open(datapath("questions-words.txt"), encoding="utf-8") as file:
        for line in file:
            if line.startswith(":"):
                questions = found.setdefault(line[1:].strip(), [])
            else:
                questions.append(tuple(line.split()))
    return {name: tuple(questions) for name, questions in found.items()}


def score(vectors: KeyedVectors, section: str, questions: tuple[Words, ...]) -> Score:
    """Return how many questions of a section these vectors answer correctly, input words excluded and included.

    Case is ignored, as in gensim; of two spellings the more frequent one counts. The answer is the nearest of the
    MAX_WORDS most frequent words to b - a + c, all as unit vectors.
    """
    row_of = {word.lower(): row for row, word in reversed([*enumerate(vectors.index_to_key[:MAX_WORDS])])}
    rows = [[row_of.get(word.lower()) for word in words] for words in questions]
    covered = np.array([row for row in rows if None not in row and len(set(row)) == 4], dtype=np.int64).reshape(-1, 4)
    vectors.fill_norms()  # computed once: gensim stores them
    norms = vectors.norms[:MAX_WORDS, None]
    unit = vectors.vectors[:MAX_WORDS] / np.where(norms == 0, 1, norms)  # [words, D]; zero vectors stay zero
    correct = correct_with_inputs = 0
    for start in range(0, len(covered), QUESTIONS_PER_PRODUCT):
        a, b, c, answer = covered[start : start + QUESTIONS_PER_PRODUCT].T  # each [questions]
        cosines = (unit[b] - unit[a] + unit[c]) @ unit.T  # [questions, words]; norms do not change the order
        correct_with_inputs += int((cosines.argmax(axis=1) == answer).sum())
        for inputs in (a, b, c):
            cosines[np.arange(len(a)), inputs] = -np.inf
        correct += int((cosines.argmax(axis=1) == answer).sum())
    return Score(section, len(questions), len(covered), correct, correct_with_inputs)
