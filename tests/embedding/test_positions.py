from math import cos, sin

import numpy as np
import pytest
import torch
from hypothesis import example, given
from hypothesis import strategies as st
from torch import nn

from components.embedding.positions import learned_positions, sinusoidal_positions


def published_element(position: int, column: int, dim: int) -> float:
    """PE(pos, 2i) = sin(pos / 10000^(2i/D)) and PE(pos, 2i+1) = cos(pos / 10000^(2i/D)), section 3.5 of the paper."""
    angle = position / 10_000 ** (2 * (column // 2) / dim)
    return cos(angle) if column % 2 else sin(angle)


@given(st.integers(1, 40), st.integers(1, 48))
@example(1_024, 768)
def test_sinusoidal_positions_follow_the_published_formula(length, dim):
    table = sinusoidal_positions(length, dim)
    assert table.shape == (length, dim)
    assert table.dtype == torch.float32
    rows = range(length) if length <= 40 else [length - 1]
    expected = [[published_element(t, d, dim) for d in range(dim)] for t in rows]
    np.testing.assert_allclose(table[list(rows)].numpy(), expected, atol=1e-6, rtol=0)
    in_halves = sinusoidal_positions(length, dim, "halves")
    assert torch.equal(in_halves, table[:, [*range(0, dim, 2), *range(1, dim, 2)]])
    with pytest.raises(ValueError, match="layout = 'paper' is neither interleaved nor halves"):
        sinusoidal_positions(length, dim, "paper")


@given(st.integers(1, 40), st.integers(1, 48), st.integers(1, 40), st.integers(0, 2**32 - 1))
def test_learned_positions_are_the_second_embedding_after_the_seed(length, dim, vocab_size, seed):
    before = torch.get_rng_state()
    learned = learned_positions(length, dim, vocab_size, seed)
    assert torch.equal(torch.get_rng_state(), before)
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        nn.Embedding(vocab_size, dim)
        assert torch.equal(learned, nn.Embedding(length, dim).weight)
