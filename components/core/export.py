"""Tensors and tables as files: CSV for people and spreadsheets, NPY for programs."""

import csv
import io
from collections.abc import Mapping, Sequence
from math import prod

import numpy as np

MAX_EXPORT_CELLS = 2**20  # 4.2 MB as NPY, about 13 MB as CSV
FORMULA = ("=", "+", "-", "@", "\t", "\r")  # a spreadsheet would run what begins with one of these


def check_size(shape: Sequence[int]) -> None:
    """Raise ValueError, in a plain sentence, where a tensor of this shape is too large for a file.

    >>> check_size([50_257, 256])
    Traceback (most recent call last):
    ...
    ValueError: A tensor [50,257, 256] has 12,865,792 numbers; a file holds up to 1,048,576. Lower V, D, B or T.
    """
    cells = int(np.prod(shape))
    if cells > MAX_EXPORT_CELLS:
        sizes = ", ".join(f"{size:,}" for size in shape)
        raise ValueError(
            f"A tensor [{sizes}] has {cells:,} numbers; a file holds up to {MAX_EXPORT_CELLS:,}. Lower V, D, B or T."
        )


def as_npy(array: np.ndarray) -> bytes:
    """Return an array as a .npy file, which numpy.load reads back to the bit. Raises ValueError beyond the size.

    >>> np.load(io.BytesIO(as_npy(np.array([1.5, 2.0])))).tolist()
    [1.5, 2.0]
    """
    check_size(array.shape)
    file = io.BytesIO()
    np.save(file, array, allow_pickle=False)
    return file.getvalue()


def as_csv(array: np.ndarray, names: Sequence[str] = ()) -> bytes:
    """Return an array as CSV: a line for each row of its last dimension, after the places of that row.

    Floats are written so that float32 reads back to the bit. `names` are the names of the dimensions. Raises
    ValueError beyond the size.

    >>> as_csv(np.array([[0.5, 1.0], [2.0, 3.0]]), ["t", "d"]).decode().splitlines()
    ['t,d0,d1', '0,0.5,1.0', '1,2.0,3.0']
    """
    check_size(array.shape)
    array = np.atleast_1d(array)
    names = list(names) or [f"axis{n}" for n in range(array.ndim)]
    head = [*names[:-1], *(f"{names[-1]}{n}" for n in range(array.shape[-1]))]
    rows = array.reshape(prod(array.shape[:-1]), array.shape[-1])
    # str of a numpy number is the shortest that reads back as the same one
    lines = ([*np.unravel_index(n, array.shape[:-1]), *map(str, row)] for n, row in enumerate(rows))
    return _write([head, *lines])


def table_csv(rows: Sequence[Mapping[str, object]]) -> bytes:
    """Return a table as CSV. What a spreadsheet would take for a formula gets an apostrophe in front.

    >>> table_csv([{"ID": 5, "token": "=1+1"}]).decode().splitlines()
    ['ID,token', "5,'=1+1"]
    """
    return _write([list(rows[0]), *([_harmless(cell) for cell in row.values()] for row in rows)])


def _harmless(cell: object) -> object:
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULA) else cell


def _write(lines: Sequence[Sequence[object]]) -> bytes:
    file = io.StringIO(newline="")
    csv.writer(file).writerows(lines)
    return file.getvalue().encode("utf-8")
