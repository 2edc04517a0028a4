import random
import string
import tracemalloc
from dataclasses import replace
from urllib.parse import parse_qsl, quote_plus, urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.base.field_types import check_all, field_types_of, write_query
from components.base.limits import MAX_LINK_PACKED_CHARS, MAX_LINK_TEXT_BYTES, MAX_TEXT_CHARS
from components.base.link import VERSION, apply_preset, fits_link, preset_of, read_query, text_key, to_query
from components.base.packed_text import pack
from components.base.presets import PRESETS, SAMPLE_TEXT
from components.base.qr import MAX_QR_BYTES
from components.base.settings import SYMBOLS, Settings
from tests.states import CHOICES, app_state
from tests.strategies import valid_app_states

NAMES = [
    *field_types_of(Settings),
    *(name for own in CHOICES.values() for name in field_types_of(own)),
    *SYMBOLS,
    "v",
    "present",
    "text",
    "packed_text",
    "long_text",
]
LONG = "".join(random.Random(1).choices(string.ascii_letters, k=9_000))  # random letters hardly compress
PAGES = st.sampled_from(["", *CHOICES])


def through_an_address(query: dict[str, str]) -> dict[str, str]:
    return dict(parse_qsl(urlencode(query), keep_blank_values=True, strict_parsing=True))


@given(valid_app_states(), valid_app_states(), PAGES)
def test_link_gives_the_same_state_whatever_was_shown_before(state, before, page):
    assert read_query(before, through_an_address(to_query(state, page))) == (state, [])


def test_link_without_a_page_has_all_settings_but_only_changed_choices():
    query = to_query(app_state(Settings(shuffle=True), "hi", row=3))
    assert query == write_query(Settings(shuffle=True)) | {"v": VERSION, "present": "0", "row": "3", "text": "hi"}
    assert VERSION == "2"


@pytest.mark.parametrize("page", CHOICES)
def test_link_to_a_page_has_all_its_choices_and_changed_ones_of_others(page):
    state = app_state(text="hi", row=3, wave=2)
    shared = write_query(Settings()) | {"v": VERSION, "present": "0", "text": "hi"}
    assert to_query(state, page) == shared | {"row": "3", "wave": "2"} | write_query(state.lessons[page])


@given(valid_app_states(), PAGES)
def test_link_of_other_lessons_has_no_default(state, page):
    query = to_query(state, page)
    for name, own in state.lessons.items():
        written, defaults = write_query(own), write_query(type(own)())
        for choice, value in written.items():
            assert (choice in query) == (name == page or value != defaults[choice])


@pytest.mark.parametrize("name", PRESETS)
def test_link_to_share_the_default_text_fits_a_qr_code(name):
    state = apply_preset(app_state(present=True, train_steps=1_000, experiment="own", view="gallery"), PRESETS[name])
    link = f"https://a-long-name-of-an-app-on-a-server.streamlit.app/positions?{urlencode(to_query(state))}"
    assert len(link.encode()) <= MAX_QR_BYTES == 1_000


def test_link_takes_unnamed_choices_back_and_keeps_unnamed_settings():
    before = app_state(Settings(dim=3, tokenizer="words"), "mine", row=3)
    assert read_query(before, to_query(app_state()))[0] == app_state()
    assert read_query(before, {"v": VERSION, "V": "9"})[0] == app_state(
        Settings(vocab_size=9, dim=3, tokenizer="words"), "mine"
    )


@pytest.mark.parametrize("raw", ["1", "0", "true", "no"])
def test_link_says_whether_the_app_presents(raw):
    state, problems = read_query(app_state(), {"v": VERSION, "present": raw})
    assert state.present is (raw in ("1", "true"))
    assert problems == (["present = 'no' is neither 1 nor 0: using 0."] if raw == "no" else [])


@pytest.mark.parametrize("text", ["", "👩‍👩‍👧‍👦 &?#=+%20", "עברית\u202e", "e\u0301\x00\r\n\t", "\ufeffBOM"])
def test_difficult_text_survives_an_address(text):
    assert read_query(app_state(), through_an_address(to_query(app_state(text=text)))) == (app_state(text=text), [])


def test_a_long_text_is_only_mentioned_and_comes_back_where_it_is_still_held():
    state = app_state(text=LONG)
    query = to_query(state)
    assert "text" not in query
    assert query["long_text"] == text_key(LONG)
    assert read_query(state, query) == (state, [])
    assert read_query(app_state(), query, long_text=LONG) == (state, [])


@pytest.mark.parametrize("held", ["", "x", LONG[1:], LONG.swapcase()])
def test_a_long_text_that_is_no_longer_held_is_asked_for(held):
    state, problems = read_query(app_state(text="before"), to_query(app_state(text=LONG)), long_text=held)
    assert state.text == "before"
    assert problems == [
        "The text of this link is too long for a link: paste it again. Until then another text is used."
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
    state, (problem,) = read_query(app_state(), {"v": VERSION, "text": text})
    assert text.startswith(state.text)
    assert MAX_LINK_TEXT_BYTES - 17 * bytes_each < len(quote_plus(state.text)) <= MAX_LINK_TEXT_BYTES
    assert f"takes {len(quote_plus(text)):,} bytes" in problem
    assert f"using its first {len(state.text):,} characters" in problem
    assert "text" in to_query(state)


def test_a_lone_surrogate_in_a_link_is_replaced_and_named():
    state, (problem,) = read_query(app_state(), {"v": VERSION, "text": "a\ud800b"})
    assert state.text == "a\ufffdb"
    assert "surrogate" in problem


def test_wrong_settings_and_wrong_choices_are_both_named():
    state, problems = read_query(app_state(), {"v": VERSION, "V": "abc", "row": "x", "text": "hi"})
    assert state == app_state(text="hi")
    assert [problem.split(" is ")[0] for problem in problems] == ["V = 'abc'", "row = 'x'"]


@given(st.dictionaries(st.sampled_from(NAMES) | st.text(), st.text(st.characters()) | st.integers().map(str)))
def test_no_link_whatever_raises_and_every_one_gives_a_state_that_works(query):
    state, problems = read_query(app_state(), query)
    check_all(state.settings)
    for own in state.lessons.values():
        check_all(own)
    assert state.text.encode("utf-8").decode("utf-8") == state.text
    assert read_query(state, to_query(state)) == (state, [])
    assert all(problem.endswith(".") for problem in problems)


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_is_recognised_until_something_is_changed(name):
    state = apply_preset(app_state(text="mine", present=True, row=3), PRESETS[name])
    assert preset_of(state.settings) == name
    assert state == app_state(PRESETS[name].settings, "mine", present=True, row=3)
    assert preset_of(replace(state.settings, seed=7)) is None
    assert preset_of(replace(state.settings, ids="1 1 1")) is None
    assert preset_of(replace(state.settings, batch=3, shuffle=True, drop_last=True)) == name


def test_a_fresh_state_is_the_sample_text_as_the_first_preset():
    assert (app_state().text, preset_of(app_state().settings)) == (SAMPLE_TEXT, "My text")


@pytest.mark.parametrize("text", ["river bank " * 900, "字" * 3_000, "👩‍👩‍👧‍👦 &?#=+%20 \r\n" * 400])
def test_a_long_text_travels_compressed(text):
    query = to_query(app_state(text=text))
    assert "text" not in query
    assert len(query["packed_text"]) <= MAX_LINK_PACKED_CHARS
    assert quote_plus(query["packed_text"]) == query["packed_text"]
    assert read_query(app_state(), through_an_address(query)) == (app_state(text=text), [])


@pytest.mark.parametrize("packed", ["", "x", "not base64!", "AAAA", "é", pack("river")[:-3], "A" * 9_000])
def test_a_packed_text_that_was_not_copied_whole_is_named_and_the_text_stays(packed):
    state, problems = read_query(app_state(text="before"), {"v": VERSION, "packed_text": packed})
    assert state.text == "before"
    assert len(problems) == 1
    assert "copy the whole link again" in problems[0]


def test_a_packed_text_that_would_fill_the_memory_is_cut_to_the_limit():
    bomb = pack("a" * 10_000_000)
    tracemalloc.start()
    state, (problem,) = read_query(app_state(), {"v": VERSION, "packed_text": bomb})
    assert tracemalloc.get_traced_memory()[1] < 4_000_000
    tracemalloc.stop()
    assert state.text == "a" * MAX_TEXT_CHARS
    assert f"the limit is {MAX_TEXT_CHARS:,}" in problem
