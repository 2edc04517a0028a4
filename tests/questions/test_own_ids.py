import pytest

from components.base.link import State
from components.base.settings import Settings
from components.questions.own_ids import token_name


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
