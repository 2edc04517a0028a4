import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from components.embedding.positions import rates
from components.embedding.rotary import pairs, rotate, score_of_pairs

LAYOUTS = pytest.mark.parametrize("layout", ["interleaved", "halves"])


def sampled(*shape: int, seed: int = 1) -> torch.Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed))


def by_complex_numbers(x: torch.Tensor, positions: list[int], base: float = 10_000.0) -> torch.Tensor:
    """Return x [.., T, D] with neighbors as complex numbers, each multiplied by e^(i · angle), as Llama's code does."""
    D = x.shape[-1]
    angles = torch.tensor([[t / base ** (2 * i / D) for i in range(D // 2)] for t in positions], dtype=torch.float64)
    numbers = torch.view_as_complex(x.double().unflatten(-1, (-1, 2)).contiguous())
    return torch.view_as_real(numbers * torch.polar(torch.ones_like(angles), angles)).flatten(-2).float()


def by_halves(x: torch.Tensor, positions: list[int]) -> torch.Tensor:
    """Return x [.., T, D] by explicit rotation of column i with i + D/2, element by element, as GPT-NeoX pairs them."""
    D, rotated = x.shape[-1], x.clone()
    for row, t in enumerate(positions):
        for i in range(D // 2):
            angle = t * 10_000 ** (-2 * i / D)
            a, b = x[..., row, i], x[..., row, i + D // 2]
            rotated[..., row, i] = a * math.cos(angle) - b * math.sin(angle)
            rotated[..., row, i + D // 2] = b * math.cos(angle) + a * math.sin(angle)
    return rotated


@pytest.mark.parametrize("dim", [2, 4, 16, 64])
def test_rotate_agrees_with_complex_numbers_and_with_explicit_halves(dim):
    x, positions = sampled(2, 3, 6, dim), [0, 1, 2, 9, 100, 1_000]
    assert torch.allclose(rotate(x, torch.tensor(positions)), by_complex_numbers(x, positions), atol=1e-5)
    assert torch.allclose(rotate(x, torch.tensor(positions), "halves"), by_halves(x, positions), atol=1e-5)
    other = rotate(x, torch.tensor(positions), base=500.0)
    assert torch.allclose(other, by_complex_numbers(x, positions, 500.0), atol=1e-5)


@pytest.mark.parametrize("dim", [2, 6, 16])
def test_permuted_columns_turn_one_layout_into_the_other(dim):
    x, positions = sampled(5, dim), torch.arange(5)
    order = [*range(0, dim, 2), *range(1, dim, 2)]  # first of each pair, then second
    assert torch.equal(rotate(x, positions)[:, order], rotate(x[:, order], positions, "halves"))
    assert torch.equal(rotate(x, positions), rotate(x, positions, "halves")) == (dim == 2)


@LAYOUTS
def test_rotate_keeps_type_shape_norms_and_its_argument(layout):
    x = sampled(2, 4, 8).double()
    before = x.clone()
    rotated = rotate(x, torch.arange(4), layout)
    assert (rotated.shape, rotated.dtype) == (x.shape, x.dtype)
    assert torch.allclose(rotated.norm(dim=-1), x.norm(dim=-1))
    assert torch.equal(rotated[:, 0], x[:, 0])  # position 0 turns nothing
    assert torch.equal(x, before)


@LAYOUTS
@given(st.integers(0, 500), st.integers(0, 500), st.integers(0, 1_000), st.integers(0, 99))
def test_scores_depend_on_the_signed_offset_alone(layout, m, n, shift, seed):
    q, k = sampled(1, 16, seed=seed), sampled(1, 16, seed=seed + 100)

    def score(of_query: int, of_key: int) -> float:
        return (rotate(q, torch.tensor([of_query]), layout) @ rotate(k, torch.tensor([of_key]), layout).T).item()

    assert score(m, n) == pytest.approx(score(m + shift, n + shift), abs=2e-5)
    assert score(m, n) == pytest.approx(score(m - n, 0) if m >= n else score(0, n - m), abs=2e-5)


def test_scores_of_offsets_with_other_signs_differ():
    q, k = sampled(1, 16), sampled(1, 16, seed=2)
    both = [
        (rotate(q, torch.tensor([m])) @ rotate(k, torch.tensor([n])).T).item() for m, n in ((7, 3), (3, 7), (12, 8))
    ]
    assert abs(both[0] - both[1]) > 0.1
    assert both[0] == pytest.approx(both[2], abs=1e-5)


@LAYOUTS
def test_score_of_pairs_adds_up_to_the_score(layout):
    q, k = sampled(8), sampled(8, seed=2)
    terms = score_of_pairs(q, k, layout)
    assert terms.sum().item() == pytest.approx((q @ k).item() / math.sqrt(8), abs=1e-6)
    a, b = (
        ([2 * i for i in range(4)], [2 * i + 1 for i in range(4)]) if layout == "interleaved" else ([0, 1, 2, 3],) * 2
    )
    b = [i + 4 for i in a] if layout == "halves" else b
    expected = [(q[i] * k[i] + q[j] * k[j]).item() / math.sqrt(8) for i, j in zip(a, b, strict=True)]
    assert terms.tolist() == pytest.approx(expected, abs=1e-6)


def test_odd_dimension_and_unknown_layout_are_named():
    with pytest.raises(ValueError, match="D = 5 is odd"):
        rotate(torch.zeros(1, 5), torch.arange(1))
    with pytest.raises(ValueError, match="layout = 'thirds' is neither interleaved nor halves"):
        rotate(torch.zeros(1, 4), torch.arange(1), "thirds")
    with pytest.raises(ValueError, match="layout = 'Halves'"):
        pairs(4, "Halves")
    assert rates(64)[-1].item() == pytest.approx(10_000 ** (-62 / 64))
