import re
from functools import cache

import numpy as np
import torch
from gensim.models import KeyedVectors
from torch.nn.functional import logsigmoid

from components.base.learner_text import visible_text
from components.base.link import State
from components.figures.cells import number
from components.lessons.word2vec.steps import step_scene
from components.lessons.word2vec.trained import chosen_vectors, film, film_words, frequent_neighbors
from components.vectors.corpora import GRAMMAR
from tests.questions.references.learner import Learner
from tests.skipping import shared_file


@cache
def published():
    """Return a thousand words of Google News, from the folder `shared` beside the project."""
    return KeyedVectors.load_word2vec_format(shared_file("data/word2vec-1000x300.bin"), binary=True)


@cache
def published_cosines():
    unit = published().get_normed_vectors()
    return unit @ unit.T


def inputs_of(choices, vectors):
    """Return a, b and c; a word without a vector is replaced by the default, or by the first that is free."""
    words = [word.strip() for word in choices.inputs]
    for n, default in enumerate(("king", "man", "woman")):
        if words[n] not in vectors:
            others = [word for word in (default, *vectors.index_to_key) if word not in (*choices.inputs, *words[:n])]
            words[n] = next((word for word in others if word in vectors), vectors.index_to_key[0])
    return words


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
        vectors = chosen_vectors(self._state)
        words = inputs_of(self.choices, vectors)
        ranked = self._ranked(vectors, *words)
        best = next(word for word, _ in ranked if word not in words)
        assert ([a, b, c], expected) == ([*map(visible_text, words)], visible_text(best))
        assert len({*words, ranked[0][0], best}) > 2
        assert ranked[0][1] > ranked[1][1] + 0.001
        (nearest, cosine), (second, second_cosine), *_ = [(visible_text(word), value) for word, value in ranked]
        answer = nearest
        return locals()

    @property
    def _state(self):
        return State(self.settings, self.choices, self.text)

    def step(self):
        assert self.choices.scene == "step"
        word = inputs_of(self.choices, chosen_vectors(self._state))[0]
        scene = step_scene(self._state, word)
        lit = max(n for n, each in enumerate(scene.steps, 1) if each.center == scene.sentence.index(word))
        each = scene.steps[lit - 1]
        row, others = each.row.clone().requires_grad_(), each.other_rows
        amounts = []
        for n, other in enumerate(others):  # the gradient of each term of the loss
            (gradient,) = torch.autograd.grad(-logsigmoid((other @ row) * (-1 if n else 1)), row)
            amounts.append(gradient.norm().item())
        true, sampled, other = (visible_text(scene.names[n]) for n in each.others)
        answer = (true, sampled, other)[amounts.index(max(amounts))]
        true_amount, sampled_amount, other_amount = (number(each) for each in amounts)
        center = visible_text(word)
        return locals() | {"number": lit}

    def film(self, beside):
        assert self.choices.scene == "film"
        vectors = chosen_vectors(self._state)
        shown = film_words(self._state, vectors, tuple(inputs_of(self.choices, vectors)))
        words, rows = [*map(visible_text, shown)], film(self._state, shown)[-1].astype(float)
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        cosines = {word: float(rows[0] @ rows[n]) for n, word in enumerate(words) if word != words[0]}
        assert beside in map(visible_text, frequent_neighbors(self._state, shown[0]))
        a, (far, *_, nearest) = words[0], sorted(cosines, key=cosines.get)
        input = next((word for word in (words[2], words[1]) if word in cosines and word != nearest), far)
        answer, by_role = nearest, (nearest, beside, far, input)
        nearest_cosine, beside_cosine, far_cosine, input_cosine = (cosines[word] for word in by_role)
        return locals()

    def tables(self):
        word = visible_text(self.choices.word_a.strip() or "king")
        answer = "with one table, the row of a word would need a low product with itself"
        return locals()

    def opposites(self, one, other):
        words, cosines = published().index_to_key, published_cosines()
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
        assert analogy.replace("−", "-") in [*map(str.strip, self._grammar.splitlines())]
        a, *_, expected = analogy.split()
        return locals()
