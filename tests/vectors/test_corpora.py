import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.vectors.corpora import MAX_GRAMMAR_CHARS, read_grammar, write_sentences

NO_FEATURES = "is not a word with features: write for example king: royal male."


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "The grammar has no sentences: write for example the [royal] wears a crown."),
        ("king queen: royal\nthe [royal] rules", f"Line 1, 'king queen: royal', {NO_FEATURES}"),
        ("the king rules\nking:", f"Line 2, 'king:', {NO_FEATURES}"),
        (
            "king: royal\nthe [royal]. rules",
            "Line 2: '[royal].' is neither a word nor a feature in brackets. Write one feature, with spaces around the "
            "brackets: [royal].",
        ),
        (
            "the king rules\nking - man = queen",
            "Line 2, 'king - man = queen', is not an analogy: write for example king - man + woman = queen.",
        ),
        (
            "king: royal\nthe [loyal] rules",
            "Line 2: no word has the feature 'loyal'. Give it to a word, as in king: loyal, or change the feature.",
        ),
        (
            "king: royal male\nthe [royal] rules\nqueen  royal male",
            "Line 3, 'queen royal male', has only features after its first word. Write a colon after it: queen: royal "
            "male.",
        ),
        ("a" * (MAX_GRAMMAR_CHARS + 1), "The grammar has 3,001 characters; 3,000 is the limit: shorten it."),
    ],
)
def test_read_grammar_of_an_invalid_text_names_its_line(text, problem):
    with pytest.raises(ValueError, match=f"^{re.escape(problem)}$"):
        read_grammar(text)


@given(st.text(st.characters(), max_size=200) | st.text("ab: []-+=\n", max_size=80))
def test_read_grammar_of_any_text_returns_grammar_or_one_message(text):
    try:
        assert len(write_sentences(read_grammar(text), 5, 0)) == 5
    except ValueError as error:
        problem = str(error)
        assert (len(problem.splitlines()), problem[-1]) == (1, ".")
