import math

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from components.base.settings import POSITIONS, Settings
from components.embedding.positions import sinusoidal_positions
from components.embedding.walkthrough import Tables, init_tables, walk

STEPS = ["ids", "token", "scaled", "position", "position_unsqueezed", "position_broadcast", "combined"]
SETTINGS = st.builds(
    Settings,
    vocab_size=st.integers(1, 40),
    dim=st.integers(1, 24),
    context_length=st.integers(1, 12),
    seed=st.integers(0, 2**32 - 1),
    position=st.sampled_from(POSITIONS),
    layout=st.sampled_from(["interleaved", "halves"]),
    scale=st.booleans(),
)


def random_ids(settings: Settings) -> torch.Tensor:
    generator = torch.Generator().manual_seed(1)
    return torch.randint(settings.vocab_size, (3, settings.context_length), generator=generator)


@given(SETTINGS)
def test_walk_of_any_settings_adds_the_tables_of_torch_step_by_step(settings):
    V, D, T, ids = settings.vocab_size, settings.dim, settings.context_length, random_ids(settings)
    before = torch.get_rng_state()
    tables, steps = init_tables(settings), walk(ids, settings)
    assert torch.equal(torch.get_rng_state(), before)
    with torch.random.fork_rng():
        torch.manual_seed(settings.seed)
        token, learned = nn.Embedding(V, D).weight.detach(), nn.Embedding(T, D).weight.detach()
    sinusoidal = sinusoidal_positions(T, D, settings.layout)
    position = {"none": torch.zeros(T, D), "learned": learned, "sinusoidal": sinusoidal}[settings.position]
    assert torch.equal(tables.token.weight, token)
    assert torch.equal(steps["token"], token[ids])
    off = ("position",) * (settings.position == "none") + ("scaled",) * (not settings.scale)
    assert [*steps] == [name for name in STEPS if not name.startswith(off)]
    if settings.position != "none":
        assert torch.equal(tables.position, position)
        assert torch.equal(steps["position"], position)
        assert torch.equal(steps["position_unsqueezed"], position[None])
        assert torch.equal(steps["position_broadcast"], torch.stack([position] * 3))
    factor = np.float32(math.sqrt(D) if settings.scale else 1)
    expected = token.numpy()[ids.numpy()] * factor + position.numpy()
    np.testing.assert_allclose(steps["combined"].numpy(), expected, rtol=1e-6, atol=1e-6)


@given(SETTINGS)
def test_walk_with_given_tables_uses_them_and_leaves_them_unchanged(settings):
    token = nn.Embedding.from_pretrained(torch.full((settings.vocab_size, settings.dim), 2.0))
    tables = Tables(token, torch.full((settings.context_length, settings.dim), 0.5))
    combined = walk(random_ids(settings), settings, tables)["combined"]
    assert combined.unique().tolist() == pytest.approx([2 * (math.sqrt(settings.dim) if settings.scale else 1) + 0.5])
    assert (token.weight.unique().tolist(), tables.position.unique().tolist()) == ([2.0], [0.5])


@pytest.mark.parametrize("position", ["learned", "sinusoidal"])
def test_walk_of_sequences_longer_than_the_context_length_is_refused(position):
    with pytest.raises(ValueError, match=r"sequences have 5 IDs; the context length is T = 4: raise T to 5"):
        walk(torch.zeros(2, 5, dtype=torch.int64), Settings(vocab_size=9, dim=3, position=position))
