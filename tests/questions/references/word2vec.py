import re
from functools import cache
from pathlib import Path

import numpy as np
from gensim.models import KeyedVectors

from components.base.learner_text import visible
from components.base.link import State
from components.lessons.word2vec.trained import chosen_vectors
from components.vectors.corpora import GRAMMAR
from tests.questions.references.learner import Learner
from tests.skipping import skip_or_fail

PUBLISHED = Path(__file__).parents[4] / "shared" / "data" / "word2vec-1000x300.bin"


@cache
def published():
    if not PUBLISHED.exists():
        skip_or_fail(f"{PUBLISHED} is missing: it is not part of this project")
    return KeyedVectors.load_word2vec_format(PUBLISHED, binary=True)


class Reference(Learner):
    """What is not the learner's is of the thousand words of word2vecjson, read by gensim."""

    @property
    def _grammar(self):
        return (self.choices.grammar or GRAMMAR).lower()

    @staticmethod
    def _ranked(vectors, a, b, c):
        """Return all words and their cosines with a - b + c, the nearest first."""
        unit = vectors.vectors / np.linalg.norm(vectors.vectors, axis=1, keepdims=True)
        query = unit[vectors.key_to_index[a]] - unit[vectors.key_to_index[b]] + unit[vectors.key_to_index[c]]
        scores = unit @ query / np.linalg.norm(query)
        return [(vectors.index_to_key[n], float(scores[n])) for n in scores.argsort()[::-1]]

    def nearest(self, a, b, c, expected):
        words = [word.strip() for word in (self.choices.word_a, self.choices.word_b, self.choices.word_c)]
        try:
            vectors = chosen_vectors(State(self.settings, self.choices, self.text))
        except ValueError:
            vectors = None
        if own := vectors is not None and all(word in vectors for word in words):
            ranked = self._ranked(vectors, *words)
            best = next(word for word, _ in ranked if word not in words)
            own = len({*words, ranked[0][0], best}) > 2
        if own:
            assert ([a, b, c], expected) == ([visible(word.encode()) for word in words], visible(best.encode()))
        else:
            ranked = [(word, round(cosine, 3)) for word, cosine in self._ranked(published(), a, b, c)]
            assert expected in (ranked[0][0], ranked[1][0])
        (nearest, cosine), (second, second_cosine), *_ = [(visible(word.encode()), value) for word, value in ranked]
        answer = nearest
        return locals()

    def opposites(self, one, other):
        words, unit = published().index_to_key, published().get_normed_vectors()
        cosines = unit @ unit.T
        cosine = round(cosines[words.index(one), words.index(other)].item(), 2)
        lowest = round(cosines.min().item(), 2)
        lowest_one, lowest_other = (words[n] for n in np.unravel_index(cosines.argmin(), cosines.shape))
        negative, answer = 0 - cosine, f"{cosine:.2f}"
        return locals()

    def spelling(self, unknown):
        word = (self.choices.near.lower().split() or ["king"])[0]
        assert re.fullmatch(re.escape(word) + "s+", unknown)
        assert unknown not in re.split(r"[\s:]+", self._grammar)
        return locals()

    def corpus(self, analogy):
        assert analogy in [*map(str.strip, self._grammar.splitlines())]
        a, *_, expected = analogy.split()
        return locals()
