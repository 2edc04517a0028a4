import pytest

from components.base.link import State
from components.base.settings import Settings
from components.questions.own_ids import sample_ids, token_name


@pytest.mark.parametrize(
    ("typed", "token_ids", "sample"),
    [("", [0, 5, 4, 9, 3], [0, 4, 3]), ("1 0; 7 4", [], [1, 0, 4]), ("3 1 2 0", [4, 4], [3, 1, 2])],
)
def test_sample_ids_takes_those_in_range(typed, token_ids, sample):
    assert sample_ids(State(Settings(vocab_size=5, ids=typed)), token_ids, count=3) == sample
    assert len(sample_ids(State(), [], count=4)) == 4  # random ones


def test_sample_ids_of_a_text_depend_on_the_seed_and_typed_ones_do_not():
    def samples(typed):
        states = [State(Settings(vocab_size=9, seed=seed, ids=typed)) for seed in range(9)]
        return {tuple(sample_ids(state, range(9), count=3)) for state in states}

    assert samples("8 7 6 5") == {(8, 7, 6)}
    assert len(samples("")) > 1


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
