import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.base.presets import PUBLISHED
from components.text.vocabulary import SPECIAL_TOKENS, Vocabulary

SMALL = PUBLISHED["small_vocabulary"]
TEXT = PUBLISHED["text_vocabulary"]


def test_vocabulary_of_the_published_words_gives_published_ids():
    published = SMALL["vocabulary"]
    vocabulary = Vocabulary(list(published)[2:], list(published)[:2])
    assert {token: vocabulary.tokens.index(token) for token in published} == published
    assert vocabulary.n_vocab == SMALL["table_shape"][0]
    assert vocabulary.encode(SMALL["sentence"]) == SMALL["ids"]
    assert vocabulary.decode(SMALL["ids"]) == SMALL["sentence"]


@given(st.text() | st.lists(st.sampled_from(["the", "The", "cat", *SPECIAL_TOKENS, "é", "字"])).map(" ".join))
def test_vocabulary_of_any_text_numbers_words_in_order(text):
    vocabulary, special_ids, first = Vocabulary(text.split()), TEXT["special_tokens"], TEXT["first_word_id"]
    id_of = {word: i for i, word in enumerate(dict.fromkeys(text.split()), start=first)}
    token_ids = vocabulary.encode(text)
    assert token_ids == [id_of[word] for word in text.split()]  # special tokens are text like any other
    assert vocabulary.encode("the cat <eos>") == [id_of.get(w, special_ids["<unk>"]) for w in ("the", "cat", "<eos>")]
    assert vocabulary.decode(token_ids) == " ".join(text.split())
    assert (vocabulary.special_ids, vocabulary.n_vocab) == (special_ids, first + len(id_of))
    assert all(vocabulary.token_bytes(i) == token.encode() for token, i in special_ids.items())
    for outside in (-1, vocabulary.n_vocab):
        with pytest.raises(KeyError):
            vocabulary.decode([outside])
