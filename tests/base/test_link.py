import random
import tracemalloc
from collections import Counter
from dataclasses import replace
from urllib.parse import parse_qsl, quote_plus, urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.base.field_types import field_types_of, write_query
from components.base.limits import MAX_LINK_PACKED_CHARS, MAX_LINK_TEXT_BYTES, MAX_TEXT_CHARS
from components.base.link import (
    MAX_UNPACKED_BYTES,
    OTHER_VERSION,
    TEXT_MISSING,
    VERSION,
    fits_link,
    pack,
    preset_of,
    read_query,
    text_key,
    to_query,
    unpack,
)
from components.base.presets import PRESETS, SAMPLE_TEXT
from components.base.qr import MAX_QR_BYTES
from components.base.settings import SYMBOLS, Settings
from tests.states import CHOICES, LONG_TEXT, app_state
from tests.strategies import valid_app_states

NAMES = [*(name for each in (Settings, *CHOICES.values()) for name in field_types_of(each)), *SYMBOLS]
NAMES += ["v", "present", "text", "packed_text", "long_text"]
RAW = (
    st.text(st.characters())
    | st.integers().map(str)
    | st.integers(0, 300_000).map(str)
    | st.sampled_from(["", "0", "1", "-1", "9" * 5_000, "10^9", "٣", "words", "none", "halves", "true"])
)


# What a link does not name is not that of the state before it.
BEFORE = app_state(Settings(vocab_size=60, dim=3, tokenizer="words"), "before", present=True, row=5)


def through_an_address(query: dict[str, str]) -> dict[str, str]:
    return dict(parse_qsl(urlencode(query), keep_blank_values=True, strict_parsing=True))


def test_names_in_a_link_have_one_meaning_each():
    assert [name for name, times in Counter(NAMES).items() if times > 1] == []


@given(valid_app_states())
def test_read_query_of_a_link_gives_its_state(state):
    assert read_query(BEFORE, through_an_address(to_query(state))) == (state, [])


@given(valid_app_states(), st.sampled_from([SAMPLE_TEXT, "hi", ""]))
def test_to_query_has_what_differs_from_defaults_and_v(state, text):
    values, defaults = (
        {name: value for own in (each.settings, *each.lessons.values()) for name, value in write_query(own).items()}
        for each in (state, app_state())
    )
    values |= {"present": str(int(state.present)), "text": text}
    defaults |= {"present": "0", "text": "She left the bank for the riverbank."}
    changed = {name: value for name, value in values.items() if value != defaults[name]}
    assert to_query(replace(state, text=text)) == {"v": VERSION} | changed


@given(st.dictionaries(st.sampled_from(NAMES) | st.text(st.characters()), RAW))
def test_read_query_of_any_link_gives_a_valid_state(query):
    state, problems = read_query(BEFORE, query)
    assert state.text.encode("utf-8").decode("utf-8") == state.text
    assert read_query(state, to_query(state)) == (state, [])
    assert all(problem.endswith(".") and len(problem) < 300 for problem in problems)


@pytest.mark.parametrize("version", ["", "1", "3", "2 ", "\ud800"])
def test_read_query_of_another_version_has_message_and_defaults(version):
    state, (problem,) = read_query(BEFORE, {"v": version, "D": "5", "row": "2", "embed": "true"})
    assert state == app_state(Settings(dim=5), row=2)
    assert problem == OTHER_VERSION


def test_read_query_names_every_wrong_value():
    query = {"V": "abc", "scale": "on", "row": "x", "present": "no", "text": "a\ud800b"}
    state, problems = read_query(BEFORE, query)
    assert state == app_state(text="a\ufffdb")
    names = [
        "V = 'abc' is",
        "scale = 'on' is",
        "row = 'x' is",
        "present = 'no' is",
        "The text contains incomplete characters",
    ]
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
        (LONG_TEXT[:5_000], "packed_text"),
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


def test_text_too_long_for_a_link_comes_from_the_session_alone():
    state = app_state(text=LONG_TEXT)
    query = to_query(state)
    assert not fits_link(LONG_TEXT)
    assert {"text", "packed_text", "long_text"} & query.keys() == {"long_text"}
    assert read_query(state, query) == (state, [])
    assert read_query(app_state(), query, long_text=LONG_TEXT) == (state, [])
    assert read_query(state, query, long_text="x") == (state, [])
    assert read_query(state, to_query(app_state()), long_text=LONG_TEXT) == (app_state(), [])
    for other in ("", "x", LONG_TEXT[1:], LONG_TEXT.swapcase()):
        assert read_query(app_state(text="x"), query, long_text=other) == (app_state(text="x"), [TEXT_MISSING])
    assert text_key("é").startswith("1-")


@pytest.mark.parametrize(
    ("characters", "bytes_each"), [("abcdefghijklmnopqrstuvwxyzABC", 1), ("äöüéèàâêîôû", 6), ("字漢語中文學校水火", 9)]
)
def test_read_query_of_100_kilobytes_uses_and_names_what_fits(characters, bytes_each):
    text = "".join(random.Random(2).choices(characters, k=100_000 // bytes_each))
    state, (problem,) = read_query(app_state(), {"text": text})
    fitting = MAX_LINK_TEXT_BYTES // bytes_each
    assert state.text == text[:fitting]
    assert f"takes {len(quote_plus(text)):,} bytes; the limit is 3,000, or 6,000 compressed" in problem
    assert f"using its first {fitting:,} characters" in problem


@pytest.mark.parametrize("packed", ["", "x", "!" + pack("river"), "AAAA", "é", pack("river")[:-3], "A" * 9_000])
def test_read_query_names_incomplete_packed_text_and_text_stays(packed):
    state, (problem,) = read_query(app_state(text="before"), {"packed_text": packed})
    assert state.text == "before"
    quoted = f"'{packed[:20]}{'…' * (len(packed) > 20)}'"
    assert problem == f"The link's compressed text {quoted} cannot be read: copy the whole link again."


def test_read_query_cuts_packed_text_that_would_fill_the_memory():
    bomb = pack("a" * 10_000_000)
    tracemalloc.start()
    state, (problem,) = read_query(app_state(), {"packed_text": bomb})
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
