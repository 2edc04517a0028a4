"""Tensors and tables as files: CSV for people and spreadsheets, NPY for programs."""

import csv
import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod

import numpy as np

from components.base.learner_text import show_hidden

MAX_EXPORT_CELLS = 2**20  # 4.2 MB as NPY, about 13 MB as CSV
FORMULA = ("=", "+", "-", "@", "\t", "\r")  # a spreadsheet evaluates text that begins with one of these
NUMBERS = re.compile(r"-?\d+(\.\d+)?( -?\d+(\.\d+)?)*")  # but not this


@dataclass(frozen=True)
class NamedArray:
    """An array and the names of its axes, for example ("b", "t", "d")."""

    array: np.ndarray
    axes: tuple[str, ...]


def check_size(shape: Sequence[int]) -> None:
    """Raise ValueError if a tensor of this shape is too large for a file. The message is shown to learners."""
    cells = prod(shape)
    if cells > MAX_EXPORT_CELLS:
        raise ValueError(
            f"A tensor {[*shape]} has {cells:,} elements; the limit for a file is {MAX_EXPORT_CELLS:,}. "
            "Lower V, D, B or T, or take vectors of fewer words."
        )


def as_npy(array: np.ndarray) -> bytes:
    """Return an array as a .npy file, from which numpy.load restores it exactly."""
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


def as_csv(array: np.ndarray, axes: Sequence[str]) -> bytes:
    """Return an array as CSV: one line per row of its last axis, after the indices of that row.

    float32 values are written so that reading them gives exactly the same values. `axes` are the names of the axes.

    >>> as_csv(np.array([[0.5, 1.0], [2.0, 3.0]]), ["t", "d"]).decode().splitlines()
    ['t,d0,d1', '0,0.5,1.0', '1,2.0,3.0']
    """
    header = [*axes[:-1], *(f"{axes[-1]}{n}" for n in range(array.shape[-1]))]
    rows = array.reshape(prod(array.shape[:-1]), array.shape[-1])
    # str of a numpy scalar is the shortest decimal that reads back as the same value
    lines = ([*np.unravel_index(n, array.shape[:-1]), *map(str, row)] for n, row in enumerate(rows))
    return _write([header, *lines])


def table_csv(rows: Sequence[Mapping[str, object]]) -> bytes:
    """Return a table as CSV; text that a spreadsheet would evaluate as a formula is prefixed with an apostrophe.

    Hidden characters are codes, as on the page.
    """
    return _write([list(rows[0]), *([_harmless(value) for value in row.values()] for row in rows)])


def _harmless(value: object) -> object:
    if not isinstance(value, str):
        return value
    return show_hidden(f"'{value}" if value.startswith(FORMULA) and not NUMBERS.fullmatch(value) else value)


def _write(lines: Sequence[Sequence[object]]) -> bytes:
    file = io.StringIO(newline="")
    csv.writer(file).writerows(lines)
    return file.getvalue().encode("utf-8")
