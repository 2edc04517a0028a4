import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.base.field_types import (
    BooleanField,
    ChoiceField,
    FloatField,
    IntegerField,
    TextField,
    field_types_of,
    quote,
    read_values,
    write_query,
)
from components.base.settings import Settings
from tests.states import CHOICES

WHOLE = IntegerField("V", 1, 50)
NUMBER = FloatField("rate", 0.5, 1e6)
KINDS = [
    (WHOLE, 8),
    (ChoiceField("position", ("none", "learned")), "learned"),
    (BooleanField("scale"), False),
    (TextField("ids", 5), ""),
]
KINDS += [(NUMBER, 1.0)]


@pytest.mark.parametrize(
    ("raw", "value"),
    [("1", 1), ("50", 50), (" 7 ", 7), ("+7", 7), ("007", 7)],
)
def test_a_whole_number_within_its_limits_is_read_without_a_word(raw, value):
    assert WHOLE.read(raw, 8) == (value, None)


@pytest.mark.parametrize(
    ("raw", "value", "named"),
    [
        ("0", 1, "V = 0 "),
        ("-3", 1, "V = -3 "),
        ("51", 50, "V = 51 "),
        ("1000000000", 50, "V = 1,000,000,000 "),
        ("9" * 5_000, 50, "V = '99999999999999999999…' "),
        ("-" + "9" * 5_000, 1, "V = '-9999"),
        ("10^9", 8, "'10^9'"),
        ("1e3", 8, "'1e3'"),
        ("4.0", 8, "'4.0'"),
        ("0x10", 8, "'0x10'"),
        ("abc", 8, "'abc'"),
        ("", 8, "''"),
        ("  ", 8, "V = '"),
        ("٣", 8, "'٣'"),
        ("１２", 8, "'１２'"),
        ("²", 8, "'²'"),
        ("7\x00", 8, "'7"),
    ],
)
def test_a_wrong_whole_number_is_named_and_replaced_by_the_nearest(raw, value, named):
    read, problem = WHOLE.read(raw, 8)
    assert read == value
    assert named in problem
    assert problem.endswith(f": using {value}.")


def test_only_the_whole_of_a_long_value_counts_as_a_number():
    assert WHOLE.read("0" * 38 + "16abc", 8)[0] == 8


@given(st.integers())
def test_reading_a_whole_number_gives_the_nearest_within_the_limits(number):
    assert WHOLE.read(str(number), 8)[0] == min(max(number, 1), 50)


@pytest.mark.parametrize(
    ("raw", "value"), [("0.5", 0.5), ("1e6", 1e6), (" 3 ", 3.0), ("+2.5e-0", 2.5), ("1000000", 1e6)]
)
def test_a_number_within_its_limits_is_read_without_a_word(raw, value):
    assert NUMBER.read(raw, 1.0) == (value, None)


@pytest.mark.parametrize(
    ("raw", "value", "problem"),
    [
        ("nan", 8.0, "is not a number from 0.5 to 1e+06: using 8."),
        ("-NaN", 8.0, "is not a number from 0.5 to 1e+06: using 8."),
        ("abc", 8.0, "is not a number from 0.5 to 1e+06: using 8."),
        ("", 8.0, "is not a number from 0.5 to 1e+06: using 8."),
        ("0,7", 8.0, "is not a number from 0.5 to 1e+06: using 8."),
        ("0.4999", 0.5, "is below the limit of 0.5: using 0.5."),
        ("-inf", 0.5, "is below the limit of 0.5: using 0.5."),
        ("1000000.1", 1e6, "is above the limit of 1e+06: using 1e+06."),
        ("inf", 1e6, "is above the limit of 1e+06: using 1e+06."),
        ("1e999", 1e6, "is above the limit of 1e+06: using 1e+06."),
        ("9" * 5_000, 1e6, "is above the limit of 1e+06: using 1e+06."),
    ],
)
def test_a_wrong_number_is_named_and_replaced_by_the_nearest(raw, value, problem):
    assert NUMBER.read(raw, 8.0) == (value, f"rate = {quote(raw)} {problem}")


@given(st.floats(allow_nan=False))
def test_reading_a_number_gives_the_nearest_within_the_limits(number):
    assert NUMBER.read(str(number), 8.0)[0] == min(max(number, 0.5), 1e6)


@given(st.floats(0.5, 1e6))
def test_a_number_comes_back_from_its_text_to_the_bit(number):
    NUMBER.check(number)
    assert NUMBER.read(str(number), 8.0) == (number, None)


@pytest.mark.parametrize(("raw", "value"), [("1", True), ("0", False), ("true", True), ("FALSE", False)])
def test_a_flag_reads_one_zero_and_the_words(raw, value):
    assert BooleanField("scale").read(raw, not value) == (value, None)


@pytest.mark.parametrize("raw", ["maybe", "", "2", "yes", "１"])
def test_any_other_flag_keeps_what_was_set_and_says_so(raw):
    assert BooleanField("scale").read(raw, True) == (True, f"scale = '{raw}' is neither 1 nor 0: using 1.")


def test_a_name_is_matched_exactly():
    kind = ChoiceField("position", ("none", "learned"))
    assert kind.read("none", "learned") == ("none", None)
    for raw in ("None", "", "no", "none "):
        assert kind.read(raw, "learned") == (
            "learned",
            f"position = {quote(raw)} is not one of none, learned: using learned.",
        )


def test_a_line_is_cut_at_its_limit():
    assert TextField("ids", 3).read("abc", "") == ("abc", None)
    assert TextField("ids", 3).read("abcd", "")[0] == "abc"
    assert "ids has 4 characters" in TextField("ids", 3).read("abcd", "")[1]


@given(st.sampled_from(KINDS), st.text(st.characters()) | st.text("0123456789+-_. ", max_size=60))
def test_whatever_is_read_passes_the_check(case, raw):
    kind, default = case
    value, problem = kind.read(raw, default)
    kind.check(value)
    assert problem is None or kind.label in problem


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        (WHOLE, 0),
        (WHOLE, 51),
        (WHOLE, 2.0),
        (WHOLE, True),
        (WHOLE, "7"),
        (WHOLE, None),
        (FloatField("V", 0.0, 1.0), math.nan),
        (FloatField("V", 0.0, 1.0), math.inf),
        (FloatField("V", 0.0, 1.0), -math.inf),
        (FloatField("V", 0.0, 1.0), -1e-9),
        (FloatField("V", 0.0, 1.0), 1.0000001),
        (FloatField("V", 0.0, 1.0), 10**400),
        (FloatField("V", 0.0, 1.0), True),
        (FloatField("V", 0.0, 1.0), "0.5"),
        (FloatField("V", 0.0, 1.0), None),
        (ChoiceField("V", ("a", "b")), "c"),
        (ChoiceField("V", ("a", "b")), None),
        (BooleanField("V"), 1),
        (BooleanField("V"), "1"),
        (TextField("V", 2), "abc"),
        (TextField("V", 2), 12),
    ],
)
def test_the_check_names_what_cannot_work(kind, value):
    with pytest.raises(ValueError, match=r"^V = .*\.$") as caught:
        kind.check(value)
    assert str(value)[:40] in str(caught.value)


def test_the_check_of_a_number_names_it_and_its_limits():
    with pytest.raises(ValueError, match="51 is outside its limits: enter 1 to 50"):
        WHOLE.check(51)


@given(st.text(st.characters()), st.integers(1, 60))
def test_a_quoted_value_is_one_short_line(raw, length):
    quoted = quote(raw, length)
    assert len(quoted.splitlines()) == 1
    assert len(quoted) <= length + 3
    assert quoted.endswith("…'") if len(raw) > length else quoted.endswith("'")


@pytest.mark.parametrize("cls", [Settings, *CHOICES.values()])
def test_every_default_survives_the_way_into_a_link_and_back(cls):
    query = write_query(cls())
    assert set(query) == set(field_types_of(cls))
    assert all(isinstance(value, str) for value in query.values())
    assert read_values(cls(), query) == ({name: getattr(cls(), name) for name in query}, [])


def test_values_that_are_not_named_are_left_out():
    assert read_values(Settings(), {"dim": "x", "nonsense": "1"}) == (
        {"dim": 16},
        ["D = 'x' is not a whole number from 1 to 1,024: using 16."],
    )
