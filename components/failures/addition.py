"""Experiments with sums and matrix products: positions out of range, shapes that do not fit or that broadcast."""

from components.base.field_types import IntegerField
from components.base.limits import MAX_BATCH_SIZE, MAX_CONTEXT_LENGTH, MAX_DIM, MAX_VOCAB_SIZE
from components.failures.code_runner import CodeRun
from components.failures.experiment import V_FROM_2, Case, Parameter, experiment
from components.failures.gpu import ON_GPU
from components.failures.invalid_values import InvalidValue, mismatched_size, row_range
from components.failures.lookup import LOOKUPS

SUMS = (
    "Addition checks shapes, not meaning. Shapes that do not fit raise an exception; shapes that fit by accident raise "
    "nothing, so check shapes and values where tensors are created."
)
PRODUCTS = (
    "A matrix product does not broadcast these axes and converts no dtype. A lookup of the same IDs returns the rows "
    "of the table without any product."
)

EXTRA = Parameter(IntegerField("how many too many", 1, 64), 1)
B = Parameter(IntegerField("B", 1, MAX_BATCH_SIZE), 2)
SEVERAL = Parameter(IntegerField("T", 2, MAX_CONTEXT_LENGTH), 4)
FEW = Parameter(IntegerField("T", 2, 8), 4)
SHORT = Parameter(IntegerField("D", 1, 16), 3)
WIDTH = Parameter(IntegerField("D of the tokens", 3, MAX_DIM), 256)
V_FROM_3 = Parameter(IntegerField("V", 3, MAX_VOCAB_SIZE), 6)


@experiment("More tokens than positions", LOOKUPS, group="IDs and positions", extra=EXTRA)
def past_position_table(run: CodeRun, V: int, D: int, T: int, seed: int, extra: int) -> Case:
    length = T + extra
    reason = f"the position embedding table has {row_range(T)}"
    return Case(
        assumption=f"Every ID is below V = {V:,}, so every lookup finds its row.",
        invalid_values=[InvalidValue("positions", (t,), t, reason) for t in range(T, length)],
        explanation=(
            f"The message is that of an out-of-range token ID, but every ID is fine. There are two tables: {length:,} "
            f"tokens need rows 0 to {length - 1:,} of the position embedding table, and it has {row_range(T)}. Only "
            "the call that the traceback names shows which table failed."
        ),
        change=f"Only the last T = {T:,} tokens are used. A longer table works as well, but its new rows are "
        "untrained.",
        avoid=f"The remainder of the position, {T} % {T} = 0, gives token {T:,} the position embedding of token 0: the "
        "model cannot tell them apart by position.",
        gpu=ON_GPU["lookup"],
    )


@experiment("More positions than tokens", SUMS, group="Shapes", B=B, T=SEVERAL, extra=EXTRA)
def cannot_broadcast(run: CodeRun, B: int, T: int, D: int, extra: int) -> Case:
    return Case(
        assumption=f"There are position embeddings for all T = {T:,} tokens; the others are ignored.",
        invalid_values=[
            mismatched_size(run, "token", 1, f"against {T + extra:,} positions"),
            mismatched_size(run, "position", 0, f"against {T:,} tokens"),
        ],
        explanation=(
            f"Shapes are compared from the last axis backwards. D = {D:,} is compared with D = {D:,}; then T = {T:,} "
            f"with {T + extra:,}: neither equal nor 1, so nothing can be expanded and nothing is cut off. The "
            "dimension in the message is the axis of the result, counted from 0."
        ),
        change="The first T rows, the same as looking up positions 0 to T - 1.",
        gpu=ON_GPU["checked"],
    )


@experiment("Two embedding dimensions", SUMS, group="Shapes", width=WIDTH)
def dim_mismatch(run: CodeRun, width: int) -> Case:
    return Case(
        assumption=f"One number in {width:,} will not matter.",
        invalid_values=[
            mismatched_size(run, "token", 2, f"against {width - 1:,} of the positions"),
            mismatched_size(run, "position", 1, f"against {width:,} of the tokens"),
        ],
        explanation=(
            f"Token and position embeddings are added element by element, so both need the same D. {width:,} and "
            f"{width - 1:,} are neither equal nor 1. A common cause is D set in two different configuration files."
        ),
        change="One D for both tables.",
        gpu=ON_GPU["checked"],
    )


@experiment("unsqueeze(1) on one sequence", SUMS, group="Axes and bytes", T=FEW, D=SHORT)
def silent_pairs(run: CodeRun, T: int, D: int) -> Case:
    return Case(
        assumption="An axis of size 1 fits everywhere, so it does not matter where it is inserted.",
        invalid_values=[mismatched_size(run, "position", 1, "it is expanded to every token")],
        explanation=(
            f"Nothing is raised. [{T}, {D}] is treated as [1, {T}, {D}] and broadcast with [{T}, 1, {D}]: both are "
            f"expanded to [{T}, {T}, {D}]. Every token is added to every position, {T * T} vectors instead of {T}; "
            "only those on the diagonal, result[t, t], are the intended sum."
        ),
        change="One sequence needs no new axis: [T, D] + [T, D]. For a batch it must be the first one, unsqueeze(0).",
        gpu=ON_GPU["silent"],
    )


@experiment("unsqueeze(1) with B = T", SUMS, group="Axes and bytes", T=FEW, D=SHORT)
def silent_batch(run: CodeRun, T: int, D: int) -> Case:
    return Case(
        assumption="An axis of size 1 fits everywhere; torch inserts it where it belongs.",
        invalid_values=[mismatched_size(run, "position", 1, "it is expanded to every position")],
        explanation=(
            "Nothing is raised, and even the shape is correct. But the T rows are aligned with the batch axis: "
            "sequence b gets position embedding b at all of its positions, so the same vector is added to every token "
            f"of a sequence. With a B that is neither T = {T} nor 1, torch would raise an error: only some batches run."
        ),
        change="The new axis must be the first one, the batch axis.",
        gpu=ON_GPU["silent"],
    )


@experiment("one_hot without num_classes", PRODUCTS, group="Shapes", V=V_FROM_3)
def one_hot_without_num_classes(run: CodeRun, V: int, D: int) -> Case:
    return Case(
        assumption="one_hot determines how many columns the table needs.",
        invalid_values=[
            mismatched_size(run, "hot", 1, f"the largest ID of this batch is {V - 2:,}"),
            mismatched_size(run, "W", 0, "the rows of the table"),
        ],
        explanation=(
            f"Without num_classes there are as many columns as the largest ID of the batch needs: {V - 2:,} + 1 = "
            f"{V - 1:,}, and the table has V = {V:,} rows. A batch that contains ID {V - 1:,} would run without an "
            "error, so the failure depends on the data."
        ),
        change="The number of columns comes from the table, not from the batch.",
        gpu=ON_GPU["checked"],
    )


@experiment("Integer one-hot, float table", PRODUCTS, group="Dtypes", V=V_FROM_2)
def one_hot_integers(run: CodeRun, V: int, D: int) -> Case:
    return Case(
        assumption="Zeros and ones are numbers; multiplied by 0.5 they are numbers.",
        invalid_values=[
            InvalidValue(f"{name}.dtype", (), run.variables[name].dtype, f"times a tensor of {other}")
            for name, other in (("hot", "float32"), ("W", "int64"))
        ],
        explanation=(
            "one_hot returns int64, the table is float32, and @ converts neither: a matrix product needs one dtype. "
            "+ and * would convert, which is why this error is a surprise."
        ),
        change="The one-hot matrix is converted to float32 like the table.",
        gpu=ON_GPU["checked"],
    )
