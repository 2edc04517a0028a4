"""The experiment that the learner builds: any V, D and T, any IDs, and both tables."""

from typing import Any

from components.core.exhibit import Run
from components.core.failure import (
    IDS_DTYPES,
    ON_GPU,
    Case,
    Offender,
    Parameter,
    dtypes,
    every,
    failure,
    rows_named,
    token_table,
)
from components.core.kinds import Line, Whole
from components.core.limits import MAX_CONTEXT_LENGTH, MAX_DIM, MAX_LAB_CELLS, MAX_LINE_CHARS, MAX_VOCAB_SIZE
from components.core.nested import leaves, parse_nested, rows_of

AS_TYPED = "as typed"
# The whole numbers that each dtype holds.
WHOLE = {f"int{bits}": (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) for bits in (64, 32, 16)} | {"uint8": (0, 255)}


@failure(
    "Your own",
    ids=Parameter(Line("IDs", MAX_LINE_CHARS), "2 3 6 1"),
    dtype=dtypes(AS_TYPED, "int64", "int32", "int16", "uint8", "float32", "bool"),
    V=Parameter(Whole("V", 0, MAX_VOCAB_SIZE), 6),
    D=Parameter(Whole("D", 0, MAX_DIM), 3),
    T=Parameter(Whole("T", 0, MAX_CONTEXT_LENGTH), 4),
)
def own(V: int, D: int, T: int, dtype: str, ids: str, seed: int) -> Case:
    typed = parse_nested(ids)
    return Case(
        thought="What is typed here is a batch like any other.",
        code=program(typed, "" if dtype == AS_TYPED else f", dtype=torch.{dtype}", V, D, T, seed),
        offending=lambda run: offending(typed, dtype, run, V, D, T),
        explain=lambda run: explain(typed, dtype, run, V, T),
        repair=repaired(typed, V, D, T, seed),
        change=(
            "Whole numbers in rows of one length, as int64; V, D and T large enough where that is possible, and row "
            "0, the unknown token, for what has no row."
        ),
        gpu=(
            "Types and shapes are compared at once, as here. An ID or a place without a row is different. "
            + ON_GPU["lookup"]
        ),
        ids=typed,
    )


def program(ids: list, dtype: str, V: int, D: int, T: int, seed: int) -> str:
    """Return the lines that draw both tables, look up the IDs and add the positions."""
    tables = token_table(V, D, seed).replace(f"V, D = {V}, {D}", f"V, D, T = {V}, {D}, {T}")
    return tables + (
        "P = torch.randn(T, D, generator=draw)\n"
        "position_table = nn.Embedding.from_pretrained(P)\n"
        f"ids = torch.tensor({ids!r}{dtype})\n"
        "places = torch.arange(ids.shape[-1])\n"
        "token_table(ids) + position_table(places)\n"
    )


def repaired(ids: list, V: int, D: int, T: int, seed: int) -> str:
    """Return a program that works, as close to what was typed as may be."""
    rows = [[_row(value, V, D) for _, value in row] for _, row in rows_of(ids)]
    length = max(1, *map(len, rows))
    rows = [row + [0] * (length - len(row)) for row in rows]
    V, D, T = max(V, 1, *(value + 1 for row in rows for value in row)), max(D, 1), max(T, length)
    flat = len(rows) == 1 and not any(isinstance(part, list) for part in ids)
    return program(rows[0] if flat else rows, ", dtype=torch.int64", V, D, T, seed)


def _row(value: Any, V: int, D: int) -> int:
    """Return the row for what was typed: its whole part where a table can have that many rows, else row 0."""
    most = max(V, min(MAX_VOCAB_SIZE, MAX_LAB_CELLS // max(D, 1)))
    return int(value) if 0 <= value < most else 0


def offending(ids: list, dtype: str, run: Run, V: int, D: int, T: int) -> list[Offender]:
    """Return what made this run fail, or what came out without meaning anything, in the order in which it was typed."""
    if run.failed.startswith("torch.tensor"):
        return no_rectangle(ids) or unfit(ids, dtype)
    tensor = run.variables["ids"]
    if not takes(tensor):
        return every(leaves(ids), f"becomes a {tensor.dtype}, not int64 or int32")
    if run.failed.startswith("token_table"):
        why = f"the token table {rows_named(V)}"
        return [Offender("ids", place, value, why) for place, value in leaves(ids) if not 0 <= int(value) < V]
    if run.failed:
        why = f"the position table {rows_named(T)}"
        return [Offender("places", (t,), t, why) for t in run.variables["places"].tolist() if t >= T]
    cut = [(place, value) for place, value in leaves(ids) if value != int(value)]
    empty = [Offender("D", (), 0, "every vector is empty")] if D == 0 and tensor.numel() else []
    return empty + [Offender("ids", place, value, f"{dtype} keeps {int(value)}") for place, value in cut]


def no_rectangle(ids: list) -> list[Offender]:
    """Return the numbers in rows that do not fit the first: of another length, or at another depth."""
    rows = list(rows_of(ids))
    first, length = rows[0][0], len(rows[0][1])
    found = []
    for where, row in rows:
        why = f"in a row of {len(row)}, the first row has {length}"
        if len(where) != len(first):
            why = "in lists of another depth than the first"
        if len(where) != len(first) or len(row) != length:
            found += every(row, why)
    return found


def unfit(ids: list, dtype: str) -> list[Offender]:
    """Return the numbers that the dtype cannot hold."""
    low, high = WHOLE.get(dtype, WHOLE["int64"])
    why = f"does not fit {'int64' if dtype == AS_TYPED else dtype}, which holds {low:,} to {high:,}"
    return every(((place, value) for place, value in leaves(ids) if not low <= value <= high), why)


def takes(tensor: Any) -> bool:
    """Return whether a lookup takes IDs of this tensor's dtype."""
    return str(tensor.dtype).removeprefix("torch.") in IDS_DTYPES


def explain(ids: list, dtype: str, run: Run, V: int, T: int) -> str:
    """Return why this run failed, told by the expression that did; or what came out."""
    if not run.exception:
        shape = list(run.result.shape)
        if not run.result.numel():
            return f"Nothing is raised, and nothing comes out: the result {shape} holds no numbers."
        cut = any(value != int(value) for _, value in leaves(ids))
        note = " The fractions were cut off without a word." if cut else ""
        return f"Nothing is raised: every ID and every place has a row. The result is {shape}.{note}"
    if run.failed.startswith("torch.tensor"):
        if unfit(ids, dtype) and not no_rectangle(ids):
            return "There is no tensor yet: each dtype holds numbers of a certain size, and not all of these fit."
        return (
            "There is no tensor yet: a tensor is a rectangle, and these rows differ in length or depth. Shorter rows "
            "need padding."
        )
    tensor = run.variables["ids"]
    if not takes(tensor):
        empty = " An empty list becomes float32." if not tensor.numel() else ""
        return f"The IDs are {tensor.dtype}; a lookup takes int64 or int32 only.{empty}"
    length = len(run.variables["places"])
    if run.failed.startswith("token_table"):
        after = (
            f" The position table was not asked yet; it {rows_named(T)} and would fail next, at place {T:,}."
            if length > T
            else ""
        )
        return f"It is the token table that failed: it {rows_named(V)}, and none for what is marked here.{after}"
    return (
        f"Every ID has its row; it is the position table that failed. Rows of {length:,} IDs ask for places 0 to "
        f"{length - 1:,}, and it {rows_named(T)}."
    )
