import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.base.learner_text import clean_text, decode_upload, visible, whole_character
from components.base.limits import MAX_TEXT_CHARS

BOM = b"\xef\xbb\xbf"


@given(st.text())
def test_text_without_half_characters_stays_as_it_is(text):
    assert clean_text(text) == (text, None)


@given(st.text(st.characters()))
def test_any_text_becomes_one_that_utf8_can_carry(text):
    clean, problem = clean_text(text)
    assert clean.encode("utf-8").decode("utf-8") == clean
    assert (problem is None) == (clean == text)
    assert clean_text(clean) == (clean, None)


def test_only_the_half_character_is_replaced():
    clean, problem = clean_text("a\ud83d b\udc00😀")
    assert clean == "a\ufffd b\ufffd😀"
    assert "lone surrogate" in problem


@pytest.mark.parametrize("character", ["x", "é", "😀"])
def test_text_is_cut_at_the_limit_and_not_before(character):
    assert clean_text(character * MAX_TEXT_CHARS) == (character * MAX_TEXT_CHARS, None)
    clean, problem = clean_text(character * (MAX_TEXT_CHARS + 1))
    assert clean == character * MAX_TEXT_CHARS
    assert "The text has 100,001 characters; the limit is 100,000" in problem


def test_both_problems_of_a_text_are_named():
    _, problem = clean_text("\ud800" * (MAX_TEXT_CHARS + 1))
    assert "100,001 characters" in problem
    assert "lone surrogate" in problem


@given(st.text())
def test_an_uploaded_text_is_read_with_and_without_a_byte_order_mark(text):
    assert decode_upload(BOM + text.encode("utf-8")) == text
    assert decode_upload(text.encode("utf-8")) == text.removeprefix("\ufeff")


@pytest.mark.parametrize(
    ("content", "place", "byte"),
    [
        (b"\x89PNG\r\n\x1a\n", "0", "0x89"),
        ("naïve".encode("latin-1"), "2", "0xEF"),
        ("text".encode("utf-16"), "0", "0xFF"),
        (b"x" * 5_000 + b"\xff", "5,000", "0xFF"),
        (b"cut short \xf0\x9f", "10", "0xF0"),
        (b"\xed\xa0\x80", "0", "0xED"),
        (BOM + b"ab\xff", "5", "0xFF"),
    ],
)
def test_a_file_that_is_not_text_is_refused_with_the_first_wrong_byte(content, place, byte):
    with pytest.raises(ValueError, match=f"not text in UTF-8: byte {place} is {byte}"):
        decode_upload(content)


@pytest.mark.parametrize(
    ("token", "shown"),
    [
        (b"", "(empty)"),
        (b" the", "␣the"),
        (b"\r\n\t ", "␍⏎⇥␣"),
        (b"\x00", "U+0000"),
        (b"\xc2\xa0", "U+00A0"),
        (b"\xe2\x80", "bytes E2 80"),
        ("\u202eabc".encode(), "U+202Eabc"),
        ("e\u0301".encode(), "e◌\u0301"),
        ("\ufeff".encode(), "U+FEFF"),
        ("\U000e0041".encode(), "U+E0041"),
        ("👋".encode(), "👋"),
        (b"<b>&amp;</b>", "<b>&amp;</b>"),
    ],
)
def test_nothing_in_a_token_stays_invisible(token, shown):
    assert visible(token) == shown


@pytest.mark.parametrize("blank", ["\u3164", "\u115f", "\u1160", "\uffa0", "\u2800"])
def test_letters_and_symbols_that_are_drawn_as_nothing_are_named(blank):
    assert f"U+{ord(blank):04X}" in visible(blank.encode())


@given(st.binary() | st.text().map(str.encode))
def test_every_token_is_shown_without_a_control_character(token):
    shown = visible(token)
    assert shown
    assert not {unicodedata.category(c) for c in shown} & {"Cc", "Cf", "Cs", "Co", "Cn", "Zs", "Zl", "Zp"} - (
        {"Zs"} if shown.startswith("bytes ") else set()
    )


@given(st.characters(exclude_categories=["Cs"]).map(str.encode), st.integers(1, 3))
def test_a_character_is_whole_and_its_first_bytes_are_not(character, size):
    assert whole_character(character)
    assert len(character) <= size or not whole_character(character[:size])
