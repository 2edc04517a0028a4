from itertools import pairwise

import numpy as np
import pytest
import torch
from gensim.models import Word2Vec
from gensim.models.callbacks import CallbackAny2Vec

from components.vectors.corpora import GRAMMAR, read_grammar, write_sentences
from components.vectors.word2vec import Options, film_word2vec, train_word2vec

LESSON = read_grammar(GRAMMAR)


def test_train_word2vec_records_the_loss_of_each_epoch_alone():
    # gensim adds up in float32; with a single epoch it loses no precision.
    sentences = write_sentences(LESSON, 6_000, 1)
    settings = {"vector_size": 32, "window": 5, "negative": 10, "seed": 1, "min_count": 1, "sg": 1, "workers": 1}
    once = Word2Vec(sentences, epochs=1, sample=0, compute_loss=True, alpha=0.025, min_alpha=0.0001, **settings)
    assert train_word2vec(sentences, (), Options(epochs=1)).epochs[0].loss == once.get_latest_training_loss()
    later = [epoch.loss for epoch in train_word2vec(sentences, (), Options()).epochs[3:]]
    assert len(later) == 12
    assert max(abs(a - b) for a, b in pairwise(later)) < 0.02 * later[0]  # no steps from lost precision


def test_film_is_the_training_from_its_start_to_its_vectors():
    sentences, options = write_sentences(LESSON, 50, 1), Options(dim=4, window=2, epochs=3, negative=2)
    words = ["the", "king"]
    frames = film_word2vec(sentences, words, options)
    recorder = CallbackAny2Vec()
    recorder.on_train_begin = recorder.on_epoch_end = lambda model: recorder.found.append(model.wv[words])
    recorder.found = []
    settings = {"vector_size": 4, "window": 2, "negative": 2, "seed": 1, "min_count": 1, "sg": 1, "workers": 1}
    Word2Vec(sentences, epochs=3, sample=0, callbacks=[recorder], **settings)
    assert np.array_equal(frames, recorder.found)
    assert np.array_equal(frames[-1], train_word2vec(sentences, (), options).vectors[words])


def test_train_word2vec_reports_epochs_and_leaves_random_state():
    reported, before = [], (torch.get_rng_state(), np.random.get_state()[1].tolist())

    def progress(epochs):
        reported.append(len(epochs))
        if len(epochs) == 3:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        train_word2vec([["a", "b"]] * 20, (), Options(epochs=9), progress)
    with pytest.raises(ValueError, match="Words that occur 2 times or more: 1"):
        train_word2vec([["a", "a", "b"]], (), Options(min_count=2))
    assert reported == [1, 2, 3]
    assert torch.equal(torch.get_rng_state(), before[0])
    assert np.random.get_state()[1].tolist() == before[1]
