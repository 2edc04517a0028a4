import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.base.presets import PUBLISHED
from components.text.vocabulary import SPECIAL_TOKENS, Vocabulary

SMALL = PUBLISHED["small_vocabulary"]
TEXT = PUBLISHED["text_vocabulary"]


def test_vocabulary_of_the_published_words_gives_the_published_ids():
    published = SMALL["vocabulary"]
    vocabulary = Vocabulary(list(published)[2:], list(published)[:2])
    assert {token: vocabulary.tokens.index(token) for token in published} == published
    assert vocabulary.n_vocab == SMALL["table_shape"][0]
    assert vocabulary.encode(SMALL["sentence"]) == SMALL["ids"]
    assert vocabulary.decode(SMALL["ids"]) == SMALL["sentence"]


def test_vocabulary_of_a_text_has_the_published_special_tokens_and_rows():
    vocabulary = Vocabulary.from_text(" ".join(f"w{n}" for n in range(TEXT["distinct_words"])) + " w1 w2")
    assert vocabulary.special_ids == TEXT["special_tokens"]
    assert vocabulary.encode("w0") == [TEXT["first_word_id"]]
    assert vocabulary.n_vocab == TEXT["table_shape"][0]


@pytest.mark.parametrize(
    ("text", "words", "token_ids"),
    [
        ("the cat in the hat sat", "sat the cat", [8, 4, 5]),
        ("a new generation, begins", "generation, generation", [6, 1]),
        ("the cat", "the dog The", [4, 1, 1]),
        ("the cat", "<pad> cat <eos>", [1, 5, 1]),
        *[(f"the {typed} cat", f"the {typed} cat", [4, 5, 6]) for typed in SPECIAL_TOKENS],
    ],
)
def test_vocabulary_numbers_words_in_order_and_treats_special_tokens_as_text(text, words, token_ids):
    assert Vocabulary.from_text(text).encode(words) == token_ids


@given(st.text() | st.lists(st.sampled_from(["the", "cat", *SPECIAL_TOKENS, "é", "字"])).map(" ".join))
def test_vocabulary_of_any_text_returns_it_with_single_spaces(text):
    vocabulary = Vocabulary.from_text(text)
    token_ids = vocabulary.encode(text)
    assert vocabulary.decode(token_ids) == " ".join(text.split())
    assert b" ".join(map(vocabulary.token_bytes, token_ids)).decode("utf-8") == " ".join(text.split())
    assert set(token_ids) == set(range(len(SPECIAL_TOKENS), vocabulary.n_vocab))
    assert all(vocabulary.token_bytes(i) == token.encode() for token, i in vocabulary.special_ids.items())
    for outside in (-1, vocabulary.n_vocab):
        with pytest.raises(KeyError):
            vocabulary.decode([outside])
