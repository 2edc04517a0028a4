"""A training of word2vec as a film: the vectors of some words at many moments of one run."""

from collections.abc import Sequence

import numpy as np
from jaxtyping import Float

from components.vectors.word2vec import LEARNING_RATE, LOW_LEARNING_RATE, new_model

FRAMES = 80  # after the start


def film_word2vec(
    sentences: Sequence[Sequence[str]],
    words: Sequence[str],
    dim: int,
    window: int,
    epochs: int,
    negative: int,
    seed: int,
    min_count: int = 1,
) -> Float[np.ndarray, "frames words D"]:
    """Return the vectors of `words` at the start and at 80 moments: (k / 80)² of the training, since most moves early.

    gensim trains from moment to moment with the learning rate of a single run. A single run has other random numbers,
    so the last frame resembles its vectors, and does not equal them.

    >>> film_word2vec([["a", "b", "c"]] * 20, ["a", "c"], dim=4, window=1, epochs=2, negative=1, seed=1).shape
    (81, 2, 4)
    """
    model = new_model(dim, window, negative, seed, min_count)
    model.build_vocab(sentences)
    rows = [model.wv.key_to_index[word] for word in words]
    total = len(sentences) * epochs
    ends = [round(total * (k / FRAMES) ** 2) for k in range(FRAMES + 1)]
    rates = [LEARNING_RATE - (LEARNING_RATE - LOW_LEARNING_RATE) * end / total for end in ends]
    frames = [model.wv.vectors[rows].copy()]
    for k in range(1, FRAMES + 1):
        part = [sentences[n % len(sentences)] for n in range(ends[k - 1], ends[k])]
        if part:
            model.train(part, total_examples=len(part), epochs=1, start_alpha=rates[k - 1], end_alpha=rates[k])
        frames.append(model.wv.vectors[rows].copy())
    return np.stack(frames)
