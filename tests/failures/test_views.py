import numpy as np
import pytest
import torch

from components.failures import views
from components.failures.catalogue import FAILURES, run_failure
from components.failures.views import aligned_shapes, format_result, id_rows, shown_values, table_lookups


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("cannot_broadcast", ["token 2 4 3", "position  5 3", "sum 2 4 or 5? 3"]),
        ("dim_mismatch", ["token 2 4 256", "position  4 255", "sum 2 4 256 or 255?"]),
        ("silent_pairs", ["token  4 3", "position 4 1 3", "sum 4 4 3"]),
        ("silent_batch", ["token 4 4 3", "position 4 1 3", "sum 4 4 3"]),
        ("id_equals_v", []),
    ],
)
def test_aligned_shapes_are_those_of_the_tensors_from_the_last_axis(name, lines):
    outcome = run_failure(name)
    assert [" ".join(line) for line in aligned_shapes(outcome)] == lines
    if lines and not outcome.run.exception:
        assert aligned_shapes(outcome)[-1][1:] == [str(size) for size in outcome.run.result.shape]


def test_shown_values_of_the_catalogue_have_the_cause():
    outcomes = {name: run_failure(name) for name in FAILURES}
    assert [name for name in FAILURES if views.matmul_shapes(outcomes[name])] == ["one_hot_without_num_classes"]
    assert table_lookups(outcomes["list_not_tensor"]) == table_lookups(outcomes["float_ids"]) == []
    for name, outcome in outcomes.items():
        reasons = {reason for _, row in shown_values(outcome) for _, reason in row}
        assert {value.reason for value in outcome.case.invalid_values} & reasons, name
    assert shown_values(run_failure("unknown_vector", key="king")) == [("key", [("king", "")])]
    assert table_lookups(outcomes["padding_idx_outside"]) == [views.TableLookup("token_table", (6, 3), [6])]


@pytest.mark.parametrize(
    ("name", "rows"),
    [
        ("cannot_broadcast", ["token 2 4! 3", "position 5! 3", "sum 2 4 or 5?! 3"]),
        ("silent_batch", ["token 4 4 3", "position 4 1! 3", "sum 4 4 3"]),
        ("one_hot_without_num_classes", ["hot 3 5!", "W 6! 3"]),
        ("one_hot_integers", ["hot.dtype torch.int64!", "W.dtype torch.float32!"]),
        ("no_columns", ["W.shape[1] 0!"]),
        ("new_random_row", ["W 7 3", "contexts 1000 3", "share 0.471!"]),
    ],
)
def test_shown_values_mark_what_does_not_fit(name, rows):
    found = [
        f"{row} " + " ".join(f"{value}{'!' if reason else ''}" for value, reason in cells)
        for row, cells in shown_values(run_failure(name))
    ]
    assert [" ".join(line.split()) for line in found] == rows


@pytest.mark.parametrize(("dtype", "tables"), [("int32", 2), ("int16", 0), ("float32", 0), ("bool", 0)])
def test_table_lookups_need_integers_of_a_dtype_for_ids(dtype, tables):
    assert len(table_lookups(run_failure("own", ids="2 3", dtype=dtype))) == tables


@pytest.mark.parametrize(
    ("name", "parameters", "rows"),
    [
        ("own", {"ids": "2 3"}, [("ids", [("2", ""), ("3", "")])]),
        ("own", {"ids": "2", "T": 0}, [("ids", [("2", "the position table has no rows")])]),
        ("unknown_word", {}, [("sentence", [("'the'", ""), ("'dog'", "not in the vocabulary"), ("'sat'", "")])]),
    ],
)
def test_id_rows_mark_the_invalid_values(name, parameters, rows):
    assert id_rows(run_failure(name, **parameters)) == rows


def test_format_result_of_a_tensor_ignores_the_print_settings_of_the_process():
    elements = torch.tensor([[0.00001, 1.0], [2.5, -3.12346]])
    torch.set_printoptions(precision=1)
    with np.printoptions(precision=1):
        lines = format_result(elements).splitlines()
    torch.set_printoptions(profile="default")
    assert lines == ["shape [2, 2]", "[[ 0.      1.    ]", " [ 2.5    -3.1235]]"]
    assert format_result("Hi") == "'Hi'"


@pytest.mark.parametrize(
    ("shape", "n_lines"), [((3, 12), 10), ((37,), 2), ((4, 4, 3), 20), ((2, 4, 256), 10), ((1, 2, 0), 2), ((), 2)]
)
def test_format_result_of_a_tensor_is_short_and_narrow(shape, n_lines):
    lines = format_result(torch.full(shape, -1.2345)).splitlines()
    assert len(lines) == n_lines
    assert max(map(len, lines)) <= 48
