import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.base.presets import PUBLISHED
from components.text.tokenizers import Tokenizer
from components.text.vocabulary import SPECIAL_TOKENS, Vocabulary

SMALL = PUBLISHED["small_vocabulary"]
TEXT = PUBLISHED["text_vocabulary"]


def test_the_published_small_vocabulary_gives_the_published_ids():
    published = SMALL["vocabulary"]
    vocabulary = Vocabulary(list(published)[2:], list(published)[:2])
    assert {token: vocabulary.tokens.index(token) for token in published} == published
    assert vocabulary.n_vocab == SMALL["table_shape"][0]
    assert vocabulary.encode(SMALL["sentence"]) == SMALL["ids"]
    assert vocabulary.decode(SMALL["ids"]) == SMALL["sentence"]


def test_special_tokens_come_first_as_published():
    assert Vocabulary.from_text("").special_ids == TEXT["special_tokens"]
    assert Vocabulary.from_text("word").encode("word") == [TEXT["first_word_id"]]


def test_fifty_distinct_words_make_the_published_number_of_rows():
    passage = " ".join(f"w{n}" for n in range(TEXT["distinct_words"])) + " w1 w2"
    assert Vocabulary.from_text(passage).n_vocab == TEXT["table_shape"][0]


def test_words_are_numbered_in_order_of_first_appearance():
    vocabulary = Vocabulary.from_text("the cat in the hat sat")
    assert vocabulary.tokens == [*SPECIAL_TOKENS, "the", "cat", "in", "hat", "sat"]
    assert vocabulary.encode("sat the cat") == [8, 4, 5]


def test_punctuation_stays_on_its_word():
    vocabulary = Vocabulary.from_text("a new generation, begins")
    assert vocabulary.encode("generation, generation") == [6, 1]


def test_unknown_words_become_unk():
    assert Vocabulary.from_text("the cat").encode("the dog The") == [4, 1, 1]


@pytest.mark.parametrize("typed", SPECIAL_TOKENS)
def test_a_special_token_typed_in_the_text_is_an_ordinary_word_with_a_row_of_its_own(typed):
    vocabulary = Vocabulary.from_text(f"the {typed} cat")
    assert vocabulary.encode(f"the {typed} cat") == [4, 5, 6]
    assert vocabulary.n_vocab == 7
    assert vocabulary.token_bytes(5) == vocabulary.token_bytes(vocabulary.special_ids[typed]) == typed.encode()


def test_a_special_token_that_the_text_does_not_hold_is_an_unknown_word():
    assert Vocabulary.from_text("the cat").encode("<pad> cat <eos>") == [1, 5, 1]


@pytest.mark.parametrize("token_id", [-1, 5])
def test_an_id_outside_the_vocabulary_is_an_error(token_id):
    vocabulary = Vocabulary.from_text("word")
    with pytest.raises(KeyError):
        vocabulary.token_bytes(token_id)
    with pytest.raises(KeyError):
        vocabulary.decode([token_id])


@given(st.text() | st.lists(st.sampled_from(["the", "cat", "<pad>", "<unk>", "é", "字"])).map(" ".join))
def test_a_text_comes_back_from_its_ids_with_single_spaces(text):
    vocabulary = Vocabulary.from_text(text)
    token_ids = vocabulary.encode(text)
    assert vocabulary.decode(token_ids) == " ".join(text.split())
    assert b" ".join(map(vocabulary.token_bytes, token_ids)).decode("utf-8") == " ".join(text.split())
    assert set(token_ids) == set(range(len(SPECIAL_TOKENS), vocabulary.n_vocab))


def test_a_vocabulary_answers_like_a_tokenizer():
    assert isinstance(Vocabulary.from_text("word"), Tokenizer)
