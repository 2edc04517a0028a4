"""Columns of numbers and words as Arrow tables, without pandas, which would cost 45 MB and time for every chart.

pyarrow's own constructors import pandas if it is installed, so the columns are passed as buffers.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import pyarrow as pa

from components.base.learner_text import show_hidden

Column = Sequence | np.ndarray


def arrow_table(columns: Mapping[str, Column]) -> pa.Table:
    """Return an Arrow table of equally long columns of integers, floats or strings; hidden characters become codes."""
    return pa.Table.from_arrays([_array(column) for column in columns.values()], names=list(columns))


def rows_table(rows: Sequence[Mapping]) -> pa.Table:
    """Return an Arrow table of one or more rows that all have the same keys."""
    return arrow_table({name: [row[name] for row in rows] for name in rows[0]})


def _array(column: Column) -> pa.Array:
    if len(column) == 0 or isinstance(column[0], str):
        words = [show_hidden(word).encode("utf-8") for word in column]
        ends = np.cumsum([0, *map(len, words)], dtype=np.int32)
        return pa.StringArray.from_buffers(len(words), pa.py_buffer(ends), pa.py_buffer(b"".join(words)))
    numbers = np.ascontiguousarray(column)
    is_integer = np.issubdtype(numbers.dtype, np.integer)
    numbers = numbers.astype(np.int64 if is_integer else np.float64)
    dtype = pa.int64() if is_integer else pa.float64()
    return pa.Array.from_buffers(dtype, len(numbers), [None, pa.py_buffer(numbers)])
