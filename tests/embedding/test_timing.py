from functools import partial
from timeit import Timer

import pytest
import torch

from components.base.limits import MAX_TIMED_COLUMNS, MAX_TIMED_IDS
from components.embedding import timing
from components.embedding.timing import REPETITIONS, measure, quartiles
from components.text.tokenizers import get_tokenizer


def test_measure_yields_every_size_and_leaves_the_random_state(monkeypatch):
    shapes = []
    assert timing.SIZES[-1] == get_tokenizer("gpt2").n_vocab
    monkeypatch.setattr(timing, "SIZES", timing.SIZES[:2])
    monkeypatch.setattr(timing, "quartiles", lambda function: shapes.append([*function().shape]))
    before = torch.get_rng_state()
    assert [found.vocab_size for found in measure(n_ids=64, dim=1_024)] == [16, 64]
    assert shapes == [[MAX_TIMED_IDS, MAX_TIMED_COLUMNS]] * 4
    assert len([*measure(2, 3)]) == 2
    assert shapes[4:] == [[2, 3]] * 4
    assert torch.equal(torch.get_rng_state(), before)


@pytest.mark.parametrize(("seconds", "calls"), [(0.01, 1), (0.0003, 4)])
def test_quartiles_are_those_of_the_repetitions(monkeypatch, seconds, calls):
    clock, runs = [0.0], []

    def function():
        runs.append(1)
        repetition = max(0, len(runs) - 3) // calls  # after the warm-up and the call that is counted
        clock[0] += seconds + 1e-6 * repetition * (len(runs) > 2)

    monkeypatch.setattr(timing, "Timer", partial(Timer, timer=lambda: clock[0]))
    found = quartiles(function)
    assert len(runs) == 2 + REPETITIONS * calls
    assert found == pytest.approx([seconds + 1e-6 * n for n in (6, 12, 18)])
