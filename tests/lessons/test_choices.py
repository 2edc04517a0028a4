from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.base.field_types import field_types_of, read_values, write_query
from components.base.limits import MAX_LINE_CHARS, MAX_TEXT_CHARS
from components.base.settings import SYMBOLS, Settings
from components.embedding.norm_ratio import INIT_STDS
from components.lessons.combine.choices import INIT_STDS as INIT_STD_NAMES
from tests.states import CHOICES
from tests.strategies import valid_choices


def test_every_name_in_a_link_has_one_meaning():
    names = [*field_types_of(Settings), *SYMBOLS, "v", "present", "text", "packed_text", "long_text"]
    for own in CHOICES.values():
        names += field_types_of(own)
    assert [name for name, times in Counter(names).items() if times > 1] == []


def test_every_init_std_that_can_be_chosen_is_defined():
    assert tuple(INIT_STDS) == INIT_STD_NAMES


@pytest.mark.parametrize("lesson", CHOICES)
@given(data=st.data())
def test_choices_survive_the_way_into_a_link_and_back(lesson, data):
    choices = data.draw(valid_choices(lesson))
    values, problems = read_values(CHOICES[lesson](), write_query(choices))
    assert (CHOICES[lesson](**values), problems) == (choices, [])


@pytest.mark.parametrize(
    ("lesson", "values", "named"),
    [
        ("lookup", {"input": "all"}, "input = 'all'"),
        ("lookup", {"dtype": "float32"}, "dtype = 'float32'"),
        ("combine", {"spread": "2"}, "spread = '2'"),
        ("combine", {"step": 10}, "step = 10"),
        ("lookup", {"row": -1}, "row = -1"),
        ("positions", {"position_column": -1}, "column = -1"),
        ("windows", {"start": -1}, "start = -1"),
        ("errors", {"experiment": "none"}, "experiment = 'none'"),
        ("training", {"optimizer": "lion"}, "optimizer = 'lion'"),
        ("word2vec", {"view": "all"}, "view = 'all'"),
        ("tokens", {"probe": "a " * MAX_LINE_CHARS}, "probe = 'a a"),
        ("glossary", {"term": "a " * MAX_LINE_CHARS}, "term = 'a a"),
    ],
)
def test_a_choice_that_cannot_work_is_named(lesson, values, named):
    with pytest.raises(ValueError, match=named):
        CHOICES[lesson](**values)


def test_every_lesson_with_choices_is_checked():
    assert {lesson for lesson, own in CHOICES.items() if not field_types_of(own)} == {"home", "one_hot", "reproduce"}


def test_every_word_of_the_longest_text_can_be_chosen():
    choices = CHOICES["tokens"](word=MAX_TEXT_CHARS, piece=4 * MAX_TEXT_CHARS)
    assert choices.word == MAX_TEXT_CHARS
    assert Settings(batch=4 * MAX_TEXT_CHARS).batch == choices.piece


@pytest.mark.parametrize("values", [{"train_steps": 9}, {"train_more": 9}, {"prompt": "x"}])
def test_steps_and_prompt_are_no_part_of_the_training_options(values):
    assert CHOICES["training"](**values).training_options == CHOICES["training"]().training_options
