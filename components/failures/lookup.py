"""Experiments with lookups that fail: IDs out of range, and IDs that are not integers in a tensor."""

from components.base.field_types import ChoiceField, IntegerField
from components.failures.code_runner import CodeRun
from components.failures.experiment import V_FROM_2, Case, Parameter, experiment
from components.failures.gpu import ON_GPU
from components.failures.invalid_values import all_invalid, out_of_range_ids, row_range
from components.text.nested_ids import flatten_with_index

LOOKUPS = (
    "The message names neither the ID nor the table. A model has two tables, for tokens and for positions, and both "
    "raise this message: the line in the traceback shows which one failed."
)

FAR = Parameter(IntegerField("rows past the end", 1, 10**12), 1_000_000)
BACK = Parameter(IntegerField("how far below 0", 1, 1_000), 1)
WRONG_DTYPE = Parameter(ChoiceField("dtype", ("float32", "float64", "float16", "bool", "uint8", "int16")), "float32")


@experiment("An ID equal to V", LOOKUPS, group="IDs and positions")
def id_equals_v(run: CodeRun, V: int, D: int, seed: int) -> Case:
    return Case(
        assumption=f"The table has {V:,} rows, so row {V:,} is the last one.",
        invalid_values=out_of_range_ids(run, V),
        explanation=(
            f"Row indices start at 0: a table with V = {V:,} has {row_range(V)}, and no row {V:,}. The message names "
            "neither the ID nor the table nor the limit; only the traceback shows which call failed."
        ),
        change=(
            "An ID out of range usually comes from a tokenizer that does not belong to this table: use the one that "
            "the table was trained with. If the vocabulary did grow, see “A token added to the tokenizer”."
        ),
        avoid=(
            f"One row more, the remainder, {V:,} % {V:,} = {V % V}, and clamp(max={V - 1}) raise nothing and hide the "
            "cause: the new row was never trained, and the others read the row of another token."
        ),
        gpu=ON_GPU["lookup"],
    )


@experiment("A token added to the tokenizer", LOOKUPS, group="IDs and positions")
def added_token(run: CodeRun, D: int, seed: int) -> Case:
    return Case(
        assumption="The tokenizer has <pad> now, so the model has it as well.",
        invalid_values=out_of_range_ids(run, 3),
        explanation=(
            "The tokenizer and the table are two objects: the tokenizer has 4 tokens now, the table still 3 rows. The "
            "new token has ID 3, and the rows are 0 to 2."
        ),
        change=(
            "The table gets a row as well. The mean of the others is a start that, in a large table, is not much like "
            "any single token. Then it must be trained. (transformers: resize_token_embeddings.)"
        ),
        avoid=(
            "The remainder, 3 % 3 = 0, reads the row of “the” for every <pad>, and raises nothing. A random row is no "
            "harmless start either: see “A new random row”."
        ),
        gpu=ON_GPU["lookup"],
    )


@experiment("An ID far above V", LOOKUPS, group="IDs and positions", V=V_FROM_2, far=FAR)
def id_far_above(run: CodeRun, V: int, D: int, seed: int, far: int) -> Case:
    return Case(
        assumption="An ID is a name for a token; any integer will do.",
        invalid_values=out_of_range_ids(run, V),
        explanation=(
            f"An ID is not a name but a row index, and the rows are 0 to {V - 1:,}. A table does not grow, and a "
            "lookup neither hashes nor wraps an ID. Typical causes are database keys, and the IDs of another "
            "tokenizer: GPT-2's go up to 50,256."
        ),
        change=(
            "The distinct IDs are numbered from 0, and each gets a row. IDs of another tokenizer need its table "
            "instead, or the text encoded again."
        ),
        avoid=(
            f"The remainder, {V - 1 + far} % {V} = {(V - 1 + far) % V}, reads the row of another token: many IDs then "
            "share a row, and nothing is raised."
        ),
        gpu=ON_GPU["lookup"],
    )


@experiment("An ID of −1", LOOKUPS, group="IDs and positions", back=BACK)
def negative_id(run: CodeRun, V: int, D: int, seed: int, back: int) -> Case:
    return Case(
        assumption=f"{-back} counts from the end, as in a Python list.",
        invalid_values=out_of_range_ids(run, V),
        explanation=(
            "Indexing wraps, a lookup does not: token_table.weight[-1] is the last row, token_table(torch.tensor(-1)) "
            "raises an error, with the same message as for an ID that is too large. "
            + (
                "A typical cause is a −1 that marks padding or an unknown word in the data."
                if back <= V
                else f"And {-back} is before the first of {V:,} rows, so indexing would fail as well."
            )
        ),
        change=(
            f"If {-back} marks padding, the padding gets a row of its own, {V:,}, which is also its padding_idx. If it "
            "marks an unknown word, that word needs a row in the same way."
        ),
        avoid=(
            f"The remainder hides the bug: {-back} % {V} is {-back % V}, the row of another token, unless the ID does "
            "count from the end. clamp(min=0) would read row 0."
        ),
        gpu=ON_GPU["lookup"],
    )


@experiment("IDs of another dtype", LOOKUPS, group="Dtypes", V=V_FROM_2, wrong_dtype=WRONG_DTYPE)
def float_ids(run: CodeRun, V: int, D: int, seed: int, wrong_dtype: str) -> Case:
    return Case(
        assumption=f"0 and 1 are 0 and 1 in every dtype, torch.{wrong_dtype} included.",
        invalid_values=all_invalid(
            flatten_with_index(run.variables["ids"].tolist()), f"dtype {wrong_dtype}, not int64 or int32"
        ),
        explanation=(
            "A lookup takes int64 or int32 (torch calls them Long and Int) and nothing else, even if all values are "
            "whole numbers. A list of Python floats becomes float32, a comparison returns bool, and bytes read from a "
            "file are uint8."
        ),
        change="long() converts them to int64."
        + (" It truncates fractions silently: make sure there are none." if "float" in wrong_dtype else ""),
        gpu=ON_GPU["checked"],
    )


@experiment("A list instead of a tensor", LOOKUPS, group="Lists and tensors", V=V_FROM_2)
def list_not_tensor(run: CodeRun, V: int, D: int, seed: int) -> Case:
    return Case(
        assumption="A list of lists is a batch [B, T] as well.",
        invalid_values=all_invalid(flatten_with_index(run.variables["ids"]), "in a list, not in a tensor"),
        explanation=(
            "nn.Embedding passes its input on unchanged, and the function that it calls takes only tensors. The "
            "message counts that function's arguments: the table comes first, the IDs second."
        ),
        change="torch.tensor turns the list into a tensor; Python integers become int64.",
        gpu=ON_GPU["checked"],
    )
