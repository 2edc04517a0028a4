from hypothesis import given
from hypothesis import strategies as st

from components.rooms.codes import CODE_LENGTH, LETTERS, is_secret_of, new_code, new_secret, read_code


def test_new_codes_have_all_letters_but_vowels_and_are_read_back():
    codes = [new_code() for _ in range(2_000)]
    assert {*"".join(codes)} == {*LETTERS} == {*LETTERS} - {*"AEIOUYQV"}
    assert [read_code(code.lower()) for code in codes] == codes


@given(st.text())
def test_typed_code_is_a_code_or_nothing(typed):
    code = read_code(typed)
    assert code == "" or (len(code) == CODE_LENGTH and {*code} <= {*LETTERS})


def test_secrets_differ_and_an_empty_one_fits_nothing():
    assert new_secret() != new_secret()
    assert not is_secret_of("", ("", ""))
