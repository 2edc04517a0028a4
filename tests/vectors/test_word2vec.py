import numpy as np
import pytest
import torch

from components.vectors.word2vec import Options, train_word2vec


def test_train_word2vec_reports_epochs_and_leaves_random_state():
    reported, before = [], (torch.get_rng_state(), np.random.get_state()[1].tolist())

    def progress(epochs):
        reported.append(len(epochs))
        if len(epochs) == 3:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        train_word2vec([["a", "b"]] * 20, (), Options(epochs=9), progress)
    with pytest.raises(ValueError, match="Only one word occurs 2 times or more"):
        train_word2vec([["a", "a", "b"]], (), Options(min_count=2))
    assert reported == [1, 2, 3]
    assert torch.equal(torch.get_rng_state(), before[0])
    assert np.random.get_state()[1].tolist() == before[1]
