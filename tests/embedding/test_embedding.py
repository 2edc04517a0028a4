from functools import partial
from math import cos, sin
from timeit import Timer

import numpy as np
import pytest
import torch
from hypothesis import example, given
from hypothesis import strategies as st
from torch import nn

from components.base.limits import MAX_ONE_HOT_CELLS, MAX_TIMED_COLUMNS, MAX_TIMED_IDS
from components.base.settings import Settings
from components.embedding import timing
from components.embedding.one_hot import first_ids, gradients, one_hot_matrix
from components.embedding.positions import learned_positions, sinusoidal_positions
from components.embedding.projection import project
from components.embedding.rotary import rotate
from components.embedding.tables import ADVANCE_BLOCK, advance_generator, token_table
from components.embedding.timing import REPETITIONS, measure, quartiles
from components.embedding.walkthrough import Tables, walk
from components.text.tokenizers import get_tokenizer
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
def test_advance_generator_equals_sampling_in_little_memory(monkeypatch, numbers):
    advanced, used = torch.Generator().manual_seed(9), torch.Generator().manual_seed(9)
    torch.empty(numbers).normal_(generator=used)
    empty, sizes = torch.empty, []
    monkeypatch.setattr(torch, "empty", lambda size, **kind: sizes.append(size) or empty(size, **kind))
    advance_generator(advanced, numbers)
    assert torch.equal(advanced.get_state(), used.get_state())
    assert max(sizes) <= ADVANCE_BLOCK


def published_element(position: int, column: int, dim: int) -> float:
    """PE(pos, 2i) = sin(pos / 10000^(2i/D)) and PE(pos, 2i+1) = cos(pos / 10000^(2i/D)), section 3.5 of the paper."""
    angle = position / 10_000 ** (2 * (column // 2) / dim)
    return cos(angle) if column % 2 else sin(angle)


@given(st.integers(1, 40), st.integers(1, 48))
@example(1_024, 768)
def test_sinusoidal_positions_follow_the_published_formula(length, dim):
    table = sinusoidal_positions(length, dim)
    assert table.shape == (length, dim)
    assert table.dtype == torch.float32
    rows = range(length) if length <= 40 else [length - 1]
    expected = [[published_element(t, d, dim) for d in range(dim)] for t in rows]
    np.testing.assert_allclose(table[list(rows)].numpy(), expected, atol=1e-6, rtol=0)
    in_halves = sinusoidal_positions(length, dim, "halves")
    assert torch.equal(in_halves, table[:, [*range(0, dim, 2), *range(1, dim, 2)]])
    with pytest.raises(ValueError, match="layout = 'paper' is neither interleaved nor halves"):
        sinusoidal_positions(length, dim, "paper")


@given(st.integers(1, 40), st.integers(1, 48), st.integers(1, 40), st.integers(0, 2**32 - 1))
def test_learned_positions_are_second_embedding_after_the_seed(length, dim, vocab_size, seed):
    before = torch.get_rng_state()
    learned = learned_positions(length, dim, vocab_size, seed)
    assert torch.equal(torch.get_rng_state(), before)
    assert torch.equal(learned, torch_tables(vocab_size, dim, seed, length)[1])


def test_gradients_leave_the_table_of_all_sessions_without_one():
    ids, table = torch.tensor([2, 0]), torch.ones(3, 4)
    gradients(ids, one_hot_matrix(ids, table), table, torch.ones(2, 4))
    assert not table.requires_grad
    assert table.unique().tolist() == [1.0]


def test_first_ids_are_one_at_least():
    assert first_ids(torch.tensor([[2, 3], [5, 1]]), MAX_ONE_HOT_CELLS * 2).tolist() == [2]


def test_base_is_that_of_the_rates():
    found = rotate(torch.tensor([[0.0, 0.0, 1.0, 2.0]]), torch.tensor([1]), base=4.0)
    assert found[0].tolist() == pytest.approx([0, 0, cos(0.5) - 2 * sin(0.5), sin(0.5) + 2 * cos(0.5)])


def test_odd_dimension_and_unknown_layout_are_named():
    with pytest.raises(ValueError, match="D = 1,001 is odd"):
        rotate(torch.zeros(1, 1_001), torch.arange(1))
    with pytest.raises(ValueError, match="layout = 'Halves' is neither interleaved nor halves"):
        rotate(torch.zeros(1, 4), torch.arange(1), "Halves")


def test_walk_uses_given_tables_and_leaves_them_unchanged():
    tables = Tables(nn.Embedding.from_pretrained(torch.full((6, 16), 2.0)), torch.full((4, 16), 0.5))
    steps = walk(torch.tensor([[2, 3, 5, 1], [0, 1, 2, 3]]), Settings(6, 16, scale=True), tables)
    assert steps["combined"].unique().tolist() == [2 * 4 + 0.5]
    assert steps["position_broadcast"].shape == (2, 4, 16)
    assert (tables.token.weight.unique().tolist(), tables.position.unique().tolist()) == ([2.0], [0.5])


@pytest.mark.parametrize("position", ["learned", "sinusoidal"])
def test_walk_of_sequences_over_the_context_length_is_refused(position):
    with pytest.raises(ValueError, match=r"sequences have 5 IDs; the context length is T = 4: raise T to 5"):
        walk(torch.zeros(2, 5, dtype=torch.int64), Settings(vocab_size=9, dim=3, position=position))


@pytest.mark.parametrize("seed", range(5))
def test_project_explains_as_much_variance_as_its_shares(seed):
    rows = np.random.default_rng(seed).normal(size=(12, 6))
    projection = project(rows)
    variances = np.linalg.eigvalsh(np.cov(rows.T))[::-1]
    assert projection.shares == pytest.approx(tuple(variances[:2] / variances.sum()))
    assert np.var(projection.points, axis=0, ddof=1) == pytest.approx(variances[:2])
    assert projection.apply(rows) == pytest.approx(projection.points)
    assert (projection.axes.max(axis=1) == np.abs(projection.axes).max(axis=1)).all()  # which fixes the signs


@pytest.mark.parametrize("rows", [np.zeros((3, 4)), np.array([[1.0], [3.0]]), np.eye(2)])
def test_project_of_few_vectors_keeps_their_distances(rows):
    projection = project(rows)
    assert projection.points.shape == (len(rows), 2)
    assert np.linalg.norm(np.diff(projection.points, axis=0)) == pytest.approx(np.linalg.norm(np.diff(rows, axis=0)))
    assert sum(projection.shares) == pytest.approx(1.0 if rows.any() else 0.0)


def test_measure_yields_every_size_and_leaves_the_random_state(monkeypatch):
    shapes = []
    assert timing.SIZES[-1] == get_tokenizer("gpt2").n_vocab
    monkeypatch.setattr(timing, "SIZES", timing.SIZES[:2])
    monkeypatch.setattr(timing, "quartiles", lambda function: shapes.append([*function().shape]))
    before = torch.get_rng_state()
    assert [found.vocab_size for found in measure(n_ids=64, dim=1_024)] == [16, 64]
    assert shapes == [[MAX_TIMED_IDS, MAX_TIMED_COLUMNS]] * 4
    assert len([*measure(2, 3)]) == 2
    assert shapes[4:] == [[2, 3]] * 4
    assert torch.equal(torch.get_rng_state(), before)


@pytest.mark.parametrize(("seconds", "calls"), [(0.01, 1), (0.0003, 4)])
def test_quartiles_are_those_of_the_repetitions(monkeypatch, seconds, calls):
    clock, runs = [0.0], []

    def function():
        runs.append(1)
        repetition = max(0, len(runs) - 3) // calls  # after the warm-up and the call that is counted
        clock[0] += seconds + 1e-6 * repetition * (len(runs) > 2)

    monkeypatch.setattr(timing, "Timer", partial(Timer, timer=lambda: clock[0]))
    found = quartiles(function)
    assert len(runs) == 2 + REPETITIONS * calls
    assert found == pytest.approx([seconds + 1e-6 * n for n in (6, 12, 18)])
