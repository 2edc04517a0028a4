"""The 19,544 analogy questions of Mikolov et al. (2013), section by section, asked with the inputs struck out and kept.

The file questions-words.txt comes with gensim; the usual score strikes the three inputs out of the answers.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import gensim
import numpy as np
from gensim.models import KeyedVectors

QUESTIONS = Path(gensim.__file__).parent / "test" / "test_data" / "questions-words.txt"
MOST_WORDS = 30_000  # only the most frequent words may answer, as in word2vec's own script
AT_ONCE = 256  # questions in one product of matrices
Words = tuple[str, str, str, str]


@dataclass(frozen=True)
class Score:
    """One section: how many questions there are, how many have all four words, and how many of those are solved."""

    section: str
    asked: int
    covered: int
    solved: int
    solved_with_inputs: int


def totals(scores: Sequence[Score]) -> list[Score]:
    """Return the scores added up: of the sections about meaning, of those about grammar ("gram…"), and of all.

    >>> totals([Score("family", 3, 2, 1, 0), Score("gram8-plural", 3, 3, 3, 1)])[2]
    Score(section='all', asked=6, covered=5, solved=4, solved_with_inputs=1)
    """

    def added(name: str, some: Sequence[Score]) -> Score:
        columns = [(one.asked, one.covered, one.solved, one.solved_with_inputs) for one in some]
        return Score(name, *map(sum, zip((0, 0, 0, 0), *columns, strict=True)))

    grammar = [one for one in scores if one.section.startswith("gram")]
    meaning = [one for one in scores if one not in grammar]
    return [added("about meaning", meaning), added("about grammar", grammar), added("all", scores)]


@cache
def sections() -> dict[str, tuple[Words, ...]]:
    """Return the questions by section: a is to b as c is to the answer.

    >>> len(sections()), sum(map(len, sections().values())), sections()["family"][0]
    (14, 19544, ('boy', 'girl', 'brother', 'sister'))
    """
    found: dict[str, list[Words]] = {}
    for line in QUESTIONS.read_text("utf-8").splitlines():
        if line.startswith(":"):
            found[line[1:].strip()] = []
        elif len(words := line.split()) == 4:
            found[next(reversed(found))].append(tuple(words))
    return {name: tuple(questions) for name, questions in found.items()}


def score(vectors: KeyedVectors, section: str, questions: tuple[Words, ...]) -> Score:
    """Return how many questions of one section these vectors solve, inputs struck out and inputs kept.

    Capital letters make no difference, as with gensim; of two spellings the more frequent one counts. The answer is the
    nearest of the MOST_WORDS most frequent words to b - a + c, all as unit vectors.

    >>> vectors = KeyedVectors(2)
    >>> vectors.add_vectors(["a", "b", "c", "d"], np.array([[1, 0], [0, 1], [2, 1], [1, 2]], dtype=np.float32))
    >>> score(vectors, "letters", (("a", "b", "c", "d"), ("a", "b", "c", "x")))
    Score(section='letters', asked=2, covered=1, solved=1, solved_with_inputs=0)
    """
    row_of = {word.lower(): row for row, word in reversed([*enumerate(vectors.index_to_key[:MOST_WORDS])])}
    rows = [[row_of.get(word.lower()) for word in words] for words in questions]
    covered = np.array([row for row in rows if None not in row and len(set(row)) == 4], dtype=np.int64).reshape(-1, 4)
    vectors.fill_norms()  # once; gensim keeps them
    norms = vectors.norms[:MOST_WORDS, None]
    unit = vectors.vectors[:MOST_WORDS] / np.where(norms == 0, 1, norms)  # [words, D]; zeros answer nothing
    solved = kept = 0
    for start in range(0, len(covered), AT_ONCE):
        a, b, c, answer = covered[start : start + AT_ONCE].T  # each [questions]
        cosines = (unit[b] - unit[a] + unit[c]) @ unit.T  # [questions, words]; lengths do not change the order
        kept += int((cosines.argmax(axis=1) == answer).sum())
        for inputs in (a, b, c):
            cosines[np.arange(len(a)), inputs] = -np.inf
        solved += int((cosines.argmax(axis=1) == answer).sum())
    return Score(section, len(questions), len(covered), solved, kept)
