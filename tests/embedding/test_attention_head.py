import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.nn import functional as F

from components.embedding.attention_head import (
    attention,
    attention_scores,
    change_by_order,
    head_dim,
    head_weights,
    run_head,
)
from components.embedding.rotary import rotate

CAUSAL = pytest.mark.parametrize("causal", [True, False])
T, D = 7, 8


def sampled(*shape: int, seed: int = 1) -> torch.Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed))


@CAUSAL
@pytest.mark.parametrize("shape", [(1, 2), (7, 8), (2, 3, 9, 16)])
def test_attention_agrees_with_scaled_dot_product_attention(shape, causal):
    q, k, v = (sampled(*shape, seed=seed) for seed in range(3))
    out, weights = attention(q, k, v, causal)
    assert torch.allclose(out, F.scaled_dot_product_attention(q, k, v, is_causal=causal), atol=1e-6)
    assert weights.shape == (*shape[:-1], shape[-2])
    assert torch.allclose(weights.sum(dim=-1), torch.ones(shape[:-1]), atol=1e-6)
    assert (weights >= 0).all()
    later = torch.ones_like(weights).triu(1).bool()
    assert ((weights == 0) == later).all() if causal else (weights > 0).all()


def test_attention_of_plain_numbers_is_that_of_the_formula():
    q, k, v = sampled(3, 4), sampled(3, 4, seed=2), sampled(3, 2, seed=3)
    for t in range(3):
        scores = [sum(q[t, d].item() * k[s, d].item() for d in range(4)) / 2 for s in range(t + 1)]
        exps = [math.exp(score) for score in scores]
        mixed = [sum(e * v[s, d].item() for s, e in enumerate(exps)) / sum(exps) for d in range(2)]
        assert attention(q, k, v, causal=True)[0][t].tolist() == pytest.approx(mixed, abs=1e-6)
        assert attention_scores(q, k)[t, : t + 1].tolist() == pytest.approx(scores, abs=1e-6)


@given(st.permutations(range(T)), st.integers(0, 99))
def test_without_mask_and_positions_a_permutation_only_reorders_the_outputs(order, seed):
    x, head = sampled(T, D, seed=seed), head_weights(D, head_dim(D), seed)
    before, after = run_head(x, head, causal=False).out, run_head(x[order], head, causal=False).out
    assert torch.allclose(after, before[order], atol=1e-6)
    assert change_by_order(x, None, head, order, causal=False).max() < 1e-6


def test_with_a_causal_mask_an_output_depends_on_the_set_before_it():
    x, head = sampled(T, D), head_weights(D, D, 1)
    swapped = [1, 0, *range(2, T)]
    change = (run_head(x[swapped], head, causal=True).out - run_head(x, head, causal=True).out).abs().amax(dim=1)
    assert (change[:2] > 0.1).all()
    assert change[2:].max() < 1e-6
    assert change_by_order(x, None, head, swapped, causal=True)[:2].min() > 0.01


@pytest.mark.parametrize("rotary", [True, False])
def test_with_positions_a_permutation_changes_outputs_without_a_mask_too(rotary):
    x, head = sampled(T, D), head_weights(D, D, 1)
    position = None if rotary else sampled(T, D, seed=5)
    order = [3, 0, 6, 1, 5, 2, 4]
    change = change_by_order(x, position, head, order, causal=False, rotary=rotary)
    assert (change > 1e-3).all()
    added = torch.zeros(T, D) if rotary else position
    before, after = (run_head(rows, head, causal=False, rotary=rotary).out for rows in (x + added, x[order] + added))
    expected = [(after[order.index(t)] - before[t]).abs().max().item() for t in range(T)]
    assert change.tolist() == pytest.approx(expected)


@CAUSAL
def test_run_head_is_attention_of_projected_and_rotated_input(causal):
    x, head = sampled(T, D), head_weights(D, D, 3)
    q, k, v = (x @ weight for weight in head)
    turned = [rotate(each, torch.arange(T)) for each in (q, k)]
    steps = run_head(x, head, causal, rotary=True)
    assert torch.equal(steps.out, attention(*turned, v, causal)[0])
    assert torch.equal(steps.scores, attention_scores(*turned))
    plain = run_head(x, head, causal)
    assert torch.equal(plain.weights, attention(q, k, v, causal)[1])
    assert torch.equal(plain.v, v)
    assert torch.equal(plain.scores[0, :1], steps.scores[0, :1])  # position 0 turns nothing


def test_head_weights_are_sampled_by_their_seed_alone_and_divided_by_the_root():
    state = torch.get_rng_state()
    head = head_weights(64, 32, 9)
    assert torch.equal(torch.get_rng_state(), state)
    assert [weight.shape for weight in head] == [(64, 32)] * 3
    assert torch.equal(torch.stack(head), torch.randn(3, 64, 32, generator=torch.Generator().manual_seed(9)) / 8)
    assert not torch.equal(head.query, head_weights(64, 32, 8).query)


@pytest.mark.parametrize(("dim", "columns"), [(1, 2), (2, 2), (3, 4), (16, 16), (63, 64), (64, 64), (1_024, 64)])
def test_head_dim_is_even_and_at_most_that_of_gpt2(dim, columns):
    assert head_dim(dim) == columns
