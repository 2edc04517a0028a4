"""The vectors that a learner has chosen: trained with these settings once for all sessions, or opened from a file."""

from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Condition

import numpy as np
from cachetools import LRUCache, cached
from gensim.models import KeyedVectors

from components.base.limits import MAX_TRAINED_BYTES_CACHED
from components.lessons.word2vec.choices import Choices
from components.vectors.corpora import GRAMMAR, AnalogyQuestion, read_grammar, write_sentences
from components.vectors.load import load_vectors
from components.vectors.news import NEWS_MIN_COUNT, NEWS_QUESTIONS, lee_sentences
from components.vectors.sources import SOURCES
from components.vectors.word2vec import Epoch, TrainedVectors, film_word2vec, train_word2vec

MAX_FILM_BYTES = 4 * 10**6  # about 20 films of 10 words


def training_key(choices: Choices) -> tuple:
    """Return all that the vectors depend on: the same key means the same vectors."""
    sentences = choices.sentences if choices.vectors == "grammar" else 0
    return (choices.vectors, choices.grammar, sentences, *options(choices))


def options(choices: Choices) -> tuple[int, ...]:
    """Return D, the window, the epochs, the negative samples, the seed and the smallest count of a training."""
    sizes = choices.vector_size, choices.window, choices.epochs, choices.negative
    return (*sizes, choices.train_seed, min_count(choices))


def min_count(choices: Choices) -> int:
    """Return how often a word must occur to get a vector."""
    return 1 if choices.vectors == "grammar" else NEWS_MIN_COUNT


@cached(
    LRUCache(MAX_TRAINED_BYTES_CACHED, getsizeof=lambda each: each.vectors.vectors.nbytes + 200 * len(each.vectors)),
    key=lambda choices, progress=None: training_key(choices),
    condition=Condition(),
)
def trained_vectors(choices: Choices, progress: Callable[[list[Epoch]], None] = lambda epochs: None) -> TrainedVectors:
    """Return vectors trained with these settings; `progress` is called after each epoch.

    Raises ValueError if the grammar cannot be read. The message is shown to learners.
    """
    return train_word2vec(*corpus(choices), *options(choices), progress)


def corpus(choices: Choices) -> tuple[list[list[str]], Sequence[AnalogyQuestion]]:
    """Return the sentences to train on and the analogies to test. Raises ValueError if the grammar cannot be read."""
    if choices.vectors == "news":
        return lee_sentences(), NEWS_QUESTIONS
    grammar = read_grammar(choices.grammar or GRAMMAR)
    return write_sentences(grammar, choices.sentences, choices.train_seed), grammar.questions


@cached(
    LRUCache(MAX_FILM_BYTES, getsizeof=lambda frames: frames.nbytes),
    key=lambda choices, words: (*training_key(choices), words),
    condition=Condition(),
)
def film(choices: Choices, words: tuple[str, ...]) -> np.ndarray:
    """Return the vectors of a few words at many moments of a training, [frames, words, D]."""
    return film_word2vec(corpus(choices)[0], words, *options(choices))


@cached({}, condition=Condition())  # at most one for each source; their numbers are memory-mapped, not copied
def open_vectors(path: Path) -> KeyedVectors:
    """Return the vectors at `path`, opened once for all sessions. Raises ValueError if they are damaged."""
    return load_vectors(path)


def chosen_vectors(choices: Choices) -> KeyedVectors | None:
    """Return the chosen vectors; None if they are a learner's file or not on this server.

    Raises ValueError if they cannot be made. The message is shown to learners.
    """
    if choices.vectors in ("grammar", "news"):
        return trained_vectors(choices).vectors
    source = SOURCES.get(choices.vectors)
    return open_vectors(source.target) if source and source.ready else None
