import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.base.learner_text import show_hidden
from components.charts.columns import arrow_table, rows_table

INTEGERS = st.integers(-(2**63), 2**63 - 1)
WORDS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
ROW = st.fixed_dictionaries({"integer": INTEGERS, "number": st.floats(allow_nan=False), "word": WORDS})


@given(st.lists(ROW, min_size=1, max_size=6))
def test_rows_table_of_any_rows_shows_hidden_characters_alone(rows):
    table = rows_table(rows)
    table.validate(full=True)
    assert table.to_pylist() == [{**row, "word": show_hidden(row["word"])} for row in rows]


@pytest.mark.parametrize(
    ("column", "dtype"),
    [
        ([1, 2], pa.int64()),
        (np.array([1, 2], dtype=np.int32), pa.int64()),
        (np.arange(10)[::2], pa.int64()),
        ([0.5, 2], pa.float64()),
        (np.array([0.5], dtype=np.float32), pa.float64()),
        (["a"], pa.string()),
        ([], pa.string()),
    ],
    ids=str,
)
def test_arrow_table_has_only_types_that_a_browser_reads(column, dtype):
    table = arrow_table({"x": column})
    table.validate(full=True)
    assert table.schema.field("x").type == dtype
    assert table.column("x").to_pylist() == list(column)
