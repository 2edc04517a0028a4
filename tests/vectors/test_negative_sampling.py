import random
from collections import Counter

import numpy as np
import pytest
import torch
from gensim.models import Word2Vec

from components.vectors.negative_sampling import negative_sampling_step, sample_words


def gensim_after_one_step(rows, others, rate):
    """Return both tables of gensim after it has trained on "center neighbor" alone, with "drawn" as every sample."""
    words = {"center": 3, "neighbor": 2, "drawn": 1}
    model = Word2Vec(vector_size=2, window=1, negative=1, seed=1, min_count=1, sg=1, workers=1, sample=0)
    model.build_vocab_from_freq(words)
    model.cum_table = np.array([0, 0, 2**31 - 1], dtype=model.cum_table.dtype)
    model.wv.vectors[:], model.syn1neg[:] = rows, others
    model.train([["center", "neighbor"]], total_examples=1, epochs=1, start_alpha=rate, end_alpha=rate)
    return model.wv.vectors, model.syn1neg


@pytest.mark.parametrize(("size", "moves"), [(1.0, True), (7.0, False)])
def test_gensim_changes_the_neighbors_row_and_predicts_center(size, moves):
    rows, others = np.array([[1, 0], [0.6, 0.8], [0, 1]]), size * np.array([[0.5, 1], [1, 0.5], [-1, -0.5]])
    got, got_others = gensim_after_one_step(rows, others, rate=0.1)
    moved = (torch.tensor(each, dtype=torch.float32) for each in (rows[1], others[[0, 2]]))
    first = negative_sampling_step(*moved, rate=0.1)
    assert np.allclose(got[1], rows[1] + moves * first.change.numpy(), atol=1e-3)  # from its table of sigmoids
    assert np.allclose(got_others[0], others[0] + moves * first.other_changes[0].numpy(), atol=1e-3)
    assert np.allclose(got[1], rows[1]) != moves
    assert np.allclose(got[2], rows[2])


def test_words_are_sampled_by_frequency_to_power_three_quarters():
    sampled = Counter(sample_words([81, 16, 1, 1], neighbor=1, how_many=29_000, rng=random.Random(0)))
    assert [sampled[word] / 1_000 for word in range(4)] == pytest.approx([27, 0, 1, 1], abs=0.3)
