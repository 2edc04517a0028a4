"""Tables are initialized once for each V, D and seed, shared by sessions and threads, and bounded in bytes."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
import torch
from driver import PAGES, AppDriver, torch_tables

from components.base.limits import MAX_TABLE_BYTES_CACHED
from components.base.settings import Settings
from components.ui import tables as shared
from components.ui.tables import tables


@pytest.fixture(autouse=True)
def _empty_cache():
    shared._tables.clear()
    yield
    shared._tables.clear()


@pytest.fixture
def draws(monkeypatch):
    """Return the sizes of the token tables that are initialized."""
    drawn, draw = [], shared.token_table

    def counted(vocab_size, dim, seed):
        drawn.append((vocab_size, dim))
        return draw(vocab_size, dim, seed)

    monkeypatch.setattr(shared, "token_table", counted)
    return drawn


def test_the_same_table_is_initialized_once_and_shared(draws):
    settings = Settings(vocab_size=60, dim=7, seed=5)
    first = tables(settings).token
    assert tables(settings).token is first
    assert tables(Settings(vocab_size=60, dim=7, seed=5, scale=True, position="none")).token is first
    assert draws == [(60, 7)]


@pytest.mark.parametrize("dim", [16, 32, 256])
def test_a_shorter_table_is_the_start_of_a_longer_one(draws, dim):
    for vocab_size in (900, 37, 1, 899):
        settings = Settings(vocab_size=vocab_size, dim=dim, seed=5, context_length=9)
        token, position = torch_tables(vocab_size, dim, 5, 9)
        assert torch.equal(tables(settings).token.weight, token)
        assert torch.equal(tables(settings).position, position)
        assert tables(settings).token.num_embeddings == vocab_size
    assert draws == [(900, dim)]
    tables(Settings(vocab_size=901, dim=dim, seed=5))
    assert draws == [(900, dim), (901, dim)]


@pytest.mark.parametrize("other", [{"vocab_size": 61}, {"dim": 8}, {"seed": 6}])
def test_another_size_or_seed_is_another_table(other):
    values = {"vocab_size": 60, "dim": 7, "seed": 5}
    one, two = tables(Settings(**values)).token.weight, tables(Settings(**values | other)).token.weight
    assert not torch.equal(one, two)


def test_learned_positions_are_the_same_every_time():
    settings = Settings(vocab_size=60, dim=7, seed=5, context_length=9)
    _, positions = torch_tables(60, 7, 5, 9)
    for _ in range(3):
        assert torch.equal(tables(settings).position, positions)


def test_all_pages_and_two_sessions_share_one_table(draws):
    for _ in range(2):
        app = AppDriver().open(V=60, D=7, seed=5, ids="1 2 3")
        for page in (page for page in PAGES if page != "reproduce"):
            app.open(page)
    assert draws == [(60, 7)]


def test_a_changed_seed_initializes_one_more_table(draws):
    app = AppDriver().open("combine", V=60, D=7, seed=5, ids="1 2 3; 4 5 6")
    app.set(combine_t=1, combine_b=0, all_scale=True, all_position="sinusoidal")
    assert len(draws) == 1
    app.set(row_seed=6)
    assert len(draws) == 2


def test_many_large_tables_stay_within_the_limit():
    kept = shared._tables
    for seed in range(4):
        tables(Settings(vocab_size=50_000, dim=256, seed=seed))
        used = sum(token.weight.nbytes for token in kept.values())
        assert 0 < used <= MAX_TABLE_BYTES_CACHED
    assert len(kept) == MAX_TABLE_BYTES_CACHED // (50_000 * 256 * 4)


def test_threads_with_different_seeds_get_their_numbers():
    seeds = [seed % 8 for seed in range(32)]
    wanted = {seed: torch_tables(400, 33, seed) for seed in set(seeds)}
    together = Barrier(len(seeds))

    def look_up(seed):
        together.wait(timeout=30)
        return tables(Settings(vocab_size=400, dim=33, seed=seed))

    with ThreadPoolExecutor(len(seeds)) as pool:
        answers = list(pool.map(look_up, seeds))
    for seed, answer in zip(seeds, answers, strict=True):
        token, position = wanted[seed]
        assert torch.equal(answer.token.weight, token)
        assert torch.equal(answer.position, position)


def test_threads_with_the_same_seed_share_one_table(draws):
    together = Barrier(16)

    def look_up(_):
        together.wait(timeout=30)
        return tables(Settings(vocab_size=400, dim=33, seed=1)).token

    with ThreadPoolExecutor(16) as pool:
        answers = list(pool.map(look_up, range(16)))
    assert len({id(answer) for answer in answers}) == 1
    assert len(draws) == 1
