import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.base.field_types import BooleanField, ChoiceField, FloatField, IntegerField, TextField, quote

WHOLE = IntegerField("V", 1, 50)
NUMBER = FloatField("rate", 0.5, 1e6)
CHOICE = ChoiceField("position", ("none", "learned"))
FLAG = BooleanField("scale")
LINE = TextField("ids", 3)
FIELDS = [(WHOLE, 8), (NUMBER, 1.0), (CHOICE, "learned"), (FLAG, False), (LINE, "")]
NOT_WHOLE = "is not a whole number from 1 to 50: using 8."
NO_NUMBER = "is not a number from 0.5 to 1e+06: using 1."
NOT_FROM_0_TO_1 = (math.nan, math.inf, -math.inf, -1e-9, 1.0000001, 10**400, True, "0.5", None)
ABOVE = "is above the limit of 1e+06: using 1e+06."


@pytest.mark.parametrize(
    ("field", "raws", "value"),
    [
        (WHOLE, ("7", " 7 ", "+7", "007"), 7),
        (NUMBER, ("2.5", " 2.5 ", "+25e-1", "2.50"), 2.5),
        (CHOICE, ("none",), "none"),
        (FLAG, ("1", "true", "TRUE"), True),
        (FLAG, ("0", "false"), False),
        (LINE, ("abc",), "abc"),
        (LINE, ("a\ud800b",), "a?b"),
    ],
)
def test_read_of_a_valid_value_has_no_message(field, raws, value):
    for raw in raws:
        assert field.read(raw, None) == (value, None)


@pytest.mark.parametrize(
    ("field", "raw", "value", "message"),
    [
        (WHOLE, "0", 1, "V = 0 is below the limit of 1: using 1."),
        (WHOLE, "9" * 18, 50, f"V = {10**18 - 1:,} is above the limit of 50: using 50."),
        (WHOLE, "1" + "0" * 18, 50, "V = '1000000000000000000' is above the limit of 50: using 50."),
        (WHOLE, "9" * 5_000, 50, "V = '99999999999999999999…' is above the limit of 50: using 50."),
        (WHOLE, "-" + "9" * 5_000, 1, "V = '-9999999999999999999…' is below the limit of 1: using 1."),
        *((WHOLE, raw, 8, f"V = '{raw}' {NOT_WHOLE}") for raw in ("10^9", "1e3", "4.0", "0x10", "", "٣", "１２", "²")),
        (WHOLE, "7\x00", 8, f"V = '7‹U+0000›' {NOT_WHOLE}"),
        (WHOLE, "0" * 38 + "16abc", 8, f"V = '{'0' * 38}16…' {NOT_WHOLE}"),
        *((NUMBER, raw, 1.0, f"rate = '{raw}' {NO_NUMBER}") for raw in ("nan", "-NaN", "abc", "", "0,7")),
        (NUMBER, "0.4999", 0.5, "rate = 0.4999 is below the limit of 0.5: using 0.5."),
        (NUMBER, "-inf", 0.5, "rate = '-inf' is below the limit of 0.5: using 0.5."),
        (NUMBER, "1000000.1", 1e6, f"rate = 1,000,000.1 {ABOVE}"),
        *((NUMBER, raw, 1e6, f"rate = 'inf' {ABOVE}") for raw in ("inf", "1e999")),
        *((CHOICE, raw, "x", f"position = '{raw}' is not one of none, learned: using x.") for raw in ("None", "")),
        (ChoiceField("V", ("", *"abcdefgh")), "x", "", "V = 'x' is not one of a, b, c, d, e, f, g, h: using none."),
        (ChoiceField("V", tuple("abcdefghi")), "x", "a", "V = 'x' is not one of the 9 options: using a."),
        *((FLAG, raw, True, f"scale = '{raw}' is neither 1 nor 0: using 1.") for raw in ("", "2", "yes", "１")),
        (LINE, "abcd", "abc", "ids: 4 characters are more than the limit of 3, so the first 3 are used."),
    ],
)
def test_read_of_a_wrong_value_names_it_and_what_replaces_it(field, raw, value, message):
    default = {WHOLE: 8, NUMBER: 1.0, CHOICE: "x", FLAG: True}.get(field, value)
    assert field.read(raw, default) == (value, message)


@given(st.sampled_from(FIELDS), st.text(st.characters()) | st.text("0123456789+-_. ", max_size=60))
def test_check_accepts_whatever_read_returns(case, raw):
    field, default = case
    value, message = field.read(raw, default)
    field.check(value)
    assert message is None or message.startswith(field.label)


@pytest.mark.parametrize(
    ("field", "valid", "wrong", "message"),
    [
        (WHOLE, (1, 50), (0, 51), "is outside its limits: enter 1 to 50."),
        (WHOLE, (1, 50), (2.0, True, "7", None), "is not a whole number from 1 to 50."),
        (FloatField("V", 0.0, 1.0), (0, 0.0, 1.0), NOT_FROM_0_TO_1, "is not a number from 0 to 1."),
        (ChoiceField("V", ("a", "b")), ("a", "b"), ("c", "", None), "is not one of a, b."),
        (BooleanField("V"), (True, False), (1, "1", None), "is neither 1 nor 0."),
        (TextField("V", 2), ("", "ab"), ("abc", 12), "is not a text of at most 2 characters."),
    ],
)
def test_check_refuses_every_wrong_value_by_name(field, valid, wrong, message):
    for value in valid:
        field.check(value)
    for value in wrong:
        with pytest.raises(ValueError, match=r"^V = ") as caught:
            field.check(value)
        assert str(caught.value).endswith(message)
        assert str(value)[:40] in str(caught.value)


@given(st.text(st.characters(exclude_characters="…")), st.integers(1, 60))
def test_quote_gives_one_short_line(raw, length):
    quoted = quote(raw, length)
    assert len(quoted.splitlines()) == 1
    assert len(re.sub(r"‹U\+[0-9A-F]{4,6}›", "?", quoted)) <= length + 3
    assert quoted.endswith("…'") == (len(raw) > length)
    assert quote("x" * 41) == f"'{'x' * 40}…'"
