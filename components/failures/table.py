"""Experiments with tables that are wrong from the start: no rows, no columns, or a padding_idx out of range."""

from components.base.field_types import IntegerField
from components.failures.code_runner import CodeRun
from components.failures.experiment import V_FROM_2, Case, Parameter, experiment
from components.failures.invalid_values import InvalidValue, mismatched_size, out_of_range_ids, row_range

TABLES = (
    "A table that is wrong from the start may raise an error when it is built, fail at its first lookup, or raise "
    "nothing at all, so check V, D and padding_idx where they are set."
)

EMPTY_ON_GPU = "Unknown: we found no source on empty tables on a GPU, and this page runs on a CPU."
IN_PYTHON = "The same: Python checks this number when the table is built, before any lookup on any device."
BEYOND = Parameter(IntegerField("rows past the end", 1, 1_000), 1)


@experiment("A table with V = 0", TABLES, group="Shapes")
def no_rows(run: CodeRun, D: int, seed: int) -> Case:
    return Case(
        assumption="torch raises an error when a table without rows is built.",
        invalid_values=out_of_range_ids(run, 0),
        explanation=(
            f"The table [0, {D}] is built without an error; the first lookup fails, and its message is not that of an "
            "ID out of range. A typical cause is an empty vocabulary, for example from an empty file, far from here."
        ),
        change="Even one token needs one row. Check the vocabulary where it is built.",
        gpu=EMPTY_ON_GPU,
    )


@experiment("A table with D = 0", TABLES, group="Axes and bytes", V=V_FROM_2)
def no_columns(run: CodeRun, V: int, seed: int) -> Case:
    return Case(
        assumption="A vector needs at least one element, so torch raises an error for D = 0.",
        invalid_values=[mismatched_size(run, "W", 1, "every vector is empty")],
        explanation=(
            f"Nothing is raised: the table [{V:,}, 0] is built, and the lookup returns vectors without elements, "
            "[1, 2, 0]. Every later step works with empty tensors. A size computed with // may silently be 0: "
            "dim // heads, for example."
        ),
        change="At least one element for each vector. Check D where it is computed.",
        gpu=EMPTY_ON_GPU,
    )


@experiment("padding_idx outside the table", TABLES, group="padding_idx", beyond=BEYOND)
def padding_idx_outside(run: CodeRun, V: int, D: int, seed: int, beyond: int) -> Case:
    padding_idx = V - 1 + beyond
    reason = f"the token embedding table has {row_range(V)}"
    return Case(
        assumption=f"padding_idx is a marker outside the vocabulary, so {padding_idx:,} is free.",
        invalid_values=[InvalidValue("padding_idx", (), padding_idx, reason)],
        explanation=(
            "padding_idx is a row index like any other ID: the row that gets no gradient, and that a new nn.Embedding "
            f"fills with zeros. So it must be a row of the table, which has {row_range(V)}; a negative number counts "
            "from the end. It masks nothing in attention; that is another setting."
        ),
        change="The padding gets a row of its own.",
        gpu=IN_PYTHON,
    )


@experiment("padding_idx = −1", TABLES, group="Training")
def padding_idx_negative(run: CodeRun, V: int, D: int, seed: int) -> Case:
    return Case(
        assumption="−1 means that there is no padding.",
        invalid_values=[
            InvalidValue("token_table.padding_idx", (), run.variables["token_table"].padding_idx, "the last row")
        ],
        explanation=(
            f"Nothing is raised. Here −1 does count from the end, unlike in a lookup: it means row {V - 1:,}, the last "
            "one. That row now gets the gradient 0, so its token never learns, and there is no warning."
        ),
        change="None, the default, means that there is no padding. The row's gradient is no longer 0.",
        gpu=IN_PYTHON,
    )
