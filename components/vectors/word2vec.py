"""Train word2vec, and record the loss and the rank of each analogy after every epoch, or the vectors as a film.

Follows Mikolov et al. (2013), "Efficient Estimation of Word Representations in Vector Space", by gensim.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from gensim.models import KeyedVectors, Word2Vec
from gensim.models.callbacks import CallbackAny2Vec
from jaxtyping import Float
from torch.nn import functional as F

from components.vectors.analogies import rank_of
from components.vectors.corpora import AnalogyQuestion

LOW_LEARNING_RATE, LEARNING_RATE = 0.0001, 0.025  # gensim's defaults


class Options(NamedTuple):
    """All that a training depends on besides its sentences."""

    dim: int = 32
    window: int = 5
    epochs: int = 15
    negative: int = 10
    seed: int = 1
    min_count: int = 1


@dataclass(frozen=True)
class Epoch:
    """One pass over the corpus: the loss summed over its examples, and the rank of each answer (1 is correct)."""

    loss: float
    ranks: tuple[int | None, ...]

    @property
    def solved(self) -> int:
        """How many analogies have their answer at rank 1."""
        return sum(rank == 1 for rank in self.ranks)


@dataclass(frozen=True)
class TrainedVectors:
    """Trained vectors, the analogies tested on them, the epochs of their training, and how alike start and end are.

    `like_start` is the mean cosine similarity of a vector with the random one that it was at the start.
    """

    vectors: KeyedVectors
    questions: tuple[AnalogyQuestion, ...]
    epochs: tuple[Epoch, ...]
    like_start: float


class _AfterEpoch(CallbackAny2Vec):
    """Calls a function with the model after every epoch."""

    def __init__(self, call: Callable[[Word2Vec], None]) -> None:
        self.on_epoch_end = call


def rank_of_answer(vectors: KeyedVectors, question: AnalogyQuestion) -> int | None:
    """Return the rank of the answer with the input words excluded; None if a word has no vector or is an input.

    >>> vectors = KeyedVectors(2)
    >>> vectors.add_vectors(["a", "b", "c", "d"], np.array([[1, 0], [0, 1], [0, 2], [2, 0]], dtype=np.float32))
    >>> [rank_of_answer(vectors, AnalogyQuestion("a", "b", "c", answer)) for answer in ("d", "x")]
    [1, None]
    """
    a, b, c, answer = question
    if answer in (a, b, c) or any(word not in vectors for word in question):
        return None
    return rank_of(vectors, [a, c], [b], answer).excluded


def vocabulary_model(sentences: Sequence[Sequence[str]], options: Options) -> Word2Vec:
    """Return an untrained skip-gram model with negative sampling; in one thread a seed gives the same numbers.

    Raises ValueError if fewer than two words get a vector. The message is shown to learners.
    """
    dim, window, epochs, negative, seed, min_count = options
    sizes = {"vector_size": dim, "window": window, "epochs": epochs, "negative": negative}
    model = Word2Vec(**sizes, seed=seed, min_count=min_count, sg=1, workers=1, sample=0)
    model.build_vocab(sentences)
    if len(model.wv) < 2:
        often = "" if min_count == 1 else f" {min_count} times or more"
        found = "Only one word occurs" if len(model.wv) else "No word occurs"
        raise ValueError(
            f"{found}{often}; word2vec needs two: write more sentences. Emoji and other symbols are not "
            "counted as words."
        )
    return model


def train_word2vec(
    sentences: Sequence[Sequence[str]],
    questions: Sequence[AnalogyQuestion],
    options: Options,
    progress: Callable[[list[Epoch]], None] = lambda epochs: None,
) -> TrainedVectors:
    """Train skip-gram vectors with negative sampling.

    `progress` is called after every epoch with all epochs so far; an exception from it stops the training. Raises
    ValueError if fewer than two words get a vector. The message is shown to learners.
    """
    model = vocabulary_model(sentences, options)
    start, done = torch.tensor(model.wv.vectors), []  # a copy

    def record(model: Word2Vec) -> None:
        loss = float(model.get_latest_training_loss())
        model.running_training_loss = 0.0  # else gensim sums up all epochs in float32, which loses precision
        model.wv.fill_norms(force=True)  # gensim caches the norms of the previous epoch
        done.append(Epoch(loss, tuple(rank_of_answer(model.wv, question) for question in questions)))
        progress(done)

    how = {"compute_loss": True, "callbacks": [_AfterEpoch(record)]}
    model.train(sentences, total_examples=model.corpus_count, epochs=model.epochs, **how)
    like_start = F.cosine_similarity(start, torch.from_numpy(model.wv.vectors))  # [words]
    return TrainedVectors(model.wv, tuple(questions), tuple(done), like_start.mean().item())


def two_tables(
    sentences: Sequence[Sequence[str]], options: Options
) -> tuple[KeyedVectors, Float[np.ndarray, "words D"]]:
    """Return the vectors of a training, and the second table, of which the rows are in the same order.

    Raises ValueError if fewer than two words get a vector. The message is shown to learners.

    >>> vectors, second = two_tables([["a", "b", "c"]] * 20, Options(dim=2, epochs=1))
    >>> vectors.vectors.shape, second.shape
    ((3, 2), (3, 2))
    """
    model = vocabulary_model(sentences, options)
    model.train(sentences, total_examples=model.corpus_count, epochs=model.epochs)
    return model.wv, model.syn1neg


def film_word2vec(
    sentences: Sequence[Sequence[str]], words: Sequence[str], options: Options
) -> Float[np.ndarray, "frames words D"]:
    """Return the vectors of `words` at the start of the training of `train_word2vec`, and after each epoch."""
    model = vocabulary_model(sentences, options)
    rows = [model.wv.key_to_index[word] for word in words]
    frames = [model.wv.vectors[rows]]  # a copy
    callbacks = [_AfterEpoch(lambda model: frames.append(model.wv.vectors[rows]))]
    model.train(sentences, total_examples=model.corpus_count, epochs=model.epochs, callbacks=callbacks)
    return np.stack(frames)
