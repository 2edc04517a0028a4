from math import sqrt

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from components.embedding.norm_ratio import (
    expected_norm,
    move_token,
    norm_ratio,
    shuffle_difference,
    shuffled_order,
)
from components.embedding.positions import sinusoidal_positions

SHAPES = st.tuples(st.integers(1, 3), st.integers(1, 5), st.integers(2, 24), st.integers(0, 999))


def random_vectors(B: int, T: int, D: int, seed: int) -> tuple[torch.Tensor, torch.Tensor]:
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(B, T, D, generator=generator), torch.randn(T, D, generator=generator)


@given(SHAPES, st.floats(0.01, 2), st.floats(0.01, 2), st.booleans())
def test_norm_ratio_of_any_tables_equals_that_of_numpy(shape, token_std, position_std, scale):
    token, position = random_vectors(*shape)
    t = token.numpy().astype(float) * token_std * (sqrt(shape[2]) if scale else 1)
    p = position.numpy().astype(float) * position_std
    of_token, of_position = np.sqrt((t**2).sum(-1)), np.sqrt((p**2).sum(-1))
    cosine = ((t + p) * t).sum(-1) / np.sqrt(((t + p) ** 2).sum(-1)) / of_token
    expected = (of_token.mean(), of_position.mean(), of_token.mean() / of_position.mean(), cosine.mean())
    assert norm_ratio(token, position, token_std, position_std, scale) == pytest.approx(expected, rel=1e-4, abs=1e-5)


def test_norm_ratio_of_positions_that_are_zero_is_infinite():
    found = norm_ratio(torch.ones(2, 1, 1), sinusoidal_positions(1, 1))
    assert found == (1.0, 0.0, float("inf"), pytest.approx(1.0))


@given(SHAPES)
def test_moved_token_has_another_position_and_nothing_else(shape):
    token, position = random_vectors(*shape)
    to = shape[-1] % len(position)
    found = move_token(token[0, 0], position, 0, to)
    t, p = token[0, 0].numpy().astype(float), position.numpy().astype(float)
    np.testing.assert_allclose(found.before.numpy(), t + p[0], atol=1e-5)
    np.testing.assert_allclose(found.after.numpy(), t + p[to], atol=1e-5)
    norms = np.linalg.norm(t + p[0]) * np.linalg.norm(t + p[to])
    expected = np.abs(p[to] - p[0]).max(), (t + p[0]) @ (t + p[to]) / norms
    assert (found.largest, found.cosine) == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize("dim", [2, 64, 512])
def test_expected_norm_agrees_with_the_tables(dim):
    norms = sinusoidal_positions(9, dim).norm(dim=-1)
    assert norms.tolist() == pytest.approx([expected_norm(dim, "sinusoidal")] * 9, rel=1e-5)
    normal = torch.randn(4_000, dim, generator=torch.Generator().manual_seed(1))
    assert normal.norm(dim=-1).square().mean().sqrt().item() == pytest.approx(expected_norm(dim, "learned"), rel=0.02)


@given(SHAPES)
def test_shuffle_difference_is_the_new_position_minus_the_old(shape):
    token, position = random_vectors(*shape)
    before, order = torch.get_rng_state(), shuffled_order(len(position), seed=shape[-1])
    assert torch.equal(torch.get_rng_state(), before)
    assert sorted(order) == [*range(len(position))]
    assert order == shuffled_order(len(position), seed=shape[-1])
    assert torch.equal(shuffle_difference(token[0], None, order), torch.zeros_like(token[0]))
    difference = shuffle_difference(token[0], position, order)
    expected = position - position[order]
    np.testing.assert_allclose(difference[order].numpy(), expected.numpy(), atol=1e-5)
