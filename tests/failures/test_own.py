import pytest
import torch
from hypothesis import example, given, settings
from hypothesis import strategies as st
from torch import nn

from components.base.limits import MAX_LINE_CHARS
from components.failures.catalogue import run_failure
from components.text.nested_ids import flatten_with_index

NUMBER = st.sampled_from([0, 1, 5, 6, 255, 256, 40_000, 2**31, 2**63, -1, -(2**63) - 1, 10**30]) | st.integers(0, 8)
NUMBER |= st.floats(-10, 10).map(lambda x: round(x, 3)) | st.sampled_from([1e22, 1e300])
NESTED = st.recursive(NUMBER, lambda part: st.lists(part, max_size=4), max_leaves=12).filter(
    lambda ids: isinstance(ids, list) and len(str(ids)) <= MAX_LINE_CHARS
)
DTYPES = st.sampled_from(["as typed", "int64", "int32", "int16", "uint8", "float32", "bool"])
SIZES = {"V": st.sampled_from([0, 1, 6, 400, 200_019]), "D": st.integers(0, 4), "T": st.integers(0, 5)}


def torch_alone(ids: list, dtype: str, V: int, D: int, T: int) -> torch.Size | tuple[str, str]:
    """Return the shape that torch gives for the same IDs, or the name and message of what it raises."""
    try:
        tensor = torch.tensor(ids, **({} if dtype == "as typed" else {"dtype": getattr(torch, dtype)}))
        token = nn.Embedding.from_pretrained(torch.zeros(V, D))(tensor)
        return (token + nn.Embedding.from_pretrained(torch.zeros(T, D))(torch.arange(tensor.shape[-1]))).shape
    except Exception as error:
        return type(error).__name__, str(error)


@given(st.text() | st.text("0123456789+-., ;[]()eE\t\n", max_size=60), DTYPES)
@settings(max_examples=200)
def test_own_of_any_text_gives_an_outcome_or_one_sentence(line, dtype):
    try:
        sentence = run_failure("own", ids=line, dtype=dtype).explanation
    except ValueError as refused:
        sentence = str(refused)
    assert sentence.endswith((".", "…"))
    assert len(sentence.splitlines()) == 1
    assert len(sentence) < 250
    assert "''" not in sentence or "'" in line


@given(NESTED, DTYPES, st.fixed_dictionaries(SIZES))
@example([[[0]], [[0], [0]]], "as typed", {"V": 0, "D": 0, "T": 0})
@settings(max_examples=200)
def test_own_of_any_ids_raises_what_torch_does_and_is_fixed(ids, dtype, sizes):
    outcome, expected = run_failure("own", ids=str(ids), dtype=dtype, **sizes), torch_alone(ids, dtype, **sizes)
    if outcome.run.exception:
        assert (outcome.run.exception, outcome.run.message) == expected
        assert outcome.invalid_values or not list(flatten_with_index(ids))
    else:
        assert outcome.run.result.shape == expected
    assert outcome.fixed.exception == "", outcome.fixed.raised
    assert outcome.fixed.result.numel() > 0


TENSOR = "torch.tensor(typed_ids, dtype=torch_dtype)"
TOKENS, POSITIONS = "token_table(ids)", "position_table(positions)"
DIFFER, INT64 = "these differ in length or depth", {"dtype": "int64"}
ROWS_OF_POSITIONS = "positions[4] = 4: the position embedding table has rows 0 to 3"
NO_POSITIONS = "positions[0] = 0: the position embedding table has no rows"
NOT_REACHED = "The position embedding table was not reached; it has rows 0 to 3 and would fail next, at position 4."
REACHED = "Every ID is in range; the position lookup failed. "
REACHED += "5 IDs in a sequence need positions 0 to 4; the table has rows 0 to 3."
INT32, OUTSIDE = {"dtype": "int32"}, "out of range for int32 (-2,147,483,648 to 2,147,483,647)"
OF_OTHER_LENGTH = "in a list of another length than the first"
ONLY_INTEGERS = "The IDs are torch.float32; a lookup takes int64 or int32 only."
EMPTY = "An empty list becomes float32."
NOT = "not as int64 or int32"


@pytest.mark.parametrize(
    ("ids", "others", "failed", "explained", "invalid_value"),
    [
        ("2 3 5 1", {}, "", "every ID and every position is in range. The result is [4, 3].", ""),
        ("2 3; 1 -1", {}, TOKENS, "the marked ID is out", "ids[1, 1] = -1: the token embedding table has rows 0 to 5"),
        ("0 1 2 3 4", {}, POSITIONS, REACHED, ROWS_OF_POSITIONS),
        ("-9 0 1 2 3 4", {}, TOKENS, NOT_REACHED, "ids[0] = -9: the token embedding table has rows 0 to 5"),
        ("0 1 2 6", {}, TOKENS, "the marked ID is out", "ids[3] = 6: the token embedding table has rows 0 to 5"),
        ("1.5", {}, TOKENS, ONLY_INTEGERS, f"ids[0] = 1.5: stored as 1.5 (torch.float32), {NOT}"),
        (
            "-1",
            {"dtype": "uint8"},
            TOKENS,
            "The IDs are torch.uint8",
            f"ids[0] = -1: stored as 255 (torch.uint8), {NOT}",
        ),
        ("2", {"dtype": "bool"}, TOKENS, "The IDs are torch.bool", f"ids[0] = 2: stored as True (torch.bool), {NOT}"),
        ("1.5", INT64, "", "The fractions were truncated silently.", "ids[0] = 1.5: int64 stores 1"),
        ("2.0", INT64, "", "The result is [1, 3].", ""),
        ("", {}, TOKENS, EMPTY, ""),
        ("", {"dtype": "float32"}, TOKENS, ONLY_INTEGERS, ""),
        ("", INT64, "", "the result [0, 3] has no elements", ""),
        ("1 2; 3", {}, TENSOR, DIFFER, "ids[1, 0] = 3: in a list of 1; the first has 2"),
        ("[[1, 2], []]", {}, TENSOR, DIFFER, "ids[1] = []: in a list of 0; the first has 2"),
        ("[1, [2]]", {}, TENSOR, DIFFER, "ids[1, 0] = 2: in lists of another depth than the first"),
        ("[[[1], [2]], [[3]], [[4], [5]]]", {}, TENSOR, DIFFER, f"ids[1, 0, 0] = 3: {OF_OTHER_LENGTH}"),
        ("4e9; [1,2]; 1", INT32, TENSOR, "not all of these numbers are in it", f"ids[0] = 4000000000.0: {OUTSIDE}"),
        ("0", {"V": 0}, TOKENS, "the table has no rows", "ids[0] = 0: the token embedding table has no rows"),
        ("0", {"T": 0}, POSITIONS, "1 ID in a sequence needs position 0; the table has no rows", NO_POSITIONS),
        ("0", {"D": 0}, "", "the result [1, 0] has no elements", "D = 0: every vector is empty"),
        ("-9", {"D": 0}, TOKENS, "With D = 0 another part", "ids[0] = -9: the token embedding table has rows 0 to 5"),
    ],
)
def test_own_explains_what_failed(ids, others, failed, explained, invalid_value):
    outcome = run_failure("own", ids=ids, **others)
    assert outcome.run.failed == failed
    assert explained in outcome.explanation
    assert ("An empty list" in outcome.explanation) == (explained == EMPTY)
    assert ("would fail next" in outcome.explanation) == (explained == NOT_REACHED)
    assert [str(value) for value in outcome.invalid_values] == [invalid_value] * bool(invalid_value)


@pytest.mark.parametrize("dtype", ["as typed", "int64", "int32", "int16", "uint8"])
def test_own_outside_the_range_of_a_dtype_names_the_numbers(dtype):
    name = dtype.replace("as typed", "int64")
    low, high = torch.iinfo(getattr(torch, name)).min, torch.iinfo(getattr(torch, name)).max
    outcome = run_failure("own", ids=f"{low} {high} {low - 1} {high + 1}", dtype=dtype, V=0)
    assert outcome.run.failed == TENSOR
    assert "not all of these numbers are in it" in outcome.explanation
    reason = f"out of range for {name} ({low:,} to {high:,})"
    expected = [f"ids[2] = {low - 1}: {reason}", f"ids[3] = {high + 1}: {reason}"]
    assert [str(value) for value in outcome.invalid_values] == expected


@pytest.mark.parametrize(("dtype", "other"), [("float32", "2"), ("as typed", "1.5")])
def test_own_outside_the_range_of_a_float_names_that_range(dtype, other):
    large = 10**309
    (value,) = run_failure("own", ids=f"{other} {-large} 1e30", dtype=dtype).invalid_values
    assert (value.value, value.reason) == (-large, "out of range for a float (-1.8e+308 to 1.8e+308)")


@pytest.mark.parametrize(
    ("parameters", "sizes", "ids"),
    [
        ({"ids": "2 9; -1 1.5"}, "(10, 3, 4)", "[[2, 9], [0, 1]]"),
        ({"ids": "0 1 2 3 4"}, "(6, 3, 5)", "[0, 1, 2, 3, 4]"),
        ({"ids": "[1, [2]]"}, "(6, 3, 4)", "[[1], [2]]"),
        ({"ids": "", "V": 0, "D": 0, "T": 0}, "(1, 1, 1)", "[0]"),
        ({"ids": "200018 200019", "D": 1}, "(200019, 1, 4)", "[200018, 0]"),
        ({"ids": "65535 65536", "D": 16}, "(65536, 16, 4)", "[65535, 0]"),
    ],
)
def test_own_fix_keeps_what_can_work_and_has_row_0_otherwise(parameters, sizes, ids):
    fix = run_failure("own", **parameters).fixed.code
    assert fix.startswith(f"fixed_sizes = {sizes}  # V, D, T\nfixed_ids = {ids}\n\n")
