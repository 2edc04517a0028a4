"""Well-known analogies, and analogies about people, answered by given word vectors."""

from collections.abc import Sequence
from dataclasses import dataclass

from gensim.models import KeyedVectors

from components.vectors.analogies import TIE_TOLERANCE, analogy, unanswerable
from components.vectors.corpora import ANALOGIES, AnalogyQuestion

POPULAR_ANALOGIES, PEOPLE = ANALOGIES["popular"], ANALOGIES["people"]


@dataclass(frozen=True)
class AnalogyResult:
    """The nearest word to an analogy, and its score, with the input words included and excluded."""

    question: str
    expected: str
    included: tuple[str, float]
    excluded: tuple[str, float]

    @property
    def verdict(self) -> str:
        """Whether the expected word is nearest, and only if the input words are excluded; empty if none is expected."""
        if self.expected in (self.included[0], ""):
            return "correct with inputs included" if self.expected else ""
        if self.excluded[0] != self.expected:
            return "incorrect"
        is_tied = self.included[1] - self.excluded[1] < TIE_TOLERANCE
        return "as near as an input" if is_tied else "correct only with inputs excluded"


def answerable(vectors: KeyedVectors, questions: Sequence[AnalogyQuestion]) -> list[AnalogyQuestion]:
    """Return those analogies that have an answer and whose words all have vectors, in lower case or capitalized."""
    found = []
    for question in questions:
        words = [word for word in question if word]
        forms = [next((form for form in (word, word.capitalize()) if form in vectors), None) for word in words]
        if None not in forms and not unanswerable(vectors, *forms[:3]):
            found.append(AnalogyQuestion(*forms))
    return found


def run_analogies(vectors: KeyedVectors, questions: Sequence[AnalogyQuestion]) -> list[AnalogyResult]:
    """Return the results of those analogies that can be answered."""
    results = []
    for found in answerable(vectors, questions):
        included, excluded = (
            analogy(vectors, [found.a, found.c], [found.b], topn=1, include_inputs=include)[0]
            for include in (True, False)
        )
        results.append(AnalogyResult(str(found), found.answer, included, excluded))
    return results
