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
from components.base.link import TEXT_MISSING, fits_link, preset_of, read_query, text_key, to_query
from components.base.packed_text import MAX_UNPACKED_BYTES, pack, unpack
from components.base.presets import PRESETS, SAMPLE_TEXT
from components.base.qr import MAX_QR_BYTES
from components.base.settings import SYMBOLS, Settings
from tests.states import CHOICES, app_state
from tests.strategies import valid_app_states

NAMES = [*(name for each in (Settings, *CHOICES.values()) for name in field_types_of(each)), *SYMBOLS]
NAMES += ["v", "present", "text", "packed_text", "long_text"]
LONG = "".join(random.Random(1).choices(string.ascii_letters, k=9_000))  # random letters hardly compress
PAGES = st.sampled_from(["", *CHOICES])


def through_an_address(query: dict[str, str]) -> dict[str, str]:
    return dict(parse_qsl(urlencode(query), keep_blank_values=True, strict_parsing=True))


@given(valid_app_states(), valid_app_states(), PAGES)
def test_read_query_of_a_link_gives_its_state_whatever_was_shown_before(state, before, page):
    assert read_query(before, through_an_address(to_query(state, page))) == (state, [])


@given(valid_app_states(), PAGES)
def test_to_query_has_all_settings_all_choices_of_its_page_and_changed_ones_of_others(state, page):
    choices = {}
    for name, own in state.lessons.items():
        defaults = {} if name == page else write_query(type(own)())
        choices |= {choice: value for choice, value in write_query(own).items() if value != defaults.get(choice)}
    query = to_query(replace(state, text="hi"), page)
    shared = write_query(state.settings) | {"v": "3", "present": str(int(state.present)), "text": "hi"}
    assert query == shared | choices


@given(st.dictionaries(st.sampled_from(NAMES) | st.text(), st.text(st.characters()) | st.integers().map(str)))
def test_read_query_of_any_link_gives_a_valid_state(query):
    state, problems = read_query(app_state(), query)
    for each in (state.settings, *state.lessons.values()):
        check_all(each)
    assert state.text.encode("utf-8").decode("utf-8") == state.text
    assert read_query(state, to_query(state)) == (state, [])
    assert all(problem.endswith(".") for problem in problems)


def test_read_query_takes_unnamed_choices_back_and_keeps_unnamed_settings():
    before = app_state(Settings(dim=3, tokenizer="words"), "mine", present=True, row=3)
    expected = app_state(Settings(vocab_size=9, dim=3, tokenizer="words"), "mine")
    assert read_query(before, {"v": "3", "V": "9"}) == (expected, [])


def test_read_query_names_every_wrong_value():
    query = {"v": "3", "V": "abc", "row": "x", "present": "no", "text": "a\ud800b"}
    state, problems = read_query(app_state(), query)
    assert state == app_state(text="a\ufffdb")
    names = ["V = 'abc' is", "row = 'x' is", "present = 'no' is", "The text contains incomplete characters"]
    assert [problem[: len(name)] for problem, name in zip(problems, names, strict=True)] == names


@pytest.mark.parametrize("name", PRESETS)
def test_to_query_of_a_preset_fits_a_qr_code(name):
    choices = {"train_steps": 1_000, "experiment": "own", "view": "gallery"}
    state = app_state(PRESETS[name].settings, present=True, **choices)
    link = f"https://a-long-name-of-an-app-on-a-server.streamlit.app/positions?{urlencode(to_query(state))}"
    assert len(link.encode()) <= MAX_QR_BYTES == 1_000


@pytest.mark.parametrize(
    ("text", "parameter"),
    [
        ("", "text"),
        ("👩‍👩‍👧‍👦 &?#=+%20 עברית\u202e e\u0301\x00\r\n\t", "text"),
        ("x" * MAX_LINK_TEXT_BYTES, "text"),
        ("é" * (MAX_LINK_TEXT_BYTES // 6), "text"),
        ("x" * (MAX_LINK_TEXT_BYTES + 1), "packed_text"),
        ("é" * (MAX_LINK_TEXT_BYTES // 6 + 1), "packed_text"),
        (LONG[:5_000], "packed_text"),
        ("👩‍👩‍👧‍👦 &?#=+%20 \r\n" * 400, "packed_text"),
    ],
)
def test_text_that_fits_a_link_comes_back_from_it(text, parameter):
    query = to_query(app_state(text=text))
    assert fits_link(text)
    assert {"text", "packed_text", "long_text"} & query.keys() == {parameter}
    if parameter == "packed_text":
        assert len(query[parameter]) <= MAX_LINK_PACKED_CHARS
        assert quote_plus(query[parameter]) == query[parameter]
    assert read_query(app_state(), through_an_address(query)) == (app_state(text=text), [])


def test_text_too_long_for_a_link_comes_back_from_the_session_alone():
    state = app_state(text=LONG)
    query = to_query(state)
    assert not fits_link(LONG)
    assert {"text", "packed_text", "long_text"} & query.keys() == {"long_text"}
    assert read_query(state, query) == (state, [])
    assert read_query(app_state(), query, long_text=LONG) == (state, [])
    for other in ("", "x", LONG[1:], LONG.swapcase()):
        assert read_query(app_state(text="x"), query, long_text=other) == (app_state(text="x"), [TEXT_MISSING])
    assert text_key("é").startswith("1-")


@pytest.mark.parametrize(
    ("characters", "bytes_each"), [("abcdefghijklmnopqrstuvwxyzABC", 1), ("äöüéèàâêîôû", 6), ("字漢語中文學校水火", 9)]
)
def test_read_query_of_100_kilobytes_of_text_keeps_what_fits_and_names_it(characters, bytes_each):
    text = "".join(random.Random(2).choices(characters, k=100_000 // bytes_each))
    state, (problem,) = read_query(app_state(), {"v": "3", "text": text})
    fitting = MAX_LINK_TEXT_BYTES // bytes_each
    assert state.text == text[:fitting]
    assert f"takes {len(quote_plus(text)):,} bytes; the limit is 3,000, or 6,000 compressed" in problem
    assert f"using its first {fitting:,} characters" in problem


@pytest.mark.parametrize("packed", ["", "x", "not base64!", "AAAA", "é", pack("river")[:-3], "A" * 9_000])
def test_read_query_of_an_incomplete_packed_text_names_it_and_keeps_the_text(packed):
    state, (problem,) = read_query(app_state(text="before"), {"v": "3", "packed_text": packed})
    assert state.text == "before"
    assert problem.endswith("cannot be read: copy the whole link again.")


def test_read_query_of_a_packed_text_that_would_fill_the_memory_cuts_it():
    bomb = pack("a" * 10_000_000)
    tracemalloc.start()
    state, (problem,) = read_query(app_state(), {"v": "3", "packed_text": bomb})
    assert tracemalloc.get_traced_memory()[1] < 4_000_000
    tracemalloc.stop()
    assert state.text == "a" * MAX_TEXT_CHARS
    assert "the limit is 100,000" in problem
    assert len(unpack(bomb)) == MAX_UNPACKED_BYTES + 1 == 400_001


@pytest.mark.parametrize("name", PRESETS)
def test_preset_of_changed_settings_is_none(name):
    settings = PRESETS[name].settings
    assert preset_of(settings) == preset_of(replace(settings, batch=3, shuffle=True, drop_last=True)) == name
    assert preset_of(replace(settings, seed=7)) is None
    assert preset_of(replace(settings, ids="1 1 1")) is None
    assert (app_state().text, preset_of(app_state().settings)) == (SAMPLE_TEXT, "My text")
