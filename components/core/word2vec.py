"""word2vec trained here, epoch by epoch: the loss, and whether the analogies have come into being.

Follows Mikolov et al. (2013), "Efficient Estimation of Word Representations in Vector Space", by gensim.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from gensim.models import KeyedVectors, Word2Vec
from gensim.models.callbacks import CallbackAny2Vec

from components.core.analogies import place_of
from components.core.corpora import Question

LOW_LEARNING_RATE, LEARNING_RATE = 0.0001, 0.025  # gensim's own


@dataclass(frozen=True)
class Epoch:
    """One pass over the corpus: the loss summed over its examples, and the rank of each answer (1 is solved)."""

    loss: float
    ranks: tuple[int | None, ...]

    @property
    def solved(self) -> int:
        """How many analogies have their answer in the first place."""
        return sum(rank == 1 for rank in self.ranks)


@dataclass(frozen=True)
class Trained:
    """Vectors, the analogies asked of them, and how they came about."""

    vectors: KeyedVectors
    questions: tuple[Question, ...]
    epochs: tuple[Epoch, ...]


class _Watch(CallbackAny2Vec):
    """Writes down every epoch, and tells `progress`, which may raise to stop."""

    def __init__(self, questions: Sequence[Question], progress: Callable[[list[Epoch]], None]) -> None:
        self.questions, self.progress = questions, progress
        self.epochs: list[Epoch] = []

    def on_epoch_end(self, model: Word2Vec) -> None:
        loss = float(model.get_latest_training_loss())
        model.running_training_loss = 0.0  # left alone, gensim adds up all epochs in float32 and loses the small parts
        # gensim keeps norms from one epoch to the next, and the vectors have moved.
        model.wv.fill_norms(force=True)
        ranks = tuple(rank_of_answer(model.wv, question) for question in self.questions)
        self.epochs.append(Epoch(loss, ranks))
        self.progress(self.epochs)


def rank_of_answer(vectors: KeyedVectors, question: Question) -> int | None:
    """Return the rank of the answer to an analogy, inputs struck out; None where a word has no vector or is an input.

    >>> import numpy as np
    >>> vectors = KeyedVectors(2)
    >>> vectors.add_vectors(["a", "b", "c", "d"], np.array([[1, 0], [0, 1], [0, 2], [2, 0]], dtype=np.float32))
    >>> rank_of_answer(vectors, Question("a", "b", "c", "d")), rank_of_answer(vectors, Question("a", "b", "c", "x"))
    (1, None)
    """
    inputs = (question.a, question.b, question.c)
    if question.answer in inputs or any(word not in vectors for word in (*inputs, question.answer)):
        return None
    return place_of(vectors, [question.a, question.c], [question.b], question.answer).struck


def train_word2vec(
    sentences: Sequence[Sequence[str]],
    questions: Sequence[Question] = (),
    dim: int = 32,
    window: int = 5,
    epochs: int = 15,
    negative: int = 10,
    seed: int = 1,
    min_count: int = 1,
    progress: Callable[[list[Epoch]], None] = lambda epochs: None,
) -> Trained:
    """Return skip-gram vectors with negative sampling, trained in one thread so that a seed gives the same numbers.

    `progress` is called after every epoch with all epochs so far; what it raises stops the training. Raises
    ValueError, in a plain sentence, for a corpus without two words to tell apart.

    >>> trained = train_word2vec([["a", "b", "c"]] * 20, dim=4, epochs=2)
    >>> trained.vectors.vectors.shape, len(trained.epochs)
    ((3, 4), 2)
    """
    model = Word2Vec(
        vector_size=dim,
        window=window,
        epochs=epochs,
        negative=negative,
        seed=seed,
        min_count=min_count,
        sg=1,
        workers=1,
        sample=0,
        alpha=LEARNING_RATE,
        min_alpha=LOW_LEARNING_RATE,
    )
    model.build_vocab(sentences)
    if len(model.wv) < 2:
        raise ValueError(
            f"Words that occur {min_count} times or more: {len(model.wv)}. word2vec needs two; write more sentences."
        )
    watch = _Watch(questions, progress)
    model.train(sentences, total_examples=len(sentences), epochs=epochs, compute_loss=True, callbacks=[watch])
    return Trained(model.wv, tuple(questions), tuple(watch.epochs))
