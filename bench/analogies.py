"""For how many seeds the answer to an analogy depends on excluding the input words: the reason for the defaults.

python -m bench.analogies: every question of the grammar, for settings near the defaults.
"""

from dataclasses import replace

from gensim.models import KeyedVectors

from components.base.link import State
from components.lessons.word2vec.choices import Choices
from components.lessons.word2vec.trained import trained_vectors
from components.vectors.analogies import analogy
from components.vectors.corpora import AnalogyQuestion

SEEDS = range(1, 11)
ALL_AT_ONCE = Choices(sentences=600, vector_size=32, window=5, epochs=15, negative=10)
VARIED = {
    "window": (1, 2, 5),
    "negative": (1, 2, 10),
    "epochs": (5, 12, 15, 30),
    "vector_size": (8, 16, 32, 100),
    "sentences": (600, 1_000, 4_000),
}


def depends(vectors: KeyedVectors, question: AnalogyQuestion) -> bool:
    """Return whether the expected answer is nearest if the input words are excluded, and an input if they are not."""
    words = question.a, question.b, question.c
    (first, _), *rest = analogy(vectors, [question.a, question.c], [question.b], 4, include_inputs=True)
    answer = next(word for word, _ in [(first, 0.0), *rest] if word not in words)
    return answer == question.answer and first in words


def seeds_that_depend(choices: Choices) -> dict[str, int]:
    """Return for how many of the seeds 1 to 10 each question of the grammar depends on excluding the input words."""
    counts: dict[str, int] = {}
    for seed in SEEDS:
        trained = trained_vectors(State(choices=replace(choices, train_seed=seed)))
        for question in trained.questions:
            counts[str(question)] = counts.get(str(question), 0) + depends(trained.vectors, question)
    return counts


def main() -> None:
    others = [(f"{name} {value}", replace(Choices(), **{name: value})) for name in VARIED for value in VARIED[name]]
    for title, choices in [("defaults", Choices()), ("all at once", ALL_AT_ONCE), *others]:
        print(title, *(f"{question}: {count}" for question, count in seeds_that_depend(choices).items()), sep=" | ")


if __name__ == "__main__":
    main()
