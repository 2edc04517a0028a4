"""The values that make a program fail or go wrong: their variable, their index, and the reason."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from components.failures.code_runner import CodeRun
from components.text.nested_ids import flatten_with_index

IDS_DTYPES = ("torch.int64", "torch.int32")  # what nn.Embedding accepts


@dataclass(frozen=True)
class InvalidValue:
    """A value that makes the program fail or go wrong: the variable, the index in it, the value, and the reason."""

    name: str
    index: tuple[int, ...]
    value: Any
    reason: str

    def __str__(self) -> str:
        index = f"[{', '.join(map(str, self.index))}]" if self.index else ""
        return f"{self.name}{index} = {self.value!r}: {self.reason}"


def row_range(rows: int) -> str:
    """Return which rows a table has.

    >>> row_range(2), row_range(1), row_range(0)
    ('rows 0 to 1', 'row 0 only', 'no rows')
    """
    return f"rows 0 to {rows - 1:,}" if rows > 1 else "row 0 only" if rows else "no rows"


def out_of_range_ids(run: CodeRun, V: int) -> list[InvalidValue]:
    """Return the elements of the tensor `ids` that are out of range for a token embedding table of V rows."""
    ids = flatten_with_index(run.variables["ids"].tolist())
    outside = ((index, i) for index, i in ids if not 0 <= i < V)
    return all_invalid(outside, f"the token embedding table has {row_range(V)}")


def mismatched_size(run: CodeRun, name: str, axis: int, reason: str) -> InvalidValue:
    """Return the size of one axis of the tensor `name` as the invalid value."""
    return InvalidValue(f"{name}.shape", (axis,), run.variables[name].shape[axis], reason)


def all_invalid(ids: Iterable[tuple[tuple[int, ...], Any]], reason: str) -> list[InvalidValue]:
    """Return every ID, given with its index, as an invalid value."""
    return [InvalidValue("ids", index, value, reason) for index, value in ids]


def ids_with_rows(run: CodeRun, rows: set[int], reason: str) -> list[InvalidValue]:
    """Return the elements of the tensor `ids` [1, T] whose row is one of `rows`."""
    ids = enumerate(run.variables["ids"][0].tolist())
    return [InvalidValue("ids", (0, t), row, reason) for t, row in ids if row in rows]
