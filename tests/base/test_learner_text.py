import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.base.learner_text import JOINERS, clean_text, decode_upload, show_hidden, visible
from components.base.limits import MAX_TEXT_CHARS, MAX_TEXT_FILE_BYTES

BOM = b"\xef\xbb\xbf"
INVISIBLE = {"Cc", "Cf", "Cs", "Co", "Cn", "Zs", "Zl", "Zp"}


@given(st.lists(st.characters(codec="utf-8") | st.just("\ud83d")).map("".join))
def test_clean_text_changes_only_what_cannot_be_encoded(text):
    clean, problem = clean_text(text)
    assert clean == "".join("\ufffd" if unicodedata.category(c) == "Cs" else c for c in text)
    assert (problem is None) == (clean == text)
    assert clean_text(clean) == (clean, None)


def test_clean_text_joins_surrogate_pairs_and_replaces_lone_ones():
    assert clean_text("a\ud83d\ude00 \ud83d b\udc00😀")[0] == "a😀 \ufffd b\ufffd😀"


def test_clean_text_cuts_at_the_limit_and_not_before():
    longest = "😀" * MAX_TEXT_CHARS
    assert clean_text(longest) == (longest, None)
    problem = "The text has 100,001 characters; the limit is 100,000: using the first 100,000."
    assert clean_text(f"{longest}😀") == (longest, problem)
    _, both = clean_text("😀" + "\ud800" * MAX_TEXT_CHARS)
    assert both == f"{problem} The text contains incomplete characters (lone surrogates): replaced by �."


@given(st.text().filter(lambda text: text.removeprefix("\ufeff").strip()))
def test_decode_upload_of_any_text_drops_one_byte_order_mark(text):
    assert decode_upload(BOM + text.encode("utf-8")) == text
    assert decode_upload(text.encode("utf-8")) == text.removeprefix("\ufeff")


@pytest.mark.parametrize(
    ("content", "position", "byte"),
    [(b"x" * 5_000 + b"\xff", "5,001", "0xFF"), (b"cut \xf0\x9f", "5", "0xF0"), (BOM + b"a\xed\xa0", "5", "0xED")],
)
def test_decode_upload_of_other_bytes_names_the_first_wrong_one(content, position, byte):
    fix = r"Save it as plain text \(UTF-8\) and try again\.$"
    with pytest.raises(ValueError, match=rf"^The file is not text in UTF-8: byte {position} is {byte}\. {fix}"):
        decode_upload(content)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "no text"),
        (BOM, "no text"),
        (b" \r\n\t ", "nothing but white space"),
        (BOM + b"\n", "nothing but white space"),
    ],
)
def test_decode_upload_of_an_empty_or_blank_file_names_it(content, problem):
    with pytest.raises(ValueError, match=rf"^The file has {problem}: .* Your text is unchanged\.$"):
        decode_upload(content)


def test_decode_upload_refuses_a_file_above_the_limit():
    assert len(decode_upload(b"x" * MAX_TEXT_FILE_BYTES)) == MAX_TEXT_FILE_BYTES
    with pytest.raises(ValueError, match="The file has 1,048,577 bytes, and 1,048,576 is the limit"):
        decode_upload(b"x" * (MAX_TEXT_FILE_BYTES + 1))


def test_show_hidden_leaves_only_what_is_seen_in_written_order():
    reordering = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c"
    for each in f"{reordering}\0\t\r\x1b\x7f\x85\x9f\u2028\u2029\u200b\u200c\u200d\u2060\ufeff\xad\uffff\ud800":
        assert show_hidden(f"a{each}{each}b") == f"a{2 * f'‹U+{ord(each):04X}›'}b"
    seen = "é e\u0301 שלום 猫 😀 \u00a0\n👩\u200d👧 می\u200cخواهم"
    assert show_hidden(seen) == seen


@pytest.mark.parametrize(
    ("token", "shown"),
    [
        (b"", "(empty)"),
        (b"\r\n\t ", "␍⏎⇥␣"),
        (b"\x00", "‹U+0000›"),
        (b"\xe2\x80", "bytes E2 80"),
        ("\u202eabc".encode(), "‹U+202E›abc"),
        ("e\u0301 \u0301\u0301\u200d\u0301".encode(), "e\u0301␣◌\u0301\u0301‹U+200D›◌\u0301"),
        ("नमस्ते สวัสดี שִׁי".encode(), "नमस्ते␣สวัสดี␣שִׁי"),
        ("👩\u200d👧 می\u200cخواهم می\u200c".encode(), "👩\u200d👧␣می\u200cخواهم␣می‹U+200C›"),
        ("\U000e0041".encode(), "‹U+E0041›"),
        ("❤\ufe0f \ufe0f".encode(), "❤\ufe0f␣‹U+FE0F›"),
        (b"<b>&amp;</b>", "<b>&amp;</b>"),
        *((blank.encode(), f"‹U+{ord(blank):04X}›") for blank in "\u115f\u1160\u2800\u3164\uffa0"),
    ],
)
def test_visible_names_what_is_not_seen_and_changes_nothing_else(token, shown):
    assert visible(token) == shown


@given(st.binary() | st.text().map(str.encode))
def test_visible_of_any_token_has_no_invisible_character(token):
    shown = visible(token)
    if shown.startswith("bytes "):
        assert bytes.fromhex(shown.removeprefix("bytes ")) == token
    else:
        assert shown
        assert not {unicodedata.category(character) for character in JOINERS.sub("", shown)} & INVISIBLE
