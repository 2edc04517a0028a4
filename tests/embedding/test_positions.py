from math import cos, sin, sqrt

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from components.embedding.positions import learned_positions, sinusoidal_positions

LENGTHS = st.integers(1, 40)


def cell_of_the_paper(place: int, column: int, dim: int) -> float:
    """PE(pos, 2i) = sin(pos / 10000^(2i/D)) and PE(pos, 2i+1) = cos(pos / 10000^(2i/D)), section 3.5."""
    i = column // 2
    angle = place / 10_000 ** (2 * i / dim)
    return cos(angle) if column % 2 else sin(angle)


@given(LENGTHS, st.integers(1, 48))
def test_every_cell_follows_the_formula_of_the_paper(length, dim):
    expected = np.array([[cell_of_the_paper(t, d, dim) for d in range(dim)] for t in range(length)])
    table = sinusoidal_positions(length, dim)
    assert table.dtype == torch.float32
    np.testing.assert_allclose(table.numpy(), expected, atol=1e-6, rtol=0)


def test_the_longest_table_follows_the_formula_at_its_far_end():
    row = sinusoidal_positions(1_024, 768)[1_023].numpy()
    np.testing.assert_allclose(row, [cell_of_the_paper(1_023, d, 768) for d in range(768)], atol=1e-6, rtol=0)


@given(LENGTHS, st.integers(1, 48))
def test_halves_are_the_same_columns_with_all_sines_first(length, dim):
    interleaved, halves = sinusoidal_positions(length, dim), sinusoidal_positions(length, dim, "halves")
    order = [*range(0, dim, 2), *range(1, dim, 2)]
    assert torch.equal(halves, interleaved[:, order])


@given(LENGTHS, st.integers(1, 512).map(lambda half: 2 * half), st.sampled_from(["interleaved", "halves"]))
def test_every_row_of_even_d_is_exactly_as_long_as_the_root_of_half_d(length, dim, layout):
    norms = sinusoidal_positions(length, dim, layout).norm(dim=1).numpy()
    np.testing.assert_allclose(norms, sqrt(dim / 2), rtol=1e-5)
    assert abs(norms - sqrt(dim / 3)).min() > 0.1


@pytest.mark.parametrize("dim", [1, 3, 7, 33])
def test_an_odd_d_ends_in_a_sine_without_its_cosine(dim):
    table = sinusoidal_positions(5, dim)
    assert table.shape == (5, dim)
    np.testing.assert_allclose(table[:, -1].numpy(), np.sin(np.arange(5) / 10_000 ** ((dim - 1) / dim)), atol=1e-6)
    halves = sinusoidal_positions(5, dim, "halves")
    assert halves.shape == (5, dim)
    assert torch.equal(halves[:, dim // 2], table[:, -1])


def test_place_zero_is_all_zeros_and_ones():
    assert sinusoidal_positions(1, 6).tolist() == [[0, 1, 0, 1, 0, 1]]
    assert sinusoidal_positions(1, 6, "halves").tolist() == [[0, 0, 0, 1, 1, 1]]


def test_a_longer_table_begins_with_the_shorter_one():
    assert torch.equal(sinusoidal_positions(50, 12)[:9], sinusoidal_positions(9, 12))


@pytest.mark.parametrize("layout", ["", "paper", "Halves"])
def test_an_unknown_layout_is_refused_by_name(layout):
    with pytest.raises(ValueError, match=f"layout = '{layout}' is neither interleaved nor halves"):
        sinusoidal_positions(2, 4, layout)


@given(st.integers(1, 40), st.integers(1, 48), st.integers(1, 40), st.integers(0, 2**32 - 1))
def test_learned_positions_are_the_second_embedding_after_the_seed(length, dim, vocab_size, seed):
    before = torch.get_rng_state()
    learned = learned_positions(length, dim, vocab_size, seed)
    assert torch.equal(torch.get_rng_state(), before)
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        nn.Embedding(vocab_size, dim)
        assert torch.equal(learned, nn.Embedding(length, dim).weight)
