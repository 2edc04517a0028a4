"""Sums and products that fail, or worse, that do not: positions past the end, axes that clash or stretch."""

from components.core.exhibit import Run
from components.core.failure import ON_GPU, Case, Offender, Parameter, failure, rows_named, shape, token_table
from components.core.kinds import Whole

EXTRA = Parameter(Whole("how many too many", 1, 64), 1)
B = Parameter(Whole("B", 1, 64), 2)
SEVERAL = Parameter(Whole("T", 2, 1_024), 4)
FEW = Parameter(Whole("T", 2, 8), 4)
SHORT = Parameter(Whole("D", 1, 16), 3)


def drawn(names: str, sizes: str, **shapes: str) -> str:
    """Return the lines that draw tensors of these shapes."""
    tensors = "".join(f"{name} = torch.randn({size}, generator=draw)\n" for name, size in shapes.items())
    return f"import torch\n\n{names} = {sizes}\ndraw = torch.Generator().manual_seed(123)\n{tensors}"


@failure("A sequence longer than the position table", extra=EXTRA)
def past_position_table(V: int, D: int, T: int, seed: int, extra: int) -> Case:
    length = T + extra
    code = token_table(V, D, seed).replace("V, D =", "V, D, T =").replace(f" {D}\n", f" {D}, {T}\n") + (
        "P = torch.randn(T, D, generator=draw)\n"
        "position_table = nn.Embedding.from_pretrained(P)\n"
        f"ids = torch.arange({length})[None] % V  # [1, {length}]\n"
        "places = torch.arange(ids.shape[1])\n"
        "token_table(ids) + position_table(places)\n"
    )
    why = f"the position table {rows_named(T)}"
    return Case(
        thought=f"Every ID is below V = {V:,}, so every lookup finds its row.",
        code=code,
        offending=lambda run: [Offender("places", (t,), t, why) for t in range(T, length)],
        explain=lambda run: (
            f"The words are those of a bad token ID, but every ID is fine. There are two tables: {length:,} tokens ask "
            f"the position table for rows 0 to {length - 1:,}, and it {rows_named(T)}. Only the call that the "
            "traceback names tells them apart."
        ),
        repair=code.replace("places = torch", "ids = ids[:, -T:]\nplaces = torch"),
        change=f"The last T = {T:,} are kept. A longer table works as well, but its new rows are untrained.",
        gpu=ON_GPU["lookup"],
    )


@failure("Positions for more places than there are tokens", B=B, T=SEVERAL, extra=EXTRA)
def cannot_broadcast(B: int, T: int, D: int, extra: int) -> Case:
    code = drawn("B, T, D", f"{B}, {T}, {D}", token="B, T, D", position=f"T + {extra}, D") + "token + position\n"
    return Case(
        thought=f"There are positions for all T = {T:,} tokens; the rest is left over.",
        code=code,
        offending=lambda run: [
            shape(run, "token", 1, f"against {T + extra:,} positions"),
            shape(run, "position", 0, f"against {T:,} tokens"),
        ],
        explain=lambda run: (
            f"Shapes are compared from the last axis backwards. D = {D:,} meets D = {D:,}; then T = {T:,} meets "
            f"{T + extra:,}: neither equal nor 1, so nothing can be stretched and nothing is cut off. The dimension "
            "in the message is the axis of the result, counted from 0."
        ),
        repair=code.replace("token + position", "token + position[:T]"),
        change="The first T rows, which is what looking up places 0 to T - 1 gives.",
        gpu=ON_GPU["checked"],
    )


@failure("Vectors of 256 and 255 numbers", width=Parameter(Whole("D of the tokens", 3, 1_024), 256))
def dim_mismatch(width: int) -> Case:
    code = drawn("B, T, D", f"2, 4, {width}", token="B, T, D", position=f"T, {width - 1}") + "token + position\n"
    return Case(
        thought=f"One number in {width:,} will not matter.",
        code=code,
        offending=lambda run: [
            shape(run, "token", 2, f"against {width - 1:,} of the positions"),
            shape(run, "position", 1, f"against {width:,} of the tokens"),
        ],
        explain=lambda run: (
            f"Token and position are added number by number, so both need the same D. {width:,} and {width - 1:,} are "
            "neither equal nor 1. Two numbers set in two files of settings end here."
        ),
        repair=code.replace(f"T, {width - 1}", "T, D"),
        change="One D for both tables.",
        gpu=ON_GPU["checked"],
    )


@failure("unsqueeze(1) on one sequence", T=FEW, D=SHORT)
def silent_pairs(T: int, D: int) -> Case:
    code = drawn("T, D", f"{T}, {D}", token="T, D", position="T, D")
    code += "position = position.unsqueeze(1)  # [T, 1, D]\ntoken + position\n"
    return Case(
        thought="An axis of size 1 fits everywhere, so it does not matter where it is put.",
        code=code,
        offending=lambda run: [shape(run, "position", 1, "it is stretched to every token")],
        explain=lambda run: (
            f"Nothing is raised. [{T}, {D}] counts as [1, {T}, {D}], and [{T}, 1, {D}] meets it: both are stretched to "
            f"[{T}, {T}, {D}]. Every token is added to every position, {T * T} vectors instead of {T}; only those on "
            "the diagonal, result[t, t], are the sum that was meant."
        ),
        repair=code.replace("position = position.unsqueeze(1)  # [T, 1, D]\n", ""),
        change="One sequence needs no new axis: [T, D] + [T, D]. For a batch it belongs in front, unsqueeze(0).",
        gpu=ON_GPU["silent"],
    )


@failure("unsqueeze(1) on a batch with B = T", T=FEW, D=SHORT)
def silent_batch(T: int, D: int) -> Case:
    code = drawn("B, T, D", f"{T}, {T}, {D}", token="B, T, D", position="T, D")
    code += "position = position.unsqueeze(1)  # [T, 1, D]\ntoken + position\n"
    return Case(
        thought="An axis of size 1 fits everywhere; torch puts it where it belongs.",
        code=code,
        offending=lambda run: [shape(run, "position", 1, "it is stretched to every place")],
        explain=lambda run: (
            "Nothing is raised, and even the shape is right. But the T rows stand where the batch is: sequence b got "
            "row b of the positions at all of its places, and every token of a sequence is moved by the same vector. "
            f"With a B that is neither T = {T} nor 1, torch would have refused: it passes in some batches only."
        ),
        repair=code.replace("unsqueeze(1)  # [T, 1, D]", "unsqueeze(0)  # [1, T, D]"),
        change="The new axis belongs in front, where the batch is.",
        gpu=ON_GPU["silent"],
    )


def one_hot(V: int, D: int, ids: str, how: str) -> str:
    """Return the lines that multiply one-hot rows by a table [V, D]."""
    return drawn("V, D", f"{V}, {D}", W="V, D").replace("\n\n", "\nfrom torch.nn import functional as F\n\n", 1) + (
        f"ids = torch.tensor({ids})\nhot = F.one_hot({how}\nhot @ W\n"
    )


@failure("one_hot without num_classes", V=Parameter(Whole("V", 3, 200_019), 6))
def one_hot_without_num_classes(V: int, D: int) -> Case:
    code = one_hot(V, D, f"[0, 1, {V - 2}]", "ids).float()")
    return Case(
        thought="one_hot knows how many columns the table needs.",
        code=code,
        offending=lambda run: [
            shape(run, "hot", 1, f"the largest ID of this batch is {V - 2:,}"),
            shape(run, "W", 0, "the rows of the table"),
        ],
        explain=lambda run: (
            f"Without num_classes there are as many columns as the largest ID of the batch needs: {V - 2:,} + 1 = "
            f"{V - 1:,}, and the table has V = {V:,} rows. A batch with ID {V - 1:,} in it would have passed, so this "
            "comes and goes with the data."
        ),
        repair=code.replace("one_hot(ids)", "one_hot(ids, num_classes=V)"),
        change="The number of columns comes from the table, not from the batch.",
        gpu=ON_GPU["checked"],
    )


@failure("Whole numbers times the table", V=Parameter(Whole("V", 2, 200_019), 6))
def one_hot_integers(V: int, D: int) -> Case:
    code = one_hot(V, D, f"[0, {V - 1}]", "ids, num_classes=V)")

    def dtypes(run: Run) -> list[Offender]:
        return [
            Offender(f"{name}.dtype", (), run.variables[name].dtype, f"times a tensor of {other}")
            for name, other in (("hot", "float32"), ("W", "int64"))
        ]

    return Case(
        thought="Zeros and ones are numbers; times 0.5 they give numbers.",
        code=code,
        offending=dtypes,
        explain=lambda run: (
            "one_hot gives int64, the table is float32, and @ converts neither: a matrix product wants one dtype. "
            "+ and * would have converted, which is why this one comes as a surprise."
        ),
        repair=code.replace("num_classes=V)", "num_classes=V).float()"),
        change="The one-hot rows become float32 like the table.",
        gpu=ON_GPU["checked"],
    )
