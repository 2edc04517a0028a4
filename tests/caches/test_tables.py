"""Tables are initialized once for each V, D and seed, shared by sessions and threads, and bounded in bytes."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from time import sleep

import pytest
import torch

from components.base.limits import MAX_DIM, MAX_TABLE_BYTES, MAX_TABLE_BYTES_CACHED, MAX_TABLE_CELLS
from components.base.settings import Settings
from components.caches import tables as module
from components.caches.encoding import token_ids
from components.caches.tables import tables
from tests.app_driver import AppDriver, torch_tables


@pytest.fixture
def drawn(monkeypatch):
    """Return V, D and the bytes in the cache for each table that is initialized, from an empty cache on."""
    found, draw = [], module.token_table

    def recorded(vocab_size, dim, seed):
        found.append((vocab_size, dim, module._tables.currsize))
        return draw(vocab_size, dim, seed)

    monkeypatch.setattr(module, "token_table", recorded)
    module._tables.clear()
    yield found
    module._tables.clear()


@pytest.mark.parametrize("dim", [16, 32, 256])
def test_tables_with_fewer_rows_are_the_start_of_one_with_more(drawn, dim):
    for vocab_size in (900, 37, 1, 899):
        settings = Settings(vocab_size=vocab_size, dim=dim, seed=5, context_length=9, position="learned")
        token, position = torch_tables(vocab_size, dim, 5, 9)
        assert torch.equal(tables(settings).token.weight, token)
        assert torch.equal(tables(settings).position, position)
        assert tables(settings).token.num_embeddings == vocab_size
    assert len(drawn) == 1
    tables(Settings(vocab_size=901, dim=dim, seed=5, position="learned"))
    assert [size[:2] for size in drawn] == [(900, dim), (901, dim)]


@pytest.mark.parametrize(("dim", "rows"), [(16, 8), (15, 900)])
def test_table_ends_at_the_largest_id_if_rows_need_no_later_ones(drawn, dim, rows):
    settings = Settings(vocab_size=900, dim=dim, seed=5, context_length=9, position="learned")
    ids = torch.tensor([[7, 2]])
    found, (token, position) = tables(settings, ids), torch_tables(900, dim, 5, 9)
    assert torch.equal(found.token(ids), token[ids])
    assert torch.equal(found.position, position)
    assert drawn[0][:2] == (rows, dim)


@pytest.mark.parametrize("page", ["home", "combine"])
def test_page_samples_no_rows_after_the_largest_id(drawn, page):
    AppDriver().open(page, text="a a", D=16, seed=7)
    assert [size[:2] for size in drawn] == [(258, 16)]


def test_tables_free_memory_before_sampling_to_stay_within_limit(drawn):
    rows = MAX_TABLE_CELLS // MAX_DIM
    for seed in range(3):
        tables(Settings(vocab_size=rows, dim=MAX_DIM, seed=seed, position="learned"))
        assert 0 < sum(numbers.nbytes for numbers in module._tables.values()) <= MAX_TABLE_BYTES
        assert drawn[-1][2] + rows * MAX_DIM * 4 <= MAX_TABLE_BYTES


def test_new_table_is_sampled_when_those_in_use_leave_room(drawn, monkeypatch):
    rows = MAX_TABLE_CELLS // MAX_DIM
    in_use = [module.shared_token_table(rows, MAX_DIM, 1).weight.detach()[:1]]  # a tensor that shares its memory
    monkeypatch.setattr(module, "sleep", lambda seconds: in_use.clear())
    monkeypatch.setattr(module, "SECONDS_TO_WAIT", 0.2)
    with ThreadPoolExecutor(1) as pool:
        with module._sampling:  # another run's turn, which takes longer than a run waits for memory in its own
            later = pool.submit(module.shared_token_table, rows, MAX_DIM, 2)
            sleep(0.4)
        later.result()
    assert (in_use, len(drawn)) == ([], 2)
    assert len(module._in_memory) == 1


def test_cache_has_tables_within_its_limit_or_a_larger_one_alone(drawn):
    rows = MAX_TABLE_BYTES_CACHED // (6 * MAX_DIM * 4)  # six of these fill the cache
    found = []
    for seed, factor in (*enumerate((2, 2, 2, 2, 8, 2, 2, 1)), (7, 2)):  # the last one replaces its beginning
        tables(Settings(vocab_size=factor * rows, dim=MAX_DIM, seed=seed))
        found.append(len(module._tables))
    assert found == [1, 2, 3, 3, 1, 1, 2, 3, 3]


def test_table_that_was_used_last_stays_when_another_is_evicted(drawn):
    rows = MAX_TABLE_BYTES_CACHED // (3 * MAX_DIM * 4)  # three of these fill the cache
    for seed in (1, 2, 3, 1, 4, 1):
        module.shared_token_table(rows, MAX_DIM, seed)
    assert len(drawn) == 4


def test_table_in_use_is_found_after_the_cache_has_evicted_it(drawn):
    used = module.shared_token_table(9, 16, 5)
    module._tables.clear()
    assert module.shared_token_table(9, 16, 5).weight.data_ptr() == used.weight.data_ptr()
    with ThreadPoolExecutor(1) as pool, module._sampling:  # while another run waits for memory
        found = pool.submit(module.shared_token_table, 4, 16, 5).result(timeout=30)
    assert torch.equal(found.weight, used.weight[:4])
    assert len(drawn) == 1


def test_position_tables_of_any_length_are_sampled_once():
    short, long = (module.shared_learned_positions(length, 16, 50, 5) for length in (9, 20))
    assert short.data_ptr() == long.data_ptr()


def test_sinusoidal_positions_are_shared():
    first, second = (module.positions(Settings(position="sinusoidal")) for _ in range(2))
    assert first.data_ptr() == second.data_ptr()


def test_threads_get_tables_of_their_seeds_each_initialized_once(drawn):
    seeds = [seed % 8 for seed in range(32)]
    together = Barrier(len(seeds))

    def look_up(seed):
        together.wait(timeout=30)
        return tables(Settings(vocab_size=400, dim=33, seed=seed, position="learned"))

    with ThreadPoolExecutor(len(seeds)) as pool:
        answers = list(pool.map(look_up, seeds))
    for seed, answer in zip(seeds, answers, strict=True):
        token, position = torch_tables(400, 33, seed)
        assert torch.equal(answer.token.weight, token)
        assert torch.equal(answer.position, position)
    assert len({answer.token.weight.data_ptr() for answer in answers}) == len(drawn) == 8


def test_token_ids_of_all_sessions_cannot_be_changed():
    assert not token_ids("gpt2", "a text of several sessions").flags.writeable


def test_token_ids_of_an_empty_text_take_room_in_their_cache():
    token_ids.cache.clear()
    assert token_ids("gpt2", "").dtype == "int64"
    assert token_ids.cache.currsize > 0
