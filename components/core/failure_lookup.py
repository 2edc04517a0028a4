"""Lookups that fail: IDs without a row, and IDs that are not whole numbers in a tensor."""

from components.core.failure import ON_GPU, Case, Parameter, dtypes, every, failure, outside, rows_named, token_table
from components.core.kinds import Whole
from components.core.nested import leaves


@failure("An ID equal to V")
def id_equals_v(V: int, D: int, seed: int) -> Case:
    code = token_table(V, D, seed) + f"ids = torch.tensor([[0, {V - 1}, {V}]])\ntoken_table(ids)\n"
    return Case(
        thought=f"The table has {V:,} rows, so row {V:,} is the last one.",
        code=code,
        offending=lambda run: outside(run, V),
        explain=lambda run: (
            f"Rows count from 0: a table with V = {V:,} {rows_named(V)}, and no row {V:,}. The message names neither "
            "the ID nor the table nor the limit; only the traceback says which call it was."
        ),
        repair=code.replace(f"V, D = {V},", f"V, D = {V + 1},"),
        change="One row more: V must be larger than the largest ID.",
        gpu=ON_GPU["lookup"],
    )


FAR = Parameter(Whole("rows past the end", 1, 10**12), 1_000_000)


@failure("An ID far above V", V=Parameter(Whole("V", 2, 200_019), 6), far=FAR)
def id_far_above(V: int, D: int, seed: int, far: int) -> Case:
    code = token_table(V, D, seed) + f"ids = torch.tensor([[1, {V - 1 + far}]])\ntoken_table(ids)\n"
    return Case(
        thought="An ID is a name for a token; any whole number will do.",
        code=code,
        offending=lambda run: outside(run, V),
        explain=lambda run: (
            f"An ID is no name but the number of a row, and the rows are 0 to {V - 1:,}. A table does not grow, and it "
            "does not hash or wrap what it is asked for. Database keys end up here, and so do the IDs of another "
            "tokenizer: GPT-2's go up to 50,256."
        ),
        repair=code.replace("\ntoken_table(ids)", "\nknown, rows = ids.unique(return_inverse=True)\ntoken_table(rows)"),
        change=(
            "The distinct IDs are numbered from 0, and each gets a row. IDs of another tokenizer need its table "
            "instead, or the text encoded again."
        ),
        gpu=ON_GPU["lookup"],
    )


@failure("An ID of −1", back=Parameter(Whole("how far below 0", 1, 1_000), 1))
def negative_id(V: int, D: int, seed: int, back: int) -> Case:
    code = token_table(V, D, seed) + f"ids = torch.tensor([[0, {-back}]])\ntoken_table(ids)\n"
    return Case(
        thought=f"{-back} counts from the end, as in a Python list.",
        code=code,
        offending=lambda run: outside(run, V),
        explain=lambda run: (
            "Indexing wraps, a lookup does not: token_table.weight[-1] is the last row, token_table(torch.tensor(-1)) "
            "is an error, in the same words as for an ID that is too large. "
            + (
                "A −1 that marks a gap or an unknown word in the data ends here."
                if back <= V
                else f"And {-back} lies before the first row of {V:,}, so indexing would fail as well."
            )
        ),
        repair=code.replace("token_table(ids)", "token_table(ids % V)"),
        change=(
            f"Where counting from the end was meant, the remainder says so: {-back} % {V} is {-back % V}. Where the "
            "number marks a gap, give the gap a row and name that row as padding_idx."
        ),
        gpu=ON_GPU["lookup"],
    )


@failure(
    "IDs of another dtype",
    V=Parameter(Whole("V", 2, 200_019), 6),
    wrong_dtype=dtypes("float32", "float64", "float16", "bool", "uint8", "int16"),
)
def float_ids(V: int, D: int, seed: int, wrong_dtype: str) -> Case:
    code = token_table(V, D, seed) + f"ids = torch.tensor([[0, 1, 1]], dtype=torch.{wrong_dtype})\ntoken_table(ids)\n"
    return Case(
        thought=f"0 and 1 are 0 and 1 in every type, torch.{wrong_dtype} included.",
        code=code,
        offending=lambda run: every(leaves(run.variables["ids"].tolist()), f"dtype {wrong_dtype}, not int64 or int32"),
        explain=lambda run: (
            "A lookup takes int64 or int32 (torch calls them Long and Int) and nothing else, however whole the numbers "
            "are. A list of Python floats becomes float32, a comparison gives bool, and a file of bytes uint8."
        ),
        repair=code.replace("token_table(ids)", "token_table(ids.long())"),
        change="long() makes them int64."
        + (" It cuts fractions off without a word: be sure that there were none." if "float" in wrong_dtype else ""),
        gpu=ON_GPU["checked"],
    )


@failure("A list instead of a tensor", V=Parameter(Whole("V", 2, 200_019), 6))
def list_not_tensor(V: int, D: int, seed: int) -> Case:
    code = token_table(V, D, seed) + "ids = [[0, 1]]\ntoken_table(ids)\n"
    return Case(
        thought="A list of lists is a batch [B, T] as well.",
        code=code,
        offending=lambda run: every(leaves(run.variables["ids"]), "in a list, not in a tensor"),
        explain=lambda run: (
            "nn.Embedding hands its input on as it is, and the function behind it takes tensors only. The message "
            "counts that function's arguments: the table comes first, the IDs second."
        ),
        repair=code.replace("ids = [[0, 1]]", "ids = torch.tensor([[0, 1]])"),
        change="torch.tensor makes a tensor of the list; whole numbers become int64.",
        gpu=ON_GPU["checked"],
    )
