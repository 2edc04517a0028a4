import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from components.base.settings import POSITIONS, Settings
from components.embedding.walkthrough import Tables, init_tables, walk

SETTINGS = st.builds(
    Settings,
    vocab_size=st.integers(1, 4) | st.integers(1, 40),
    dim=st.integers(1, 3) | st.integers(1, 24),
    context_length=st.integers(1, 4) | st.integers(1, 12),
    seed=st.integers(0, 2**32 - 1),
    position=st.sampled_from(POSITIONS),
    layout=st.sampled_from(["interleaved", "halves"]),
    scale=st.booleans(),
)


def some_ids(settings: Settings, rows: int = 3) -> torch.Tensor:
    generator = torch.Generator().manual_seed(1)
    return torch.randint(settings.vocab_size, (rows, settings.context_length), generator=generator)


@given(SETTINGS)
def test_both_tables_equal_two_embeddings_drawn_by_torch_after_the_seed(settings):
    before = torch.get_rng_state()
    tables = init_tables(settings)
    assert torch.equal(torch.get_rng_state(), before)
    with torch.random.fork_rng():
        torch.manual_seed(settings.seed)
        token = nn.Embedding(settings.vocab_size, settings.dim).weight
        position = nn.Embedding(settings.context_length, settings.dim).weight
    assert torch.equal(tables.token.weight, token)
    if settings.position == "learned":
        assert torch.equal(tables.position, position)
        assert torch.equal(walk(some_ids(settings), settings)["position"], position)


@given(SETTINGS)
def test_tables_that_are_handed_in_are_used_and_left_as_they_were(settings):
    token = nn.Embedding.from_pretrained(torch.full((settings.vocab_size, settings.dim), 2.0))
    given_tables = Tables(token, torch.full((settings.context_length, settings.dim), 0.5))
    combined = walk(some_ids(settings), settings, given_tables)["combined"]
    assert combined.unique().tolist() == pytest.approx([2 * (math.sqrt(settings.dim) if settings.scale else 1) + 0.5])
    assert torch.equal(token.weight, torch.full_like(token.weight, 2.0))
    assert torch.equal(given_tables.position, torch.full_like(given_tables.position, 0.5))
