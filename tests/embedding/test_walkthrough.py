import pytest
import torch
from torch import nn

from components.base.settings import Settings
from components.embedding.walkthrough import Tables, walk


def test_walk_with_given_tables_uses_them_and_leaves_them_unchanged():
    tables = Tables(nn.Embedding.from_pretrained(torch.full((6, 16), 2.0)), torch.full((4, 16), 0.5))
    steps = walk(torch.tensor([[2, 3, 5, 1], [0, 1, 2, 3]]), Settings(6, 16, scale=True), tables)
    assert steps["combined"].unique().tolist() == [2 * 4 + 0.5]
    assert steps["position_broadcast"].shape == (2, 4, 16)
    assert (tables.token.weight.unique().tolist(), tables.position.unique().tolist()) == ([2.0], [0.5])


@pytest.mark.parametrize("position", ["learned", "sinusoidal"])
def test_walk_of_sequences_longer_than_the_context_length_is_refused(position):
    with pytest.raises(ValueError, match=r"sequences have 5 IDs; the context length is T = 4: raise T to 5"):
        walk(torch.zeros(2, 5, dtype=torch.int64), Settings(vocab_size=9, dim=3, position=position))
