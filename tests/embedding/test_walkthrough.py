import math

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from components.base.presets import PUBLISHED
from components.base.settings import POSITIONS, Settings
from components.embedding.positions import sinusoidal_positions
from components.embedding.walkthrough import init_tables, walk

COMBINED = PUBLISHED["combined_batch"]
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
def test_the_combined_vector_is_token_plus_position_cell_by_cell(settings):
    ids, tables = some_ids(settings), init_tables(settings)
    steps = walk(ids, settings)
    token = tables.token.weight.detach().numpy()[ids.numpy()] * np.float32(
        math.sqrt(settings.dim) if settings.scale else 1
    )
    expected = token if tables.position is None else token + tables.position.numpy()
    np.testing.assert_allclose(steps["combined"].numpy(), expected, rtol=1e-6, atol=1e-6)
    assert steps["combined"].shape == (*ids.shape, settings.dim)


@pytest.mark.parametrize(
    ("position", "scale", "names"),
    [
        ("none", False, "ids token combined"),
        ("none", True, "ids token scaled combined"),
        ("learned", False, "ids token position position_unsqueezed position_broadcast combined"),
        ("sinusoidal", True, "ids token scaled position position_unsqueezed position_broadcast combined"),
    ],
)
def test_the_steps_are_those_of_the_settings_in_order(position, scale, names):
    steps = walk(torch.tensor([[1, 2]]), Settings(vocab_size=9, dim=3, position=position, scale=scale))
    assert [*steps] == names.split()
    assert ("scaled" in steps) is scale
    assert ("position" in steps) is (position != "none")


def test_the_published_sum_has_the_published_shapes_and_numbers():
    settings = Settings(COMBINED["vocab_size"], COMBINED["dim"], COMBINED["seed"], COMBINED["context_length"])
    steps = walk(torch.tensor(PUBLISHED["story_batch"]["inputs"]), settings)
    assert {name: list(steps[name].shape) for name in COMBINED["shapes"]} == COMBINED["shapes"]
    for name, key in (("token", "token_0_0"), ("position", "position_0"), ("combined", "combined_0_0")):
        first = steps[name].reshape(-1, COMBINED["dim"])[0, :5].numpy()
        np.testing.assert_allclose(first, COMBINED[f"{key}_first5"], atol=5.1e-5, rtol=0)
    plain = steps["token"] + steps["position"]
    assert torch.equal(plain, steps["combined"])


def test_unsqueezing_changes_the_shape_and_no_number():
    steps = walk(torch.tensor([[1, 2], [3, 4]]), Settings(vocab_size=9, dim=3))
    position, broadcast = steps["position"], steps["position_broadcast"]
    assert torch.equal(steps["position_unsqueezed"][0], position)
    assert broadcast.shape == (2, 2, 3)
    assert all(torch.equal(row, position) for row in broadcast)


@pytest.mark.parametrize("layout", ["interleaved", "halves"])
def test_sinusoidal_positions_follow_the_chosen_layout(layout):
    settings = Settings(vocab_size=9, dim=6, position="sinusoidal", layout=layout)
    assert torch.equal(walk(torch.tensor([[1, 2, 3]]), settings)["position"], sinusoidal_positions(3, 6, layout))


@pytest.mark.parametrize("token_id", [9, -1])
def test_an_id_without_a_row_raises_what_torch_raises(token_id):
    with pytest.raises(IndexError, match="index out of range in self"):
        walk(torch.tensor([[0, token_id]]), Settings(vocab_size=9, dim=3))


@pytest.mark.parametrize("position", ["learned", "sinusoidal"])
def test_rows_longer_than_the_position_table_are_refused(position):
    with pytest.raises(ValueError, match=r"sequences have 5 IDs; the context length is T = 4: raise T to 5"):
        walk(torch.zeros(2, 5, dtype=torch.int64), Settings(vocab_size=9, dim=3, position=position))


def test_without_positions_rows_may_be_of_any_length():
    settings = Settings(vocab_size=9, dim=3, position="none")
    assert walk(torch.zeros(1, 50, dtype=torch.int64), settings)["combined"].shape == (1, 50, 3)
