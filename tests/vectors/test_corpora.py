import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.vectors.corpora import MAX_GRAMMAR_CHARS, read_grammar, write_sentences


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "no sentences"),
        ("king queen: royal\nthe [royal] rules", "Line 1, 'king queen: royal', is not a word with features"),
        ("the king rules\nking:", "Line 2, 'king:', is not a word with features"),
        ("king: royal\nthe [royal]. rules", r"Line 2: '\[royal\]\.' is neither a word nor a feature in brackets"),
        ("the king rules\nking - man = queen", "Line 2, 'king - man = queen', is not an analogy"),
        ("king: royal\nthe [loyal] rules", "Line 2: no word has the feature 'loyal'"),
        ("a" * (MAX_GRAMMAR_CHARS + 1), "3,001 characters; 3,000 is the limit"),
    ],
)
def test_read_grammar_of_an_invalid_text_names_its_line(text, problem):
    with pytest.raises(ValueError, match=problem):
        read_grammar(text)


@given(st.text(st.characters(), max_size=200) | st.text("ab: []-+=\n", max_size=80))
def test_read_grammar_of_any_text_returns_grammar_or_one_message(text):
    try:
        assert len(write_sentences(read_grammar(text), 5, 0)) == 5
    except ValueError as error:
        problem = str(error)
        assert (len(problem.splitlines()), problem[-1]) == (1, ".")
