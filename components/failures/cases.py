"""The experiments of the catalogue: what is invalid in a run of each, and the facts that its texts need."""

import re
from collections.abc import Iterable
from typing import Any

from components.base.field_types import ChoiceField, TextField
from components.base.limits import MAX_BATCH_SIZE, MAX_CONTEXT_LENGTH, MAX_DIM, MAX_VOCAB_SIZE, MAX_WORD_FIELD_CHARS
from components.base.text_format import numbered
from components.failures.code_runner import CodeRun
from components.failures.experiment import InvalidValue, Parameter, Result, experiment, whole_number
from components.text.nested_ids import flatten_with_index

MAX_TOKEN_ID = 2**32 - 1  # tiktoken stores IDs as unsigned 32-bit integers

IDS_DTYPES = ("torch.int64", "torch.int32")  # what nn.Embedding accepts

V_FROM_2 = whole_number("V", 2, MAX_VOCAB_SIZE, 6)
V_UP_TO_2048 = whole_number("V", 2, 2_048, 6)
D_UP_TO_64 = whole_number("D", 1, 64, 3)
SHORT = whole_number("D", 1, 16, 3)
FEW = whole_number("T", 2, 8, 4)
EXTRA = whole_number("excess", 1, 64, 1)


# Lookups: IDs out of range, and IDs that are not integers in a tensor


@experiment()
def id_equals_v(run: CodeRun, V: int, D: int, seed: int) -> Result:
    return out_of_range_ids(run, V), {"rows": row_range(V), "last": V - 1}


@experiment()
def added_token(run: CodeRun, D: int, seed: int) -> Result:
    return out_of_range_ids(run, 3), {}


@experiment(V=V_FROM_2, far=whole_number("rows past the end", 2, 10**12, 1_000_000))
def id_far_above(run: CodeRun, V: int, D: int, seed: int, far: int) -> Result:
    token_id = V - 1 + far
    return out_of_range_ids(run, V), {"id": token_id, "remainder": token_id % V, "last": V - 1}


@experiment(back=whole_number("distance below 0", 1, 1_000, 1))
def negative_id(run: CodeRun, V: int, D: int, seed: int, back: int) -> Result:
    return out_of_range_ids(run, V), {"id": -back, "remainder": -back % V, "indexing_works": back <= V}


@experiment(
    V=V_FROM_2,
    wrong_dtype=Parameter(ChoiceField("dtype", ("float32", "float64", "float16", "bool", "uint8", "int16")), "float32"),
)
def float_ids(run: CodeRun, V: int, D: int, seed: int, wrong_dtype: str) -> Result:
    ids = flatten_with_index(run.variables["ids"].tolist())
    return all_invalid(ids, f"dtype {wrong_dtype}, not int64 or int32"), {"has_fractions": "float" in wrong_dtype}


@experiment(V=V_FROM_2)
def list_not_tensor(run: CodeRun, V: int, D: int, seed: int) -> Result:
    return all_invalid(flatten_with_index(run.variables["ids"]), "in a list, not in a tensor"), {}


# Sums and matrix products: positions out of range, shapes that do not fit or that broadcast


@experiment(extra=EXTRA)
def past_position_table(run: CodeRun, V: int, D: int, T: int, seed: int, extra: int) -> Result:
    length, reason = T + extra, f"the position embedding table has {row_range(T)}"
    invalid = [InvalidValue("positions", (t,), t, reason) for t in range(T, length)]
    return invalid, {"length": length, "last": length - 1, "rows": row_range(T)}


@experiment(B=whole_number("B", 1, MAX_BATCH_SIZE, 2), T=whole_number("T", 2, MAX_CONTEXT_LENGTH, 4), extra=EXTRA)
def cannot_broadcast(run: CodeRun, B: int, T: int, D: int, extra: int) -> Result:
    token = mismatched_size(run, "token", 1, f"there are {T + extra:,} positions")
    return [token, mismatched_size(run, "position", 0, f"there are {T:,} tokens")], {"positions": T + extra}


@experiment(width=whole_number("D of the tokens", 3, MAX_DIM, 256))
def dim_mismatch(run: CodeRun, width: int) -> Result:
    token = mismatched_size(run, "token", 2, f"the position embeddings have {width - 1:,}")
    return [token, mismatched_size(run, "position", 1, f"the token embeddings have {width:,}")], {"other": width - 1}


@experiment(T=FEW, D=SHORT)
def silent_pairs(run: CodeRun, T: int, D: int) -> Result:
    return [mismatched_size(run, "position", 1, "it is expanded to every token")], {"pairs": T * T}


@experiment(T=FEW, D=SHORT)
def silent_batch(run: CodeRun, T: int, D: int) -> Result:
    return [mismatched_size(run, "position", 1, "it is expanded to every position")], {}


@experiment(V=whole_number("V", 3, MAX_VOCAB_SIZE, 6))
def one_hot_without_num_classes(run: CodeRun, V: int, D: int) -> Result:
    hot = mismatched_size(run, "hot", 1, f"the largest ID of this batch is {V - 2:,}")
    return [hot, mismatched_size(run, "W", 0, "the rows of the table")], {"largest": V - 2, "columns": V - 1}


@experiment(V=V_FROM_2)
def one_hot_integers(run: CodeRun, V: int, D: int) -> Result:
    reasons = {"hot": "the table is float32", "W": "the one-hot matrix is int64"}
    return [InvalidValue(f"{name}.dtype", (), run.variables[name].dtype, why) for name, why in reasons.items()], {}


# Tables that are wrong from the start


@experiment()
def no_rows(run: CodeRun, D: int, seed: int) -> Result:
    return out_of_range_ids(run, 0), {}


@experiment(V=V_FROM_2)
def no_columns(run: CodeRun, V: int, seed: int) -> Result:
    return [mismatched_size(run, "W", 1, "every vector is empty")], {}


@experiment(beyond=whole_number("rows past the end", 1, 1_000, 1))
def padding_idx_outside(run: CodeRun, V: int, D: int, seed: int, beyond: int) -> Result:
    padding_idx, rows = V - 1 + beyond, row_range(V)
    invalid = [InvalidValue("padding_idx", (), padding_idx, f"the token embedding table has {rows}")]
    return invalid, {"padding_idx": padding_idx, "rows": rows}


@experiment()
def padding_idx_negative(run: CodeRun, V: int, D: int, seed: int) -> Result:
    padding_idx = run.variables["token_table"].padding_idx
    return [InvalidValue("token_table.padding_idx", (), padding_idx, "the last row")], {"last": V - 1}


# Training: rows that are not trained, are changed by a lookup, or win every prediction


def changed_rows(run: CodeRun) -> set[int]:
    """Return the rows of the result [V, D] that are not 0 everywhere."""
    return {row for row, change in enumerate(run.result.tolist()) if any(change)}


@experiment(V=V_UP_TO_2048)
def frozen_table(run: CodeRun, V: int, D: int, seed: int) -> Result:
    return ids_with_rows(run, {0, V - 1}, "its row was not trained"), {"changed": len(changed_rows(run))}


@experiment(V=V_UP_TO_2048, D=D_UP_TO_64)
def max_norm_writes(run: CodeRun, V: int, D: int, seed: int) -> Result:
    changed = changed_rows(run)
    return ids_with_rows(run, changed, "the lookup changed its row in the table"), {"changed": len(changed)}


@experiment(V=V_UP_TO_2048, D=D_UP_TO_64)
def new_random_row(run: CodeRun, V: int, D: int, seed: int) -> Result:
    share = run.result.item()
    reason = "the part of 1,000 contexts for which the new token is predicted"
    invalid = InvalidValue("share", (), round(share, 3), reason)
    return [invalid] if share else [], {"share": share}


# Vocabularies, word vectors and tokenizers


@experiment(word=Parameter(TextField("word", MAX_WORD_FIELD_CHARS), "dog"))
def unknown_word(run: CodeRun, word: str) -> Result:
    words, known = enumerate(run.variables["sentence"]), run.variables["vocabulary"]
    invalid = [InvalidValue("sentence", (i,), each, "not in the vocabulary") for i, each in words if each not in known]
    return invalid, {"raised": run.exception}


@experiment(key=Parameter(TextField("word", MAX_WORD_FIELD_CHARS), "kings"))
def unknown_vector(run: CodeRun, key: str) -> Result:
    invalid = InvalidValue("word", (), key, "not among king, queen")
    return [invalid] if run.exception else [], {"raised": run.exception}


@experiment(
    more=lambda text: {"text": f"{text}<|endoftext|>"},
    text=Parameter(TextField("text before <|endoftext|>", MAX_WORD_FIELD_CHARS), "Once upon a time"),
)
def special_token(run: CodeRun, text: str) -> Result:
    tokens = re.finditer(r"<\|endoftext\|>", run.variables["text"])
    return [InvalidValue("text", (each.start(),), each[0], "a special token") for each in tokens], {}


@experiment(token_id=whole_number("ID", 257, 10**12, 300))
def undecodable_id(run: CodeRun, token_id: int) -> Result:
    fits = token_id <= MAX_TOKEN_ID
    reason = "the tokens have the IDs 0 to 256" if fits else "more than 32 bits"
    return [InvalidValue("ids", (2,), token_id, reason)], {"fits": fits}


@experiment(character=Parameter(ChoiceField("character", ("é", "☕", "猫", "🙂")), "é"))
def half_character(run: CodeRun, character: str) -> Result:
    size = len(character.encode("utf-8"))
    return [InvalidValue("ids", (0,), run.variables["ids"][0], f"the first of {size} bytes")], {"size": size}


def row_range(rows: int) -> str:
    """Return which rows a table has.

    >>> row_range(2), row_range(1), row_range(0)
    ('rows 0 to 1', 'row 0 only', 'no rows')
    """
    return numbered("row", 0, rows - 1) + " only" * (rows == 1) if rows else "no rows"


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
