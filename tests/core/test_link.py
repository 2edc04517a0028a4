import random
import string
import tracemalloc
from urllib.parse import parse_qsl, quote_plus, urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.core.choices import Choices
from components.core.kinds import check_all, kinds_of
from components.core.limits import MAX_LINK_PACKED_CHARS, MAX_LINK_TEXT_BYTES, MAX_TEXT_CHARS
from components.core.link import State, apply_preset, fits_link, preset_of, read_query, text_key, to_query
from components.core.packed import pack
from components.core.presets import PRESETS, SAMPLE_TEXT
from components.core.settings import LETTERS, Settings

NAMES = [*kinds_of(Settings), *kinds_of(Choices), *LETTERS, "text", "packed_text", "long_text"]
LONG = "".join(random.Random(1).choices(string.ascii_letters, k=9_000))  # nothing in it can be compressed away


def through_an_address(query: dict[str, str]) -> dict[str, str]:
    return dict(parse_qsl(urlencode(query), keep_blank_values=True, strict_parsing=True))


@given(st.from_type(State), st.from_type(State))
def test_a_link_gives_the_same_state_whatever_the_page_showed_before(state, before):
    assert read_query(before, through_an_address(to_query(state))) == (state, [])


def test_a_link_holds_every_setting_but_only_the_choices_that_were_made():
    query = to_query(State(choices=Choices(row=3, shuffle=True), text="hi"))
    assert query == Settings().to_query() | {"row": "3", "shuffle": "1", "text": "hi"}


def test_a_full_link_puts_unnamed_choices_back_and_a_partial_one_leaves_them():
    before = State(choices=Choices(row=3))
    assert read_query(before, to_query(State()))[0].choices == Choices()
    assert read_query(before, {"V": "9"})[0].choices == Choices(row=3)


@pytest.mark.parametrize("text", ["", "👩‍👩‍👧‍👦 &?#=+%20", "עברית\u202e", "e\u0301\x00\r\n\t", "\ufeffBOM"])
def test_difficult_text_survives_an_address(text):
    assert read_query(State(), through_an_address(to_query(State(text=text)))) == (State(text=text), [])


def test_a_long_text_is_only_mentioned_and_comes_back_where_it_is_still_held():
    state = State(text=LONG)
    query = to_query(state)
    assert "text" not in query
    assert query["long_text"] == text_key(LONG)
    assert read_query(state, query) == (state, [])
    assert read_query(State(), query, long_text=LONG) == (state, [])


@pytest.mark.parametrize("held", ["", "x", LONG[1:], LONG.swapcase()])
def test_a_long_text_that_is_no_longer_held_is_asked_for(held):
    state, problems = read_query(State(text="before"), to_query(State(text=LONG)), long_text=held)
    assert state.text == "before"
    assert problems == [
        "The link's own text was too long to travel in it: paste it again. Another text is shown until then."
    ]


def test_texts_of_the_same_length_have_different_keys():
    assert text_key("abc") != text_key("abd")
    assert text_key("é").startswith("1-")


@pytest.mark.parametrize(
    ("text", "fits"),
    [
        ("x" * MAX_LINK_TEXT_BYTES, True),
        ("x" * (MAX_LINK_TEXT_BYTES + 1), True),  # compressed
        (LONG, False),
        (LONG[:5_000], True),
        ("é" * (MAX_LINK_TEXT_BYTES // 6), True),
    ],
)
def test_the_room_in_a_link_is_counted_as_it_stands_or_compressed(text, fits):
    assert fits_link(text) is fits


@pytest.mark.parametrize(
    ("characters", "bytes_each"), [("abcdefghijklmnopqrstuvwxyzABC", 1), ("äöüéèàâêîôû", 6), ("字漢語中文學校水火", 9)]
)
def test_a_link_with_100_kilobytes_of_text_keeps_what_fits_and_says_so(characters, bytes_each):
    text = "".join(random.Random(2).choices(characters, k=100_000 // bytes_each))
    state, (problem,) = read_query(State(), {"text": text})
    assert text.startswith(state.text)
    assert MAX_LINK_TEXT_BYTES - 17 * bytes_each < len(quote_plus(state.text)) <= MAX_LINK_TEXT_BYTES
    assert f"takes {len(quote_plus(text)):,} bytes" in problem
    assert f"its first {len(state.text):,} characters are kept" in problem
    assert "text" in to_query(state)


def test_a_lone_surrogate_in_a_link_is_replaced_and_named():
    state, (problem,) = read_query(State(), {"text": "a\ud800b"})
    assert state.text == "a\ufffdb"
    assert "surrogate" in problem


def test_wrong_settings_and_wrong_choices_are_both_named():
    state, problems = read_query(State(), {"V": "abc", "row": "x", "text": "hi"})
    assert state == State(text="hi")
    assert [problem.split(" is ")[0] for problem in problems] == ["V = 'abc'", "row = 'x'"]


@given(st.dictionaries(st.sampled_from(NAMES) | st.text(), st.text(st.characters()) | st.integers().map(str)))
def test_no_link_whatever_raises_and_every_one_gives_a_state_that_works(query):
    state, problems = read_query(State(), query)
    check_all(state.settings)
    check_all(state.choices)
    assert state.text.encode("utf-8").decode("utf-8") == state.text
    assert read_query(state, to_query(state)) == (state, [])
    assert all(problem.endswith(".") for problem in problems)


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_is_recognised_until_something_is_changed(name):
    state = apply_preset(State(choices=Choices(row=3), text="mine"), PRESETS[name])
    assert (preset_of(state), state.text) == (name, "mine")
    assert state.choices == Choices(ids=PRESETS[name].ids)
    assert preset_of(read_query(state, {"seed": "7"})[0]) is None
    assert preset_of(read_query(state, {"ids": "1 1 1"})[0]) is None


def test_a_fresh_state_is_the_sample_text_as_the_first_preset():
    assert (State().text, preset_of(State())) == (SAMPLE_TEXT, "My text")


@pytest.mark.parametrize("text", ["river bank " * 900, "字" * 3_000, "👩‍👩‍👧‍👦 &?#=+%20 \r\n" * 400])
def test_a_long_text_travels_compressed(text):
    query = to_query(State(text=text))
    assert "text" not in query
    assert len(query["packed_text"]) <= MAX_LINK_PACKED_CHARS
    assert quote_plus(query["packed_text"]) == query["packed_text"]
    assert read_query(State(), through_an_address(query)) == (State(text=text), [])


@pytest.mark.parametrize("packed", ["", "x", "not base64!", "AAAA", "é", pack("river")[:-3], "A" * 9_000])
def test_a_packed_text_that_was_not_copied_whole_is_named_and_the_text_stays(packed):
    state, problems = read_query(State(text="before"), {"packed_text": packed})
    assert state.text == "before"
    assert len(problems) == 1
    assert "copy the link once more" in problems[0]


def test_a_packed_text_that_would_fill_the_memory_is_cut_to_the_limit():
    bomb = pack("a" * 10_000_000)
    tracemalloc.start()
    state, (problem,) = read_query(State(), {"packed_text": bomb})
    assert tracemalloc.get_traced_memory()[1] < 4_000_000
    tracemalloc.stop()
    assert state.text == "a" * MAX_TEXT_CHARS
    assert f"the limit is {MAX_TEXT_CHARS:,}" in problem
