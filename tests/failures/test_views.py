import numpy as np
import pytest
import torch

from components.failures.catalogue import FAILURES, run_failure
from components.failures.views import (
    aligned_shapes,
    changed_lines,
    format_result,
    id_rows,
    matmul_shapes,
    table_lookups,
    why_no_figure,
)


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("dim_mismatch", ["token 2 4 256", "position  4 255", "sum 2 4 256 or 255?"]),
        ("silent_pairs", ["token  4 3", "position 4 1 3", "sum 4 4 3"]),
        ("silent_batch", ["token 4 4 3", "position 4 1 3", "sum 4 4 3"]),
    ],
)
def test_shapes_are_lined_up_from_the_last_axis(name, lines):
    assert [" ".join(line) for line in aligned_shapes(run_failure(name))] == lines


@pytest.mark.parametrize("name", ["silent_pairs", "silent_batch", "cannot_broadcast", "dim_mismatch"])
def test_the_sum_has_the_shape_that_torch_gives_or_refuses(name):
    outcome = run_failure(name)
    sizes = aligned_shapes(outcome)[-1][1:]
    if outcome.exception:
        assert any("?" in size for size in sizes)
    else:
        assert sizes == [str(size) for size in outcome.result.shape]


def test_other_experiments_have_no_sum():
    assert aligned_shapes(run_failure("id_equals_v")) == []


def test_one_hot_rows_and_table_that_fit_are_no_clash():
    assert [name for name in FAILURES if matmul_shapes(run_failure(name))] == ["one_hot_without_num_classes"]


@pytest.mark.parametrize("name", FAILURES)
def test_ids_are_drawn_only_where_one_is_at_fault(name):
    rows = id_rows(run_failure(name))
    assert not rows or any(why for _, cells in rows for _, why in cells)


def test_ids_that_all_work_are_drawn():
    assert id_rows(run_failure("own", ids="2 3")) == [("ids", [("2", ""), ("3", "")])]


def test_where_nothing_is_drawn_it_is_said_why():
    outcomes = {name: run_failure(name) for name in FAILURES}
    bare = {
        name: why_no_figure(outcome)
        for name, outcome in outcomes.items()
        if not any(draw(outcome) for draw in (aligned_shapes, matmul_shapes, id_rows, table_lookups))
    }
    assert list(bare) == [
        "padding_idx_outside",
        "padding_idx_negative",
        "one_hot_integers",
        "unknown_vector",
        "special_token",
    ]
    assert "while the table is built" in bare.pop("padding_idx_outside")
    assert "token_table" not in outcomes["padding_idx_outside"].run.variables
    assert all(said.startswith("No ID and no shape is the cause") for said in bare.values())
    assert all(outcomes[name].invalid_values for name in bare)
    assert why_no_figure(run_failure("unknown_vector", key="king")).startswith("Nothing is wrong")


@pytest.mark.parametrize("name", FAILURES)
def test_the_lines_that_a_repair_changes_are_known(name):
    outcome = run_failure(name)
    before, after = outcome.code.splitlines(), outcome.fix.splitlines()
    changed = changed_lines(outcome.code, outcome.fix)
    assert changed
    kept = [line for number, line in enumerate(after, 1) if f"line {number}" not in changed]
    gone = [line for number, line in enumerate(before, 1) if f"line {number} removed" in changed]
    assert all(line in before for line in kept)
    assert not any(line in after for line in gone)


def test_tensors_are_printed_with_their_shape_and_without_the_settings_of_the_process():
    numbers = torch.tensor([[0.00001, 1.0], [2.5, -3.12345]])
    torch.set_printoptions(precision=1)
    with np.printoptions(precision=1):
        words = format_result(numbers)
    torch.set_printoptions(profile="default")
    assert words.splitlines()[0] == "shape [2, 2]"
    assert "-3.1235" in words or "-3.1234" in words
    assert "e-" not in words


@pytest.mark.parametrize("shape", [(4, 4, 3), (8, 8, 3), (2, 4, 256), (300, 2), (1, 2, 0), (3,), ()])
def test_a_printed_tensor_is_short_and_narrow(shape):
    lines = format_result(torch.full(shape, -1.2345)).splitlines()
    assert len(lines) <= 26
    assert max(map(len, lines)) <= 48


@pytest.mark.parametrize("value", [[1, 0], "Hi", "\ufffd", ["king"], None])
def test_other_values_are_printed_as_python_prints_them(value):
    assert format_result(value) == repr(value)
