import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.charts.columns import arrow_table, rows_table

WHOLE = st.integers(-(2**63), 2**63 - 1)
NUMBERS = st.floats(allow_nan=False)
WORDS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)


@given(st.lists(st.tuples(WHOLE, NUMBERS, WORDS), min_size=1, max_size=6))
def test_columns_come_back_as_they_went_in(rows):
    columns = dict(zip(("whole", "number", "word"), map(list, zip(*rows, strict=True)), strict=True))
    table = arrow_table(columns)
    table.validate(full=True)
    assert table.to_pydict() == columns


@given(st.lists(st.fixed_dictionaries({"place": WHOLE, "token": WORDS}), min_size=1, max_size=6))
def test_rows_come_back_as_they_went_in(rows):
    table = rows_table(rows)
    table.validate(full=True)
    assert table.to_pylist() == rows


@pytest.mark.parametrize(
    ("column", "kind"),
    [
        ([1, 2], pa.int64()),
        (np.array([1, 2], dtype=np.int32), pa.int64()),
        ([0.5, 2], pa.float64()),
        (np.array([0.5], dtype=np.float32), pa.float64()),
        (["a"], pa.string()),
    ],
)
def test_numbers_and_words_get_the_kinds_that_a_browser_can_read(column, kind):
    table = arrow_table({"x": column})
    assert table.schema.field("x").type == kind
    assert table.column("x").to_pylist() == list(column)


def test_a_slice_of_an_array_is_copied_in_its_own_order():
    every_second = np.arange(10)[::2]
    assert arrow_table({"x": every_second}).to_pydict() == {"x": [0, 2, 4, 6, 8]}


def test_empty_columns_make_a_table_without_rows():
    table = arrow_table({"row": [], "color_role": []})
    table.validate(full=True)
    assert (table.num_rows, table.column_names) == (0, ["row", "color_role"])


def test_columns_of_different_lengths_are_refused():
    with pytest.raises(ValueError, match="length"):
        arrow_table({"x": [1, 2], "y": [1]}).validate()
