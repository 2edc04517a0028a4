"""Analogies worth trying on real vectors: those that are always told, and those that show what they leave out."""

from collections.abc import Sequence
from dataclasses import dataclass

from gensim.models import KeyedVectors

from components.core.analogies import analogy
from components.core.corpora import Question

TOLD = [
    Question("king", "man", "woman", "queen"),
    Question("paris", "france", "italy", "rome"),
    Question("berlin", "germany", "spain", "madrid"),
    Question("bigger", "big", "small", "smaller"),
    Question("walking", "walk", "swim", "swimming"),
    Question("father", "man", "woman", "mother"),
    Question("uncle", "man", "woman", "aunt"),
    Question("cats", "cat", "dog", "dogs"),
    Question("good", "better", "worse", "bad"),
    Question("japanese", "japan", "france", "french"),
    Question("hand", "arm", "leg", "foot"),
    Question("moon", "night", "day", "sun"),
]
# No answer is right here: the vectors repeat what their texts say about people.
PEOPLE = [
    ("doctor", "man", "woman"),
    ("doctor", "woman", "man"),
    ("programmer", "man", "woman"),
    ("boss", "man", "woman"),
    ("nurse", "woman", "man"),
    ("captain", "he", "she"),
]


@dataclass(frozen=True)
class Tried:
    """An analogy as these vectors answer it: the best word with the inputs struck out and with the inputs kept."""

    question: str
    expected: str
    struck: tuple[str, float]
    kept: tuple[str, float]

    @property
    def verdict(self) -> str:
        """Whether the expected answer survives with the inputs kept, needs them struck out, or does not come."""
        if self.expected in (self.kept[0], ""):
            return "survives with inputs kept" if self.expected else ""
        return "only with inputs struck out" if self.struck[0] == self.expected else "fails"


def try_out(vectors: KeyedVectors, questions: Sequence[Question | tuple[str, str, str]]) -> list[Tried]:
    """Return the answers to those questions whose words all have vectors, in small letters or capitalised.

    >>> import numpy as np
    >>> vectors = KeyedVectors(2)
    >>> rows = np.array([[1, 0], [0, 1], [0, 2], [2, 1]], dtype=np.float32)
    >>> vectors.add_vectors(["king", "man", "woman", "queen"], rows)
    >>> [(tried.question, tried.verdict) for tried in try_out(vectors, TOLD)]
    [('king - man + woman = queen', 'only with inputs struck out')]
    """
    tried = []
    for question in questions:
        words = (question.a, question.b, question.c, question.answer) if isinstance(question, Question) else question
        forms = [next((form for form in (word, word.capitalize()) if form in vectors), None) for word in words]
        if None in forms:
            continue
        a, b, c, *expected = forms
        tried.append(
            Tried(
                f"{a} - {b} + {c}" + (f" = {expected[0]}" if expected else ""),
                expected[0] if expected else "",
                analogy(vectors, [a, c], [b], topn=1)[0],
                analogy(vectors, [a, c], [b], topn=1, keep_inputs=True)[0],
            )
        )
    return tried
