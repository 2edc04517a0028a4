import csv
import io
import re

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from components.base.export import MAX_EXPORT_CELLS, as_csv, as_npy, check_size, table_csv
from components.base.learner_text import show_hidden


@given(arrays(np.float32, array_shapes(min_side=0, max_side=4), elements=st.floats(width=32)))
def test_as_npy_and_as_csv_of_any_array_are_read_back_exactly(array):
    back = np.load(io.BytesIO(as_npy(array)), allow_pickle=False)
    assert (back.dtype, back.shape, back.tobytes()) == (array.dtype, array.shape, array.tobytes())
    axes = [f"axis{n}" for n in range(array.ndim)]
    head, *rows = csv.reader(io.StringIO(as_csv(array, axes).decode("utf-8")))
    assert head == axes[:-1] + [f"{axes[-1]}{n}" for n in range(array.shape[-1])]
    assert len(rows) == np.prod(array.shape[:-1])
    for row in rows:
        index, values = tuple(map(int, row[: array.ndim - 1])), np.array(row[array.ndim - 1 :], dtype=np.float32)
        assert np.array_equal(values, array[index], equal_nan=True)


def test_file_of_too_many_elements_is_refused_with_its_shape():
    check_size([MAX_EXPORT_CELLS])
    with pytest.raises(ValueError, match="A tensor") as caught:
        check_size([2**19 + 1, 2])
    assert str(caught.value) == (
        "A tensor [524289, 2] has 1,048,578 elements; the limit for a file is 1,048,576. Lower V, D, B or T, "
        "or take vectors of fewer words."
    )


@given(st.sampled_from(["", "=", "+", "-", "@", "\t", "\r"]), st.text(st.characters(codec="utf-8"), max_size=20))
@example("-", "0.4015 0.9666 -1")
@example("-", "1-1")
def test_table_csv_prefixes_formulas_and_shows_hidden_characters(sign, text):
    word = sign + text
    formula = word.startswith(("=", "+", "-", "@", "\t", "\r"))
    formula = formula and not all(re.fullmatch(r"-?\d+(\.\d+)?", part) for part in word.split(" "))
    rows = [*csv.reader(io.StringIO(table_csv([{"row": -1, "token": word}]).decode("utf-8"), newline=""))]
    assert rows == [["row", "token"], ["-1", "'" * formula + show_hidden(word)]]
