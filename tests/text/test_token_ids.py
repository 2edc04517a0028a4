import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from components.text.token_ids import INT64_MAX, around_first_out_of_range, out_of_range, parse_ids

NUMBERS = st.integers(-INT64_MAX - 1, INT64_MAX)
BATCHES = st.integers(1, 6).flatmap(lambda T: st.lists(st.lists(NUMBERS, min_size=T, max_size=T), min_size=1))


@given(BATCHES.filter(lambda batch: len(str(batch)) <= 1_000))
@example([[INT64_MAX, -INT64_MAX - 1]])
def test_parse_ids_reads_a_printed_batch_and_one_with_semicolons(batch):
    assert parse_ids(str(batch)) == batch
    assert parse_ids("; ".join(" ".join(map(str, row)) for row in batch) + ";") == batch


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("", "There are no IDs yet: type whole numbers, such as 2 3 5 1"),
        (" ;, []", "There are no IDs yet"),
        ("1.5", "'1.5' is not an int64 integer: IDs are row indices"),
        (str(2**63), "'9223372036854775808' is not an int64 integer"),
        (str(-(2**63) - 1), "'-9223372036854775809' is not an int64 integer"),
        ("1" * 500, "'1{40}…' is not an int64 integer"),
        ("[[[1, 2]], [[3, 4]]]", "The lists are nested unevenly or too deep"),
        ("[1, 2, [3, 4]]", "The lists are nested unevenly or too deep"),
        ("[[1], [2, 3]]", "The sequences have 1 and 2 IDs: in a batch all sequences have the same length"),
    ],
)
def test_parse_ids_refuses_what_is_not_a_batch(line, named):
    with pytest.raises(ValueError, match=f"^{named}"):
        parse_ids(line)


@pytest.mark.parametrize(
    ("token_ids", "first", "fix"),
    [
        ([7], "7 at position 0 is", "V = 8 would fit all IDs here."),
        ([0, 9, 4, 7], "9 at position 1, and 1 more, are", "V = 10 would fit all IDs here."),
        ([9, 0, -1], "9 at position 0, and 1 more, are", "IDs start at 0, and V = 10 would fit the others."),
        ([200_018], "200,018 at position 0 is", "V = 200,019 would fit all IDs here."),
        ([200_019], "200,019 at position 0 is", "The largest V here is 200,019."),
    ],
)
def test_out_of_range_names_the_first_id_and_what_to_do(token_ids, first, fix):
    assert out_of_range(token_ids, 7) == f"ID {first} out of range for V = 7 (valid: 0 to 6). {fix}"
    assert out_of_range([0, 6], 7) is None


@pytest.mark.parametrize(
    ("batch", "shown"),
    [
        ([[1, 9], [3, 4]], [[1, 9], [3, 4]]),
        ([[0] * 4 + [1, 9, 2, 3] + [5] * 4], [[1, 9, 2, 3]]),
        ([[1, 2], [3, 9], [4, 5], [6, 7]], [[3, 9], [4, 5]]),
        ([[1, 2, 3], [-1, 1, 1]], [[-1, 1, 1]]),
    ],
)
def test_around_first_out_of_range_shows_few_ids_with_the_first(batch, shown):
    assert around_first_out_of_range(batch, vocab_size=9, most=4) == shown
    assert around_first_out_of_range([[0] * 64], vocab_size=1) == [[0] * 64]
    assert around_first_out_of_range([[0] * 64 + [1]], vocab_size=1) == [[1]]
