import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.text.nested_ids import parse_nested

NUMBERS = st.integers() | st.floats(-10, 10).map(lambda x: round(x, 3)) | st.sampled_from([1e22, 1e300])
NESTED = st.recursive(st.lists(NUMBERS, max_size=4), lambda part: st.lists(part, max_size=4), max_leaves=5)


@pytest.mark.parametrize(
    ("line", "ids"),
    [
        ("", []),
        ("2, 3,5 ,1,", [2, 3, 5, 1]),
        ("1\t2\xa0\n3", [1, 2, 3]),
        ("2 3; 5;", [[2, 3], [5]]),
        ("((1, 2), (3, 4),)", [[1, 2], [3, 4]]),
        ("[[1, 2]; [3]]", [[1, 2], [3]]),
        ("[1, [2]]", [1, [2]]),
        ("1.5 .5 -2. 1e3", [1.5, 0.5, -2.0, 1000.0]),
        ("-1 +2 007", [-1, 2, 7]),
        ("9" * 1_000, [int("9" * 1_000)]),
        ("1 " * 256, [1] * 256),
        ("[" * 8 + "]" * 8, [[[[[[[[]]]]]]]]),
    ],
)
def test_parse_nested_reads_whatever_is_wrong_about_the_numbers(line, ids):
    assert parse_nested(line) == ids


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("1 two", r"'t' is not allowed among IDs: type numbers, for example 2 3 5 1 or \[\[2, 3\], \[5, 1\]\]\."),
        ("__import__('os').system('x')", "'_' is not allowed"),
        ("٣", "'٣' is not allowed"),
        ("1.2.3", r"'1.2.3' is not a number: type for example 2 3 5 1 or \[\[2, 3\], \[5, 1\]\]\."),
        ("1 -", "'-' is not a number"),
        ("3-1", "'3-1' is not a number"),
        ("1e999", "'1e999' is too large for a float: IDs are row indices, 0, 1, 2 …"),
        ("[1, 2", r"The brackets in '\[1, 2' are not balanced: type for example 2 3 5 1 or"),
        ("1] 2", r"The brackets in '1\] 2' are not balanced"),
        ("[" * 9 + "]" * 9, "Lists can be nested 8 deep here: remove brackets"),
        ("1 " * 257, "257 IDs are more than 256: type fewer"),
        ("1" * 1_001, "1,001 characters are more than 1,000: type fewer IDs"),
    ],
)
def test_parse_nested_refuses_what_is_no_list_of_numbers(line, named):
    with pytest.raises(ValueError, match=f"^{named}"):
        parse_nested(line)


@given(NESTED)
def test_parse_nested_reads_a_printed_list(ids):
    assert parse_nested(str(ids)) == ids
