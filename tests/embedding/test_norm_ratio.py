from math import sqrt

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from components.embedding.norm_ratio import INIT_STDS, expected_norm, norm_ratio, row_norms, shuffle_difference
from components.embedding.positions import sinusoidal_positions

SHAPES = st.tuples(st.integers(1, 3), st.integers(1, 5), st.integers(2, 24), st.integers(0, 999))


def drawn(B: int, T: int, D: int, seed: int) -> tuple[torch.Tensor, torch.Tensor]:
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(B, T, D, generator=generator), torch.randn(T, D, generator=generator)


@given(SHAPES, st.sampled_from(sorted(INIT_STDS)), st.booleans(), st.booleans())
def test_the_balance_equals_numpy(shape, spread, scale, learned):
    token, position = drawn(*shape)
    D = shape[2]
    sigma = {"1": 1.0, "D^-0.5": 1 / sqrt(D), "0.02": 0.02}[spread]
    t = token.numpy().astype(float) * sigma * (sqrt(D) if scale else 1)
    p = position.numpy().astype(float) * (sigma if learned else 1)
    of_token, of_position = np.sqrt((t**2).sum(-1)), np.sqrt((p**2).sum(-1))
    cosine = ((t + p) * t).sum(-1) / np.sqrt(((t + p) ** 2).sum(-1)) / of_token
    expected = (of_token.mean(), of_position.mean(), of_token.mean() / of_position.mean(), cosine.mean())
    assert norm_ratio(token, position, spread, scale, learned) == pytest.approx(expected, rel=1e-4, abs=1e-5)


def test_scaling_makes_the_token_win_and_a_small_spread_makes_a_sinusoid_win():
    token, _ = drawn(2, 8, 64, seed=1)
    position = sinusoidal_positions(8, 64)
    plain = norm_ratio(token, position, learned=False)
    assert plain.ratio == pytest.approx(sqrt(2), rel=0.1)
    assert norm_ratio(token, position, scale=True, learned=False).ratio == pytest.approx(8 * plain.ratio, rel=1e-4)
    assert norm_ratio(token, position, init_std="0.02", learned=False).cosine < 0.2 < plain.cosine


def test_where_all_positions_are_zero_the_token_is_infinitely_longer():
    place_0 = sinusoidal_positions(1, 1)
    assert row_norms(place_0).tolist() == [0.0]
    found = norm_ratio(torch.ones(2, 1, 1), place_0, learned=False)
    assert (found.ratio, found.cosine) == (float("inf"), pytest.approx(1.0))


def test_an_unknown_spread_is_an_error():
    with pytest.raises(KeyError, match="wide"):
        norm_ratio(torch.ones(1, 1, 4), torch.ones(1, 4), init_std="wide")


def test_lengths_are_taken_along_the_last_dimension():
    assert row_norms(torch.tensor([[[3.0, 4.0], [0.0, 0.0]], [[5.0, 12.0], [8.0, 6.0]]])).tolist() == [[5, 0], [13, 10]]


@pytest.mark.parametrize("dim", [2, 64, 512])
def test_expected_lengths_agree_with_the_tables(dim):
    row = row_norms(sinusoidal_positions(9, dim)).mean().item()
    assert expected_norm(dim, "sinusoidal") == pytest.approx(row, rel=1e-5)
    normal = torch.randn(4_000, dim, generator=torch.Generator().manual_seed(1))
    assert row_norms(normal).square().mean().sqrt().item() == pytest.approx(expected_norm(dim, "learned"), rel=0.02)


@given(SHAPES, st.data())
def test_without_positions_the_order_changes_nothing(shape, data):
    token = drawn(*shape)[0][0]
    order = data.draw(st.permutations(range(len(token))))
    assert torch.equal(shuffle_difference(token, None, order), torch.zeros_like(token))


@given(SHAPES, st.data())
def test_with_positions_each_token_changes_by_its_new_place_minus_its_old(shape, data):
    token, position = drawn(*shape)
    order = data.draw(st.permutations(range(len(position))))
    effect = shuffle_difference(token[0], position, order)
    for new, old in enumerate(order):
        np.testing.assert_allclose(effect[old].numpy(), (position[new] - position[old]).numpy(), atol=1e-5)
