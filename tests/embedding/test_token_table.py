from concurrent.futures import ThreadPoolExecutor
from math import sqrt
from threading import Barrier

import numpy as np
import pytest
import torch
from hypothesis import assume, given
from hypothesis import strategies as st
from torch import nn

from components.base.presets import PUBLISHED
from components.embedding.tables import (
    ADVANCE_BLOCK,
    advance_generator,
    init_embedding,
    scaled,
    seeded_generator,
    token_table,
)

TOY = PUBLISHED["toy_table"]
SEEDS = st.integers(0, 2**32 - 1)


def as_torch_draws(vocab_size: int, dim: int, seed: int) -> torch.Tensor:
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        return nn.Embedding(vocab_size, dim).weight.detach()


def assert_equal_to_torch(vocab_size: int, dim: int, seed: int) -> None:
    before = torch.get_rng_state()
    weight = token_table(vocab_size, dim, seed).weight
    assert torch.equal(torch.get_rng_state(), before)
    assert torch.equal(weight, as_torch_draws(vocab_size, dim, seed))


def test_the_published_toy_table_is_drawn_from_its_seed():
    table = token_table(TOY["vocab_size"], TOY["dim"], TOY["seed"])
    np.testing.assert_allclose(table.weight.detach().numpy(), TOY["weight"], atol=5.1e-5, rtol=0)
    rows = table(torch.tensor(TOY["lookup_ids"])).detach().numpy()
    np.testing.assert_allclose(rows, TOY["lookup_rows"], atol=5.1e-5, rtol=0)


# Below 16 numbers torch draws one normal after the other, from 16 on in blocks: two paths to agree with.
@given(st.integers(1, 15).flatmap(lambda V: st.tuples(st.just(V), st.integers(1, 15 // V))), SEEDS)
def test_a_table_under_16_numbers_equals_that_of_torch(size, seed):
    assert_equal_to_torch(*size, seed)


@given(st.integers(1, 80), st.integers(1, 80), SEEDS)
def test_a_table_of_16_numbers_or_more_equals_that_of_torch(vocab_size, dim, seed):
    assume(vocab_size * dim >= 16)
    assert_equal_to_torch(vocab_size, dim, seed)


@pytest.mark.parametrize(("vocab_size", "dim"), [(1, 1), (5, 3), (4, 4), (17, 1), (1, 1_024), (50_257, 16)])
def test_the_sizes_around_the_change_of_path_and_the_largest_equal_those_of_torch(vocab_size, dim):
    assert_equal_to_torch(vocab_size, dim, seed=123)


def test_seeds_give_different_tables():
    assert not torch.equal(token_table(6, 3, 1).weight, token_table(6, 3, 2).weight)


def test_eight_threads_at_once_each_get_the_numbers_of_their_seed():
    start = Barrier(8)

    def tables_of(seed: int) -> list[torch.Tensor]:
        start.wait(timeout=10)
        return [token_table(200 + n % 3, 7, seed).weight.detach() for n in range(30)]

    before = torch.get_rng_state()
    with ThreadPoolExecutor(8) as pool:
        drawn = list(pool.map(tables_of, range(8)))
    assert torch.equal(torch.get_rng_state(), before)
    for seed, tables in enumerate(drawn):
        expected = [as_torch_draws(200 + n, 7, seed) for n in range(3)]
        assert all(torch.equal(table, expected[n % 3]) for n, table in enumerate(tables))


def test_a_generator_goes_on_where_the_table_before_ended():
    generator = seeded_generator(5)
    first, second = init_embedding(3, 7, generator).weight, init_embedding(3, 7, generator).weight
    assert torch.equal(first, token_table(3, 7, 5).weight)
    assert not torch.equal(first, second)


@pytest.mark.parametrize("published", PUBLISHED["input_shapes"], ids=lambda facts: str(facts["ids_shape"]))
def test_looking_up_ids_adds_one_dimension_and_copies_rows(published):
    table = token_table(published["vocab_size"], published["dim"], seed=123)
    ids = torch.tensor(published["ids"], dtype=getattr(torch, published.get("ids_dtype", "int64")))
    vectors = table(ids)
    assert list(ids.shape) == published["ids_shape"]
    assert list(vectors.shape) == published["out_shape"]
    for place in np.ndindex(*ids.shape):
        assert torch.equal(vectors[place], table.weight[ids[place]])


def test_the_same_word_has_the_same_row_wherever_it_stands():
    small = PUBLISHED["small_vocabulary"]
    table = token_table(*small["table_shape"], seed=123)
    rows = table(torch.tensor(small["ids"]))
    assert list(table.weight.shape) == small["table_shape"]
    assert torch.equal(rows[0], rows[3])
    assert not torch.equal(rows[0], rows[1])


def test_an_id_without_a_row_raises_the_published_error():
    published = PUBLISHED["out_of_range"]
    with pytest.raises(IndexError, match=f"^{published['message']}$"):
        token_table(published["vocab_size"], 2, seed=1)(torch.tensor(published["ids"]))


@given(st.integers(1, 1_024))
def test_scaling_multiplies_by_the_root_of_d_and_leaves_its_input_alone(dim):
    vectors = token_table(3, dim, seed=1).weight.detach()
    before = vectors.clone()
    np.testing.assert_allclose(scaled(vectors, dim).numpy(), vectors.numpy() * sqrt(dim), rtol=1e-6)
    assert torch.equal(vectors, before)


def test_rows_drawn_from_a_normal_are_about_the_root_of_d_long():
    norms = token_table(1_000, 256, seed=123).weight.detach().norm(dim=1)
    assert norms.mean().item() == pytest.approx(sqrt(256), rel=0.01)


@pytest.mark.parametrize(
    "numbers", [1, 15, 16, 17, ADVANCE_BLOCK - 1, 2 * ADVANCE_BLOCK - 1, 2 * ADVANCE_BLOCK, 3 * ADVANCE_BLOCK + 5]
)
def test_skipping_leaves_the_stream_where_drawing_would(numbers):
    skipped, drawn = seeded_generator(9), seeded_generator(9)
    advance_generator(skipped, numbers)
    torch.empty(numbers).normal_(generator=drawn)
    assert torch.equal(skipped.get_state(), drawn.get_state())
