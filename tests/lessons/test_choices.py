import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.base.field_types import check_all, field_types_of, read_values, write_query
from components.base.limits import MAX_TEXT_CHARS
from components.base.link import VERSION, read_query, to_query
from components.base.settings import SYMBOLS, Settings
from components.embedding.norm_ratio import INIT_STDS
from components.lessons.combine.choices import INIT_STDS as INIT_STD_NAMES
from tests.states import CHOICES, app_state
from tests.strategies import valid_choices

OWN = [(lesson, name) for lesson, own in CHOICES.items() for name in field_types_of(own)]
NAMES = [*field_types_of(Settings), *(name for _, name in OWN), *SYMBOLS, "present", "text", "packed_text", "long_text"]
HOSTILE = (
    *("NaN", "inf", "-inf", "1e400", "-0", "9" * 5_000, "0x1", "1_0", "٣", "２", "²", "1.", ".5", "+"),
    *("\0", "<b>", "$x$", ":red[x]", "'; DROP", "../..", "%s{0}", "\ud800", "\u202e", "\r\n"),
    *("", "[" * 400, "x" * 99_999),
)


def test_names_in_a_link_have_one_meaning_each():
    assert [name for name, times in Counter([*NAMES, "v"]).items() if times > 1] == []


@given(st.sampled_from([*CHOICES]).flatmap(valid_choices))
def test_choices_in_a_link_are_read_back(choices):
    assert read_values(type(choices)(), write_query(choices)) == (vars(choices), [])


@pytest.mark.parametrize(("lesson", "name"), OWN)
def test_choices_of_a_wrong_type_are_refused_by_name(lesson, name):
    with pytest.raises(ValueError, match=re.escape(f"{field_types_of(CHOICES[lesson])[name].label} = '<object")):
        CHOICES[lesson](**{name: object()})


@pytest.mark.parametrize("name", NAMES)
def test_read_query_of_hostile_values_gives_a_valid_state_and_sentences(name):
    for raw in HOSTILE:
        state, problems = read_query(app_state(), {"v": VERSION, name: raw})
        for values in (state.settings, *state.lessons.values()):
            check_all(values)
        assert len(state.text) <= MAX_TEXT_CHARS
        assert all(len(problem) <= 400 and problem.isprintable() and problem[-1] == "." for problem in problems)
        assert read_query(state, to_query(state), long_text=state.text) == (state, [])


def test_choices_of_a_position_reach_the_end_of_the_longest_text():
    assert CHOICES["tokens"](word=MAX_TEXT_CHARS, piece=4 * MAX_TEXT_CHARS).word == MAX_TEXT_CHARS
    assert CHOICES["windows"](start=4 * MAX_TEXT_CHARS).start == Settings(batch=4 * MAX_TEXT_CHARS).batch


def test_init_stds_of_the_choices_are_all_defined():
    assert tuple(INIT_STDS) == INIT_STD_NAMES


def test_training_options_have_no_steps_and_no_prompt():
    training = CHOICES["training"]
    assert training(train_steps=9, train_more=9, prompt="x").training_options == training().training_options
