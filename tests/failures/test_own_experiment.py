import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn

from components.base.limits import MAX_LINE_CHARS, MAX_TYPED_IDS
from components.failures.catalogue import Outcome, run_failure
from components.failures.views import id_rows, table_lookups
from components.text.nested_ids import flatten_with_index, parse_nested, rows_of

NUMBER = st.sampled_from([0, 1, 5, 6, 255, 256, 40_000, 2**31, 2**63, -1, -(2**63) - 1, 10**30]) | st.integers(0, 8)
NUMBER |= st.floats(-10, 10).map(lambda x: round(x, 3)) | st.sampled_from([1e22, 1e300])
NESTED = st.recursive(NUMBER, lambda part: st.lists(part, max_size=4), max_leaves=12).filter(
    lambda ids: isinstance(ids, list)
)
DTYPES = st.sampled_from(["as typed", "int64", "int32", "int16", "uint8", "float32", "bool"])
SIZES = {"V": st.sampled_from([0, 1, 6, 400, 200_019]), "D": st.integers(0, 4), "T": st.integers(0, 5)}


@pytest.mark.parametrize(
    ("line", "ids"),
    [
        ("", []),
        ("[]", []),
        ("[[], []]", [[], []]),
        ("7", [7]),
        ("2 3 5 1", [2, 3, 5, 1]),
        ("2,3 , 5", [2, 3, 5]),
        ("2 3; 5", [[2, 3], [5]]),
        ("[[1, 2], [3]]", [[1, 2], [3]]),
        ("((1, 2), (3, 4),)", [[1, 2], [3, 4]]),
        ("[1, [2]]", [1, [2]]),
        ("1.5 .5 -2. 1e3", [1.5, 0.5, -2.0, 1000.0]),
        ("-1 +2 007", [-1, 2, 7]),
        ("9" * 500, [int("9" * 500)]),
        ("[[[1]]]", [[[1]]]),
    ],
)
def test_numbers_are_read_with_whatever_is_wrong_about_them(line, ids):
    assert parse_nested(line) == ids


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("1 two", "'t' is not allowed among IDs"),
        ("__import__('os').system('x')", "'_' is not allowed"),
        ("1.2.3", "'1.2.3' is not a number"),
        ("--1", "'--1' is not a number"),
        ("1e999", "'1e999' is too large"),
        ("[1, 2", "are not balanced"),
        ("1]", "are not balanced"),
        ("[" * 9 + "]" * 9, "8 deep"),
        ("1 " * (MAX_TYPED_IDS + 1), "257 IDs are more than 256"),
        ("1" * (MAX_LINE_CHARS + 1), "1,001 characters are more than 1,000"),
    ],
)
def test_what_is_no_list_of_numbers_is_refused_in_a_sentence(line, named):
    with pytest.raises(ValueError, match=named):
        parse_nested(line)


def answer_to(line: str, **parameters) -> Outcome | str:
    """Return what happens, or the sentence that says why nothing was run."""
    try:
        return run_failure("own", ids=line, **parameters)
    except ValueError as refused:
        return str(refused)


def torch_alone(ids: list, dtype: str, V: int, D: int, T: int) -> torch.Tensor | tuple[type, str]:
    """Return what torch gives for the same IDs, or the type and message of what it raises."""
    try:
        tensor = torch.tensor(ids, **({} if dtype == "as typed" else {"dtype": getattr(torch, dtype)}))
        token = nn.Embedding.from_pretrained(torch.zeros(V, D))(tensor)
        return token + nn.Embedding.from_pretrained(torch.zeros(T, D))(torch.arange(tensor.shape[-1]))
    except Exception as error:
        return type(error), str(error)


@given(NESTED)
def test_a_printed_list_is_read_back(ids):
    assert parse_nested(str(ids)) == ids


@given(st.text(st.characters()) | st.text("0123456789+-., ;[]()eE\t\n", max_size=60), DTYPES)
@settings(max_examples=300)
def test_any_text_gives_a_result_or_a_plain_sentence(line, dtype):
    answer = answer_to(line, dtype=dtype)
    if isinstance(answer, str):
        assert answer.endswith((".", "…"))
        assert len(answer.splitlines()) == 1
        assert len(answer) < 200
    else:
        assert answer.explanation.endswith(".")


@given(NESTED, DTYPES, st.fixed_dictionaries(SIZES))
@settings(max_examples=400)
def test_any_ids_give_what_torch_gives_or_raises_and_the_repair_runs_clean(ids, dtype, sizes):
    line = str(ids)
    if len(line) > MAX_LINE_CHARS:
        return
    outcome, expected = answer_to(line, dtype=dtype, **sizes), torch_alone(ids, dtype, **sizes)
    if isinstance(expected, tuple):
        assert (outcome.exception, outcome.message) == expected
        assert outcome.invalid_values or not list(flatten_with_index(ids)) or "[]" in line
    else:
        assert outcome.exception is None
        assert outcome.result.shape == expected.shape
    assert outcome.explanation.endswith(".")
    repaired = outcome.fixed
    assert repaired.exception is None, repaired.raised
    assert repaired.result.shape[-1] >= 1
    assert repaired.result.numel() > 0
    drawn = [value for _, row in id_rows(outcome) for value, _ in row]
    of_ids = not outcome.invalid_values or {each.name for each in outcome.invalid_values} & {"ids", "positions"}
    assert drawn == ([str(v) for _, row in rows_of(ids) for _, v in row] if of_ids else [])
    assert len(table_lookups(outcome)) <= 2


@pytest.mark.parametrize(
    ("parameters", "failed", "explained", "invalid_values"),
    [
        ({"ids": "2 3 5 1"}, "", "every ID and every position is in range. The result is [4, 3].", []),
        ({"ids": "2 6"}, "token_table(ids)", "has rows 0 to 5", ["ids[1] = 6: the token table has rows 0 to 5"]),
        ({"ids": "2 3; 1 -1"}, "token_table(ids)", "rows 0 to 5", ["ids[1, 1] = -1: the token table has rows 0 to 5"]),
        (
            {"ids": "0 1 2 3 4"},
            "position_table(positions)",
            "positions 0 to 4, and it has rows 0 to 3",
            ["positions[4] = 4: the position table has rows 0 to 3"],
        ),
        (
            {"ids": "1.5"},
            "token_table(ids)",
            "The IDs are torch.float32",
            ["ids[0] = 1.5: becomes a torch.float32, not int64 or int32"],
        ),
        (
            {"ids": "1.5", "dtype": "int64"},
            "",
            "The fractions were truncated",
            ["ids[0] = 1.5: int64 stores 1"],
        ),
        ({"ids": "2.0", "dtype": "int64"}, "", "The result is [1, 3].", []),
        ({"ids": ""}, "token_table(ids)", "An empty list becomes float32.", []),
        ({"ids": "", "dtype": "int64"}, "", "the result [0, 3] has no elements", []),
        (
            {"ids": "1 2; 3"},
            "torch.tensor(typed_ids)",
            "a rectangle",
            ["ids[1, 0] = 3: in a row of 1, the first row has 2"],
        ),
        (
            {"ids": "300", "dtype": "uint8"},
            "torch.tensor(typed_ids, dtype=getattr(torch, dtype))",
            "some of these numbers are outside",
            ["ids[0] = 300: out of range for uint8 (0 to 255)"],
        ),
        ({"ids": "0", "V": 0}, "token_table(ids)", "it has no rows", ["ids[0] = 0: the token table has no rows"]),
        (
            {"ids": "0", "T": 0},
            "position_table(positions)",
            "it has no rows",
            ["positions[0] = 0: the position table has no rows"],
        ),
        ({"ids": "0", "D": 0}, "", "the result [1, 0] has no elements", ["D = 0: every vector is empty"]),
    ],
)
def test_the_reason_is_told_by_what_failed(parameters, failed, explained, invalid_values):
    outcome = run_failure("own", **parameters)
    assert outcome.failed == failed
    assert explained in outcome.explanation
    assert [str(offender) for offender in outcome.invalid_values] == invalid_values


def test_the_repair_keeps_what_works_and_gives_the_rest_row_0():
    assert "fixed_ids = [[2, 9], [0, 1]]" in run_failure("own", ids="2 9; -1 1.5").fix
    assert "fixed_sizes = (10, 3, 4)" in run_failure("own", ids="2 9; -1 1.5").fix
    assert "fixed_ids = [[1, 2], [3, 0]]" in run_failure("own", ids="1 2; 3").fix
    assert "fixed_ids = [0]" in run_failure("own", ids=str(10**12)).fix
    assert "fixed_sizes = (6, 3, 5)" in run_failure("own", ids="0 1 2 3 4").fix


def test_the_rows_that_were_asked_of_each_table_are_known():
    token, position = table_lookups(run_failure("own", ids="2 3 5; 2 0 1"))
    assert (token.table, token.shape, token.rows) == ("token_table", (6, 3), [0, 1, 2, 3, 5])
    assert (position.table, position.shape, position.rows) == ("position_table", (4, 3), [0, 1, 2])


def test_the_position_table_is_not_asked_once_the_token_table_has_failed():
    outcome = run_failure("own", ids="-9 0 1 2 3 4")
    token, position = table_lookups(outcome)
    assert -9 in token.rows
    assert position.rows == []
    assert [str(offender) for offender in outcome.invalid_values] == ["ids[0] = -9: the token table has rows 0 to 5"]
    assert "would fail next, at position 4" in outcome.explanation


@pytest.mark.parametrize(("ids", "dtype"), [("1.5", "as typed"), ("", "as typed"), ("1", "uint8"), ("1 2; 3", "int64")])
def test_no_table_is_asked_where_the_ids_are_refused_before(ids, dtype):
    assert table_lookups(run_failure("own", ids=ids, dtype=dtype)) == []


def test_a_refused_type_has_no_tables_either():
    assert table_lookups(run_failure("list_not_tensor")) == []
    assert table_lookups(run_failure("float_ids")) == []
