import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.core.balance import SPREADS
from components.core.choices import SPREADS as SPREAD_NAMES
from components.core.choices import Choices
from components.core.kinds import kinds_of, read_values, write_query
from components.core.limits import MAX_LINE_CHARS, MAX_TEXT_CHARS
from components.core.settings import LETTERS, Settings


def test_no_choice_shares_its_name_with_a_setting():
    assert not set(kinds_of(Choices)) & {*kinds_of(Settings), *LETTERS, "text", "packed_text", "long_text"}


def test_every_spread_that_can_be_chosen_is_known_to_the_balance():
    assert tuple(SPREADS) == SPREAD_NAMES


@given(st.from_type(Choices))
def test_choices_survive_the_way_into_a_link_and_back(choices):
    values, problems = read_values(Choices(), write_query(choices))
    assert (Choices(**values), problems) == (choices, [])


@pytest.mark.parametrize(
    ("values", "named"),
    [
        ({"input": "all"}, "input = 'all'"),
        ({"dtype": "float32"}, "dtype = 'float32'"),
        ({"spread": "2"}, "spread = '2'"),
        ({"step": 10}, "step = 10"),
        ({"row": -1}, "row = -1"),
        ({"ids": "1 " * MAX_LINE_CHARS}, "ids = '1 1"),
    ],
)
def test_a_choice_that_cannot_work_is_named(values, named):
    with pytest.raises(ValueError, match=named):
        Choices(**values)


def test_every_word_of_the_longest_text_can_be_chosen():
    assert Choices(word=MAX_TEXT_CHARS, piece=4 * MAX_TEXT_CHARS, batch=4 * MAX_TEXT_CHARS).word == MAX_TEXT_CHARS
