"""The experiment that the learner builds: any V, D and T, any IDs, and both tables."""

import sys
from collections import Counter
from collections.abc import Sequence
from itertools import zip_longest
from typing import Any

from components.base.field_types import ChoiceField, TextField
from components.base.limits import MAX_CONTEXT_LENGTH, MAX_DIM, MAX_LAB_CELLS, MAX_LINE_CHARS, MAX_VOCAB_SIZE
from components.base.text_format import numbered, pluralize
from components.failures.cases import IDS_DTYPES, all_invalid, row_range
from components.failures.code_runner import CodeRun
from components.failures.experiment import InvalidValue, Parameter, Result, experiment, whole_number
from components.text.nested_ids import flatten_with_index, parse_nested, rows_of

AS_TYPED = "as typed"
DTYPES = (AS_TYPED, "int64", "int32", "int16", "uint8", "float32", "bool")


def arguments(V: int, D: int, T: int, dtype: str, ids: str, seed: int) -> dict[str, Any]:
    """Return the typed IDs, and sizes and IDs close to what was typed with which the program runs without an error.

    Of a typed value the integer part is used if a table can have that many rows, else row 0.
    """
    typed = parse_nested(ids)
    most = max(V, min(MAX_VOCAB_SIZE, MAX_LAB_CELLS // max(D, 1)))
    rows = [[int(value) if 0 <= value < most else 0 for _, value in row] for _, row in rows_of(typed)]
    length = max(1, *map(len, rows))
    rows = [row + [0] * (length - len(row)) for row in rows]
    sizes = max(V, 1, *(value + 1 for row in rows for value in row)), max(D, 1), max(T, length)
    is_flat = len(rows) == 1 and not any(isinstance(part, list) for part in typed)
    return {"typed_ids": typed, "fixed_sizes": sizes, "fixed_ids": rows[0] if is_flat else rows}


@experiment(
    more=arguments,
    ids=Parameter(TextField("IDs", MAX_LINE_CHARS), "2 3 6 1"),
    dtype=Parameter(ChoiceField("dtype", DTYPES), AS_TYPED),
    V=whole_number("V", 0, MAX_VOCAB_SIZE, 6),
    D=whole_number("D", 0, MAX_DIM, 3),
    T=whole_number("T", 0, MAX_CONTEXT_LENGTH, 4),
)
def own(run: CodeRun, V: int, D: int, T: int, dtype: str, ids: str, seed: int) -> Result:
    invalid_values, explanation = cause(run.variables["typed_ids"], dtype, run, V, D, T)
    looked_up = run.failed.startswith("token_table")
    out_of_range = looked_up and str(run.variables["ids"].dtype) in IDS_DTYPES
    made = arguments(V, D, T, dtype, ids, seed)
    pairs = zip(flatten_with_index(made["typed_ids"]), flatten_with_index(made["fixed_ids"]), strict=False)
    replaced = looked_up and any(int(typed) != used for (_, typed), (_, used) in pairs)
    return invalid_values, {"explanation": explanation, "replaced": replaced, "grown": out_of_range and not replaced}


def cause(ids: list, dtype: str, run: CodeRun, V: int, D: int, T: int) -> tuple[list[InvalidValue], str]:
    """Return the values that made the run fail, or that lost their meaning silently, in the typed order; and why."""
    values = list(flatten_with_index(ids))
    if run.failed.startswith("torch.tensor"):
        ragged = ragged_rows(ids)
        if ragged and "overflow" not in run.raised.lower():  # torch stops at what comes first
            why = "A tensor needs lists of equal length, and these differ in length or depth. Shorter "
            return ragged, why + "ones need padding."
        why = "There is no tensor yet: each dtype has a range of values, and not all of these numbers are in it."
        return out_of_dtype_range(values, dtype), why
    tensor, positions = run.variables["ids"], run.variables["positions"].tolist()
    if str(tensor.dtype) not in IDS_DTYPES:
        why = f"The IDs are {tensor.dtype}; a lookup takes int64 or int32 only."
        why += " An empty list becomes float32." if not values and dtype == AS_TYPED else ""
        stored = zip_longest(values, tensor.flatten().tolist(), fillvalue="nothing")  # [[], 0] has no number
        reason = f"({tensor.dtype}), not as int64 or int32"
        return [InvalidValue("ids", index, value, f"stored as {now} {reason}") for (index, value), now in stored], why
    if run.failed.startswith("token_table"):
        found = [(index, value) for index, value in values if not 0 <= int(value) < V]
        marked = "marked IDs are" if len(found) > 1 else "marked ID is"
        why = f"The token lookup failed: the table has {row_range(V)}, and the {marked} out of range."
        if D == 0 < V:
            why += " With D = 0 another part of torch finds this, and raises another exception."
        if len(positions) > T:
            why += f" The position embedding table was not reached; it has {row_range(T)} and would fail next, at "
            why += f"position {T:,}."
        return all_invalid(found, f"the token embedding table has {row_range(V)}"), why
    if run.failed:
        reason = f"the position embedding table has {row_range(T)}"
        why = "Every ID is in range; the position lookup failed. "
        need = f"need{'s' * (len(positions) == 1)} {numbered('position', 0, len(positions) - 1)}"
        why += f"{pluralize(len(positions), 'ID')} in a sequence {need}; the table has {row_range(T)}."
        return [InvalidValue("positions", (t,), t, reason) for t in positions if t >= T], why
    fractions = [
        InvalidValue("ids", index, value, f"{dtype} stores {int(value)}")
        for index, value in values
        if value != int(value)
    ]
    shape = list(run.result.shape)
    if not run.result.numel():
        empty = [InvalidValue("D", (), 0, "every vector is empty")] if D == 0 and values else []
        return empty + fractions, f"Nothing is raised, and the result {shape} has no elements."
    note = " The fractions were truncated silently." if fractions else ""
    return fractions, f"Nothing is raised: every ID and every position is in range. The result is {shape}.{note}"


def ragged_rows(ids: list) -> list[InvalidValue]:
    """Return the numbers in rows, or in lists of rows, that differ from the first one in length or in depth."""
    rows = (first_index, first), *others = [*rows_of(ids)]
    found = []
    for index, row in others:
        if len(index) != len(first_index):
            found += all_invalid(row or [(index, [])], "in lists of another depth than the first")
        elif len(row) != len(first):
            found += all_invalid(row or [(index, [])], f"in a list of {len(row)}; the first has {len(first)}")
    for depth in range(1, len(first_index)) if not found else ():
        lengths = Counter(index[:depth] for index in {index[: depth + 1] for index, _ in rows})
        for index, row in others:
            if lengths[index[:depth]] != lengths[first_index[:depth]]:
                found += all_invalid(row, "in a list of another length than the first")
    return found


def out_of_dtype_range(values: Sequence[tuple[tuple[int, ...], Any]], dtype: str) -> list[InvalidValue]:
    """Return the numbers, given with their index, that the dtype cannot represent.

    A float32 of a larger number is infinity; Python's float, from which torch makes it, has a largest integer.
    """
    if dtype == "float32" or (dtype == AS_TYPED and any(isinstance(value, float) for _, value in values)):
        most = sys.float_info.max
        found = [(index, value) for index, value in values if abs(value) > most]
        return all_invalid(found, f"out of range for a float ({-most:.2} to {most:.2})")
    bits = {"int32": 31, "int16": 15}.get(dtype, 63)
    low, high = (0, 255) if dtype == "uint8" else (-(2**bits), 2**bits - 1)
    reason = f"out of range for {'int64' if dtype == AS_TYPED else dtype} ({low:,} to {high:,})"
    return all_invalid(((index, i) for index, i in values if not low <= i <= high), reason)
