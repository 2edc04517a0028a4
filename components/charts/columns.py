"""Columns of numbers and words as Arrow tables, without pandas: it would cost every server 45 MB and every chart time.

pyarrow's own constructors import pandas as soon as it is installed, so the columns are handed over as buffers.
"""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import pyarrow as pa

Column = Sequence | np.ndarray


def arrow_table(columns: Mapping[str, Column]) -> pa.Table:
    """Return an Arrow table of equally long columns: whole numbers, numbers, or words.

    >>> arrow_table({"place": [0, 1], "token": ["a", "é"]}).to_pylist()
    [{'place': 0, 'token': 'a'}, {'place': 1, 'token': 'é'}]
    """
    return pa.Table.from_arrays([_array(column) for column in columns.values()], names=list(columns))


def rows_table(rows: Iterable[Mapping]) -> pa.Table:
    """Return an Arrow table of rows that all have the same keys; at least one row is needed for the names.

    >>> rows_table([{"x": 1.5}, {"x": 2.0}]).to_pylist()
    [{'x': 1.5}, {'x': 2.0}]
    """
    rows = list(rows)
    return arrow_table({name: [row[name] for row in rows] for name in rows[0]})


def _array(column: Column) -> pa.Array:
    if len(column) == 0 or isinstance(column[0], str):
        words = [word.encode("utf-8") for word in column]
        ends = np.cumsum([0, *map(len, words)], dtype=np.int32)
        return pa.StringArray.from_buffers(len(words), pa.py_buffer(ends), pa.py_buffer(b"".join(words)))
    numbers = np.ascontiguousarray(column)
    whole = np.issubdtype(numbers.dtype, np.integer)
    numbers = numbers.astype(np.int64 if whole else np.float64)
    kind = pa.int64() if whole else pa.float64()
    return pa.Array.from_buffers(kind, len(numbers), [None, pa.py_buffer(numbers)])
