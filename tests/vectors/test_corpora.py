import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.vectors.corpora import GRAMMAR, MAX_GRAMMAR_CHARS, read_grammar, write_sentences
from components.vectors.news import lee_sentences


def test_the_grammar_has_five_word_sentences_and_analogies_that_its_features_explain():
    grammar = read_grammar(GRAMMAR)
    assert {len(sentence) for sentence in grammar.sentences} == {5}
    assert len(grammar.questions) == 8
    features = {}
    for feature, words in grammar.words.items():
        for word in words:
            features.setdefault(word, set()).add(feature)
    for q in grammar.questions:
        assert features[q.a] - features[q.b] == features[q.answer] - features[q.c], q
        assert features[q.b] - features[q.a] == features[q.c] - features[q.answer], q


def test_every_sentence_is_one_of_the_grammar_with_its_slots_filled():
    grammar = read_grammar(GRAMMAR)
    for sentence in write_sentences(grammar, 500, seed=3):
        assert any(
            all(
                word == part or word in grammar.words.get(part[1:-1], [])
                for word, part in zip(sentence, parts, strict=True)
            )
            for parts in grammar.sentences
            if len(parts) == len(sentence)
        )


def test_a_seed_writes_the_same_sentences_and_another_one_others():
    grammar = read_grammar(GRAMMAR)
    assert write_sentences(grammar, 50, 1) == write_sentences(grammar, 50, 1) != write_sentences(grammar, 50, 2)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("", "no sentences"),
        ("king: royal", "no sentences"),
        ("king queen: royal\nthe [royal] rules", "Line 1, 'king queen: royal', is not a word with features"),
        ("king:\nthe king rules", "Line 1, 'king:', is not a word with features"),
        ("king: royal\nthe [loyal] rules", "Line 2: no word has the feature 'loyal'"),
        ("a " * MAX_GRAMMAR_CHARS, "6,000 characters; 3,000 is the limit"),
    ],
)
def test_a_grammar_that_cannot_be_read_is_refused_at_its_line(text, named):
    with pytest.raises(ValueError, match=named):
        read_grammar(text)


@given(st.text(st.characters(), max_size=200) | st.text("ab: []-+=\n", max_size=80))
def test_any_text_is_a_grammar_or_a_plain_sentence(text):
    try:
        grammar = read_grammar(text)
    except ValueError as refused:
        sentence = str(refused)
    else:
        assert len(write_sentences(grammar, 5, 0)) == 5
        return
    assert sentence.endswith(".")
    assert len(sentence.splitlines()) == 1


def test_the_news_are_300_documents_of_plain_words():
    documents = lee_sentences()
    assert len(documents) == 300
    assert 55_000 < sum(map(len, documents)) < 60_000
    assert all(word == word.lower() for word in documents[7])
