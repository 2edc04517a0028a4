import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.nn import functional as F

from components.embedding.attention_head import change_by_order, head_dim, head_weights, run_head
from components.embedding.rotary import rotate

D = 8


def sampled(*shape: int, seed: int = 1) -> torch.Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed))


@given(st.integers(1, 9), st.integers(0, 99), st.booleans(), st.booleans())
def test_run_head_agrees_with_scaled_dot_product_attention(T, seed, causal, rotary):
    x, head = sampled(T, D, seed=seed), head_weights(D, 6, seed)
    steps = run_head(x, head, causal, rotary)
    q, k, v = (x @ weight for weight in head)
    if rotary:
        q, k = (rotate(each, torch.arange(T)) for each in (q, k))
    for found, values in ((steps.out, v), (steps.weights, torch.eye(T))):
        expected = F.scaled_dot_product_attention(q, k, values, is_causal=causal)
        torch.testing.assert_close(found, expected, atol=1e-6, rtol=1e-5)
    assert (steps.weights[~torch.ones(T, T).tril().bool()] == 0).all() or not causal
    torch.testing.assert_close(steps.scores, (q[:, None] * k).sum(dim=-1) / 6**0.5, atol=1e-6, rtol=1e-5)
    assert [each.tolist() for each in (steps.q, steps.k, steps.v)] == [each.tolist() for each in (q, k, v)]


@given(st.permutations(range(7)), st.booleans(), st.booleans(), st.booleans())
def test_change_by_order_compares_each_token_at_both_positions(order, added, causal, rotary):
    x, position, head = sampled(7, D), sampled(7, D, seed=5), head_weights(D, D, 1)
    change = change_by_order(x, position if added else None, head, order, causal, rotary)
    rows = (x + position * added, x[order] + position * added)
    before, after = (run_head(each, head, causal, rotary).out for each in rows)
    expected = [(after[order.index(t)] - before[t]).abs().max() for t in range(7)]
    torch.testing.assert_close(change, torch.stack(expected))
    if not (added or causal or rotary):
        assert change.max() < 1e-6  # without positions and mask the outputs are in another order, and the same


def test_head_weights_are_sampled_by_their_seed_alone_and_divided_by_the_root():
    state = torch.get_rng_state()
    head = head_weights(64, 32, 9)
    assert torch.equal(torch.get_rng_state(), state)
    assert torch.equal(torch.stack(head), sampled(3, 64, 32, seed=9) / 8)


@pytest.mark.parametrize(("dim", "columns"), [(1, 2), (63, 64), (64, 64), (1_024, 64)])
def test_head_dim_is_even_and_at_most_that_of_gpt2(dim, columns):
    assert head_dim(dim) == columns
