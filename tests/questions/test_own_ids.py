import pytest

from components.base.link import State
from components.base.settings import Settings
from components.questions.own_ids import token_name


@pytest.mark.parametrize(("tokenizer", "token_id"), [("gpt2", 99_999), ("cl100k_base", 7)])
def test_token_name_of_a_token_that_cannot_be_read_is_its_id(tokenizer, token_id, cache):
    assert token_name(State(Settings(tokenizer=tokenizer), text="the cat"), [1, token_id], 1) == f"ID {token_id}"
    assert token_name(State(Settings(tokenizer="words"), text="the"), [1, 2], 1) == "ID 2"
