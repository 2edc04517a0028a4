"""Codes of rooms: letters that cannot be mistaken, words that cannot occur."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from components.rooms.codes import CODE_LENGTH, LETTERS, is_secret_of, new_code, new_secret, read_code


def test_codes_have_no_vowels_and_use_all_letters():
    drawn = [new_code() for _ in range(2_000)]
    assert {len(code) for code in drawn} == {CODE_LENGTH}
    assert Counter("".join(drawn)).keys() == set(LETTERS)
    assert not set(LETTERS) & set("AEIOUYQV")


@given(st.text())
def test_typed_code_is_a_code_or_nothing(typed):
    code = read_code(typed)
    assert code == "" or (len(code) == CODE_LENGTH and set(code) <= set(LETTERS))


def test_new_codes_and_secrets_are_read_back():
    assert read_code(new_code().lower()) != ""
    assert new_secret() != new_secret()
    assert not is_secret_of("", ("", ""))
