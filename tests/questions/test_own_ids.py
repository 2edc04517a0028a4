import pytest

from components.base.link import State
from components.base.settings import Settings
from components.questions.own_ids import MAX_IDS, batch_shape_or_default, own_ids, sample_ids, token_name


@pytest.mark.parametrize(
    ("typed", "token_ids", "sample"),
    [("", [0, 5, 4, 9, 3], [0, 4, 3]), ("1 0; 7 4", [], [1, 0, 4]), ("3 1 2 0", [4, 4], [3, 1, 2])],
)
def test_sample_ids_takes_those_in_range(typed, token_ids, sample):
    assert sample_ids(State(Settings(vocab_size=5, ids=typed)), token_ids, count=3) == sample
    assert len(sample_ids(State(), [], count=4)) == 4  # random ones


def test_own_ids_reads_the_first_of_a_text_and_none_that_are_not_numbers():
    assert own_ids(State(), range(600)) == [*range(MAX_IDS)] == [*range(512)]
    assert own_ids(State(Settings(ids="not ids")), [1, 2]) == []


def test_batch_shape_or_default_of_too_few_ids_is_that_of_the_settings():
    assert batch_shape_or_default(State(), range(9)) == batch_shape_or_default(State(), []) == (2, 4)


@pytest.mark.parametrize(
    ("tokenizer", "token_id", "name"),
    [
        ("words", 7, "“cat” (ID 7)"),
        ("gpt2", 3797, "“␣cat” (ID 3797)"),
        ("gpt2", 99_999, "ID 99999"),
        ("cl100k_base", 7, "ID 7"),
    ],
)
def test_token_name_of_a_token_that_cannot_be_read_is_its_id(tokenizer, token_id, name, cache):
    assert token_name(State(Settings(tokenizer=tokenizer), text="the cat"), [1, token_id], 1) == name
    assert token_name(State(Settings(tokenizer="words"), text="the"), [1, 2], 1) == "ID 2"
