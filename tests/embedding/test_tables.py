import pytest
import torch
from hypothesis import example, given
from hypothesis import strategies as st

from components.embedding.tables import ADVANCE_BLOCK, advance_generator, token_table
from tests.app_driver import torch_tables

# Below 16 numbers torch samples one normal after the other, from 16 on in blocks.
SMALL = st.integers(1, 15).flatmap(lambda V: st.tuples(st.just(V), st.integers(1, 15 // V)))
SIZES = SMALL | st.tuples(st.integers(1, 80), st.integers(1, 80))


@given(SIZES, st.integers(0, 2**32 - 1))
@example((5, 3), 123)
@example((4, 4), 123)
@example((17, 1), 123)
@example((1, 1_024), 123)
@example((50_257, 16), 123)
def test_token_table_of_any_size_and_seed_equals_that_of_torch(size, seed):
    before = torch.get_rng_state()
    weight = token_table(*size, seed).weight
    assert torch.equal(torch.get_rng_state(), before)
    assert torch.equal(weight, torch_tables(*size, seed)[0])


@pytest.mark.parametrize(
    "numbers", [1, 15, 16, 17, ADVANCE_BLOCK - 1, 2 * ADVANCE_BLOCK - 1, 2 * ADVANCE_BLOCK, 3 * ADVANCE_BLOCK + 5]
)
def test_advance_generator_leaves_the_state_of_sampling_in_little_memory(monkeypatch, numbers):
    advanced, used = torch.Generator().manual_seed(9), torch.Generator().manual_seed(9)
    torch.empty(numbers).normal_(generator=used)
    empty, sizes = torch.empty, []
    monkeypatch.setattr(torch, "empty", lambda size, **kind: sizes.append(size) or empty(size, **kind))
    advance_generator(advanced, numbers)
    assert torch.equal(advanced.get_state(), used.get_state())
    assert max(sizes) <= ADVANCE_BLOCK
