import torch
from hypothesis import given
from hypothesis import strategies as st

from components.base.limits import MAX_DIM, MAX_TABLE_CELLS
from components.embedding.positions import learned_positions
from components.ui import tables


def test_room_is_made_before_a_table_is_drawn(monkeypatch):
    draw, kept = tables.token_table, []

    def watched(*size: int):
        kept.append(tables._tables.currsize)
        return draw(*size)

    monkeypatch.setattr(tables, "token_table", watched)
    rows = MAX_TABLE_CELLS // MAX_DIM
    for seed in (1, 2):
        tables.shared_token_table(rows, MAX_DIM, seed)
    assert kept[-1] == 0
    tables._tables.clear()


@given(st.integers(1, 24), st.integers(1, 48))
def test_shared_positions_equal_a_table_of_their_own(length, dim):
    shared = tables.shared_learned_positions(length, dim, 5, 7)
    assert torch.equal(shared, learned_positions(length, dim, 5, 7))
