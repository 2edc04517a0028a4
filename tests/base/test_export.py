"""Files: what goes in comes out to the bit, too much is refused, and nothing in them is obeyed."""

import csv
import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from components.base.export import MAX_EXPORT_CELLS, as_csv, as_npy, check_size, table_csv

FLOATS = arrays(np.float32, array_shapes(min_dims=1, max_dims=3, max_side=5), elements=st.floats(width=32))


def read_csv(content: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(content.decode("utf-8"))))


@given(FLOATS)
def test_npy_comes_back_to_the_bit(array):
    back = np.load(io.BytesIO(as_npy(array)), allow_pickle=False)
    assert back.dtype == array.dtype
    assert back.shape == array.shape
    assert back.tobytes() == array.tobytes()


@given(FLOATS)
def test_csv_comes_back_to_the_bit_row_by_row(array):
    head, *rows = read_csv(as_csv(array))
    places = array.ndim - 1
    assert len(head) == places + array.shape[-1]
    for row in rows:
        values = np.array(row[places:], dtype=np.float32)
        assert np.array_equal(values, array[tuple(map(int, row[:places]))], equal_nan=True)
    assert len(rows) == array[..., 0].size


def test_csv_of_ids_names_its_dimensions():
    content = as_csv(np.array([[[5, 6]], [[7, 8]]]), ["b", "t", "d"])
    assert read_csv(content) == [["b", "t", "d0", "d1"], ["0", "0", "5", "6"], ["1", "0", "7", "8"]]


@pytest.mark.parametrize("make", [as_csv, as_npy])
def test_the_limit_is_a_size_that_still_works_and_one_more_is_refused(make):
    check_size([MAX_EXPORT_CELLS])
    with pytest.raises(ValueError, match=f"has {MAX_EXPORT_CELLS + 1:,} elements; the limit for a file is"):
        make(np.zeros(MAX_EXPORT_CELLS + 1, dtype=np.float32))


@pytest.mark.parametrize("word", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "=HYPERLINK(0)"])
def test_a_word_that_a_spreadsheet_would_run_is_harmless(word):
    assert read_csv(table_csv([{"token": word}]))[1] == ["'" + word]


@given(st.text(st.characters(codec="utf-8", exclude_characters="\r\0"), max_size=20))
def test_other_words_come_back_as_they_were(word):
    (back,) = read_csv(table_csv([{"place": 1, "token": word}]))[1][1:]
    assert back.removeprefix("'") == word.removeprefix("'")


@pytest.mark.parametrize("shape", [(0,), (0, 3), (2, 0), (3, 0, 2)])
def test_a_tensor_without_numbers_is_a_file_too(shape):
    assert as_csv(np.zeros(shape), ["b", "t", "d"][: len(shape)]).count(b"\n") == 1 + int(np.prod(shape[:-1]))
    assert np.load(io.BytesIO(as_npy(np.zeros(shape)))).shape == shape
