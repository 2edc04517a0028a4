import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.base.limits import MAX_TYPED_IDS
from components.text.token_ids import INT64_MAX, out_of_range, parse_ids

NUMBERS = st.integers(-INT64_MAX, INT64_MAX)


def answer_to(line: str) -> list[list[int]] | str:
    try:
        return parse_ids(line)
    except ValueError as refused:
        return str(refused)


@pytest.mark.parametrize(
    ("line", "rows"),
    [
        ("7", [[7]]),
        ("2 3 5 1", [[2, 3, 5, 1]]),
        ("2, 3,5 ,1,", [[2, 3, 5, 1]]),
        ("1 5; 2 6", [[1, 5], [2, 6]]),
        ("1;2;3;", [[1], [2], [3]]),
        ("[2, 3, 5, 1]", [[2, 3, 5, 1]]),
        ("[[1, 5], [2, 6]]", [[1, 5], [2, 6]]),
        ("((1, 5), (2, 6))", [[1, 5], [2, 6]]),
        ("1\t2\n3", [[1, 2, 3]]),
        ("-1 +2 007", [[-1, 2, 7]]),
        (str(INT64_MAX), [[INT64_MAX]]),
    ],
)
def test_ids_are_read_the_way_people_write_them(line, rows):
    assert parse_ids(line) == rows


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("", "There are no IDs yet"),
        (" ;, []", "There are no IDs yet"),
        ("1 two 3", "'t' is not allowed among IDs"),
        ("__import__('os')", "'_' is not allowed among IDs"),
        ("2**9", r"'\*' is not allowed among IDs"),
        ("٣", "'٣' is not allowed among IDs"),
        ("1.5", "'1.5' is not an int64 integer"),
        ("1 -", "'-' is not a number"),
        ("3-1", "'3-1' is not a number"),
        ("--1", "'--1' is not a number"),
        (str(2**63), "'9223372036854775808' is not an int64 integer"),
        ("1" * 500, "'1111"),
        ("1 2; 3", "The sequences have 2, 1 IDs"),
        ("[[1], [2, 3]]", "The sequences have 1, 2 IDs"),
        ("1 " * (MAX_TYPED_IDS + 1), "257 IDs are more than 256"),
    ],
)
def test_what_is_not_a_batch_of_ids_is_refused_in_a_sentence(line, named):
    with pytest.raises(ValueError, match=named):
        parse_ids(line)


@pytest.mark.parametrize("blank", ["\xa0", "\r", "\u2003"])
def test_a_blank_that_is_no_space_is_accepted_or_named_so_that_it_can_be_seen(blank):
    answer = answer_to(f"1{blank}2")
    assert answer == [[1, 2]] or "''" not in answer


def test_as_many_ids_as_are_allowed_are_read():
    assert parse_ids("1 " * MAX_TYPED_IDS) == [[1] * MAX_TYPED_IDS]


@given(st.integers(1, 6).flatmap(lambda T: st.lists(st.lists(NUMBERS, min_size=T, max_size=T), min_size=1, max_size=6)))
def test_any_batch_is_read_back_from_its_printed_list_and_from_semicolons(rows):
    assert parse_ids(str(rows)) == rows
    assert parse_ids("; ".join(" ".join(map(str, row)) for row in rows)) == rows


@given(st.text(st.characters()) | st.text("0123456789+-., ;[]()\t\n"))
def test_any_text_gives_a_rectangle_of_whole_numbers_or_a_plain_sentence(line):
    answer = answer_to(line)
    if isinstance(answer, str):
        assert answer.endswith((".", "…"))
        assert len(answer.splitlines()) == 1
    else:
        assert len({len(row) for row in answer}) == 1
        assert all(type(item) is int and abs(item) <= INT64_MAX for row in answer for item in row)


@pytest.mark.parametrize(
    ("token_ids", "sentence"),
    [
        ([], None),
        ([0, 4], None),
        ([5], "ID 5 at position 0 is out of range for V = 5 (valid: 0 to 4). V = 6 would fit all IDs here."),
        (
            [2, 9, 4, 7],
            "ID 9 at position 1, and 1 more, are out of range for V = 5 (valid: 0 to 4). "
            "V = 10 would fit all IDs here.",
        ),
        ([0, -1], "ID -1 at position 1 is out of range for V = 5 (valid: 0 to 4). IDs start at 0."),
    ],
)
def test_an_id_without_a_row_is_named_with_its_place(token_ids, sentence):
    assert out_of_range(token_ids, vocab_size=5) == sentence


@given(st.lists(st.integers(0, 30), min_size=1), st.integers(1, 30))
def test_the_table_size_that_is_proposed_holds_every_id(token_ids, vocab_size):
    sentence = out_of_range(token_ids, vocab_size)
    assert (sentence is None) == (max(token_ids) < vocab_size)
    assert out_of_range(token_ids, max(token_ids) + 1) is None
    assert sentence is None or f"V = {max(token_ids) + 1} would fit" in sentence
