"""The vectors that a learner has chosen: trained with these settings once for all sessions, or opened from a file."""

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import chain
from pathlib import Path
from pickle import dumps

import numpy as np
from gensim.models import KeyedVectors

from components.base.limits import MAX_STEP_BYTES_CACHED, MAX_TRAINED_BYTES_CACHED
from components.base.link import State
from components.caches.shared import digest, shared
from components.caches.turns import training_turn
from components.lessons.word2vec.choices import HERE, Choices
from components.vectors.analogies import analogy, has_direction
from components.vectors.corpora import GRAMMAR, AnalogyQuestion, read_grammar, text_sentences, write_sentences
from components.vectors.load import load_vectors
from components.vectors.negative_sampling import window_pairs
from components.vectors.news import NEWS_MIN_COUNT, NEWS_QUESTIONS, lee_sentences
from components.vectors.sources import SOURCES
from components.vectors.word2vec import Epoch, Options, TrainedVectors, film_word2vec, train_word2vec

MAX_FILM_BYTES = 10**6  # about 100 films of 10 words
MAX_FILM_WORDS = 10
NEIGHBORS = 12  # of a word, the most frequent ones


def corpus_key(state: State) -> tuple:
    """Return all that the sentences depend on."""
    choices = state.choices
    sentences = choices.sentences if choices.vectors == "grammar" else 0
    text = state.text if choices.vectors == "text" else ""
    return choices.vectors, digest(choices.grammar, text), sentences, choices.train_seed


def training_key(state: State) -> tuple:
    """Return all that the vectors depend on: the same key means the same vectors."""
    return (*corpus_key(state), *options(state.choices))


def options(choices: Choices) -> Options:
    sizes = choices.vector_size, choices.window, choices.epochs, choices.negative
    return Options(*sizes, choices.train_seed, min_count(choices))


def min_count(choices: Choices) -> int:
    return NEWS_MIN_COUNT if choices.vectors == "news" else 1


@shared(
    MAX_TRAINED_BYTES_CACHED,
    lambda each: each.vectors.vectors.nbytes + 200 * len(each.vectors),
    key=lambda state, progress=None: training_key(state),
)
def trained_vectors(state: State, progress: Callable[[list[Epoch]], None] = lambda epochs: None) -> TrainedVectors:
    """Return vectors trained with these settings; `progress` is called after each epoch.

    Raises ValueError if the grammar cannot be read, or if the text has too few words. The message is shown to learners.
    """
    with training_turn():
        return train_word2vec(*corpus(state), options(state.choices), progress)


def corpus(state: State) -> tuple[list[list[str]], Sequence[AnalogyQuestion]]:
    """Return the sentences to train on and the analogies to test. Raises ValueError if the grammar cannot be read."""
    choices = state.choices
    if choices.vectors == "news":
        return lee_sentences(), NEWS_QUESTIONS
    if choices.vectors == "text":
        return text_sentences(state.text), ()
    grammar = read_grammar(choices.grammar or GRAMMAR)
    return write_sentences(grammar, choices.sentences, choices.train_seed), grammar.questions


@shared(MAX_FILM_BYTES, lambda frames: frames.nbytes, key=lambda state, words: (*training_key(state), words))
def film(state: State, words: tuple[str, ...]) -> np.ndarray:
    """Return the vectors of a few words at the start of the training and after each epoch, [epochs + 1, words, D]."""
    with training_turn():
        return film_word2vec(corpus(state)[0], words, options(state.choices))


@shared(
    MAX_STEP_BYTES_CACHED,
    lambda counts: len(dumps(counts)),
    key=lambda state, word: (*corpus_key(state), state.choices.window, word),
)
def frequent_neighbors(state: State, word: str) -> dict[str, int]:
    """Return the words with a vector that occur most often within the window around a word, and how often."""
    found: Counter[str] = Counter()
    vectors = trained_vectors(state).vectors
    for whole in corpus(state)[0]:
        if word in whole:
            sentence = [each for each in whole if each in vectors]
            pairs = window_pairs(len(sentence), state.choices.window)
            found.update(sentence[other] for center, other in pairs if sentence[center] == word)
    return dict(found.most_common(NEIGHBORS))


def film_words(state: State, vectors: KeyedVectors, words: tuple[str, str, str]) -> tuple[str, ...]:
    """Return the words of the film: a, b, c, the answer, the neighbor most typical of a, those of the other views.

    Of the frequent neighbors of a, the most typical one has the largest share of its occurrences beside a.
    """
    a, b, c = words
    [(answer, _)] = analogy(vectors, [a, c], [b], 1)
    around, main = frequent_neighbors(state, a), (a, b, c, answer)
    shares = {word: times / vectors.get_vecattr(word, "count") for word, times in around.items() if word not in main}
    others = [*sorted(shares, key=shares.get, reverse=True)[:1], *filter(vectors.__contains__, state.choices.word_list)]
    return (*main, *dict.fromkeys(word for word in others if word not in main))[:MAX_FILM_WORDS]


@shared(len(SOURCES))  # their numbers are memory-mapped, not copied
def open_vectors(path: Path) -> KeyedVectors:
    """Return the vectors at `path`, opened once for all sessions. Raises ValueError if they are damaged."""
    return load_vectors(path)


def chosen_vectors(state: State) -> KeyedVectors | None:
    """Return the chosen vectors; None if they are a learner's file or not on this server.

    Raises ValueError if they cannot be made. The message is shown to learners.
    """
    if state.choices.vectors in HERE:
        return trained_vectors(state).vectors
    source = SOURCES.get(state.choices.vectors)
    return open_vectors(source.target) if source and source.ready else None


def known_inputs(vectors: KeyedVectors, choices: Choices) -> tuple[str, str, str]:
    """Return the words of a - b + c, each without a vector replaced by the default or else by a frequent word.

    The default is the first analogy of the learner's own grammar, if it has one.
    """
    if all(has_direction(vectors, word) for word in choices.inputs):
        return choices.inputs
    own = read_grammar(choices.grammar).questions if choices.grammar and choices.vectors == "grammar" else []
    found: list[str] = []
    for word, default in zip(choices.inputs, own[0][:3] if own else Choices().inputs, strict=True):
        others = (other for other in chain([default], vectors.index_to_key) if other not in (*choices.inputs, *found))
        candidates = chain([word], others, vectors.index_to_key)
        found.append(next((each for each in candidates if has_direction(vectors, each)), word))
    return found[0], found[1], found[2]
