import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from components.embedding.rotary import rotate


def sampled(*shape: int, seed: int = 1) -> torch.Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed))


def by_complex_numbers(x: torch.Tensor, positions: list[int], base: float = 10_000.0) -> torch.Tensor:
    """Return x [.., T, D] with neighbors as complex numbers, each multiplied by e^(i · angle), as Llama's code does."""
    D = x.shape[-1]
    angles = torch.tensor([[t / base ** (2 * i / D) for i in range(D // 2)] for t in positions], dtype=torch.float64)
    numbers = torch.view_as_complex(x.double().unflatten(-1, (-1, 2)).contiguous())
    return torch.view_as_real(numbers * torch.polar(torch.ones_like(angles), angles)).flatten(-2).float()


@given(st.integers(1, 32), st.lists(st.integers(0, 1_000), min_size=1, max_size=6), st.sampled_from([10_000.0, 500.0]))
def test_rotate_of_both_layouts_agrees_with_complex_numbers(n_pairs, positions, base):
    x, at = sampled(2, 3, len(positions), 2 * n_pairs), torch.tensor(positions)
    before, expected = x.clone(), by_complex_numbers(x, positions, base)
    torch.testing.assert_close(rotate(x, at, base=base), expected, atol=1e-5, rtol=0)
    halves = [*range(0, 2 * n_pairs, 2), *range(1, 2 * n_pairs, 2)]  # first of each pair, then second
    found = rotate(x[..., halves], at, "halves", base)
    torch.testing.assert_close(found, expected[..., halves], atol=1e-5, rtol=0)
    assert torch.equal(x, before)


def test_odd_dimension_and_unknown_layout_are_named():
    with pytest.raises(ValueError, match="D = 1,001 is odd"):
        rotate(torch.zeros(1, 1_001), torch.arange(1))
    with pytest.raises(ValueError, match="layout = 'Halves' is neither interleaved nor halves"):
        rotate(torch.zeros(1, 4), torch.arange(1), "Halves")
