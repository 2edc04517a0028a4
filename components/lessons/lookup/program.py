"""The program of the lesson on the embedding lookup: the table, the rows of the IDs, and a repeated ID."""

from collections.abc import Sequence
from typing import Any

import torch

from components.base.link import State
from components.embedding.tables import token_table
from components.programs.batch_story import batch_values, choose_batch, tokenize
from components.text.token_ids import repeated_ids

ROWS, COLUMNS = 12, 16


def look_up(ids, vocab_size, dim, seed, input_shape, dtype, rows_in_use, first_row, first_column):
    """Copy the rows of some IDs from the token embedding table."""
    # %% The input
    # An embedding layer takes int64 or int32 IDs in any shape.
    if input_shape == "batch":
        input_ids = ids  # [B, T]
    elif input_shape == "sequence":
        input_ids = ids[0]  # [T]
    else:
        input_ids = ids[0, 0]  # [ ]
    if dtype == "int32":
        input_ids = input_ids.int()
    print(input_ids.shape, input_ids.dtype)
    # %% The token embedding table W [V, D]
    # One row of D numbers for each of V token IDs, sampled from N(0, 1) when the layer is made. The seed determines all
    # of them. V is the number of rows, not of tokens processed.
    W = token_table(vocab_size, dim, seed)  # equals torch.manual_seed(seed); nn.Embedding(vocab_size, dim)
    if rows_in_use and vocab_size > 12:
        rows = input_ids.unique()[:12]  # in use, in ascending order
    else:
        rows = torch.arange(vocab_size)[first_row : first_row + 12]
    columns = slice(first_column, first_column + 16)
    print(W.weight.shape, rows, W.weight.detach()[rows, columns], sep="\n")
    # %% The lookup: the rows of these IDs
    # The result has the shape of the IDs with D after it.
    vectors = W(input_ids).detach()  # [..., D]
    print(vectors.shape, vectors.reshape(-1, dim)[:12, columns], sep="\n")
    print("copies of the rows:", torch.equal(vectors, W.weight[input_ids]))
    # %% The same ID, the same row
    # A token embedding does not depend on context: the first ID that occurs twice here, and its first two positions.
    repeated = repeated_ids(input_ids.flatten().tolist()[:12])
    print(len(repeated), "repeated IDs among the first 12")
    for token_id, first, second in repeated[:1]:
        same = torch.equal(vectors.reshape(-1, dim)[first], vectors.reshape(-1, dim)[second])
        print(f"ID {token_id} at positions {first} and {second}, equal: {same}")


STORIES = (tokenize, choose_batch, look_up)


def values(state: State, token_ids: Sequence[int]) -> dict[str, Any] | None:
    """Return the values of the stories; None if the settings give no batch."""
    found, choices = batch_values(state, token_ids), state.choices
    if found is None:
        return None
    return found | {
        "input_shape": choices.input,
        "dtype": choices.dtype,
        "rows_in_use": choices.rows_in_use,
        "first_row": min(choices.row, max(0, state.settings.vocab_size - ROWS)),
        "first_column": min(choices.column, max(0, state.settings.dim - COLUMNS)),
    }
