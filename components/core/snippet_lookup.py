"""The programs of the lookup lesson: the table, the rows of the IDs, and the same ID at two places."""

from collections import Counter

from components.core.link import State
from components.core.snippet import Ids, Rows, Snippet, journey_batch, written
from components.core.snippet_literals import ids_literal, source_of
from components.core.snippet_tables import columns_shown, token_table

ROWS = 12


def snippets(state: State, token_ids: Ids) -> list[Snippet]:
    """Return the programs of the lesson; where the page has no batch, that of the table alone.

    >>> [snippet.name for snippet in snippets(State(), range(9))]
    ['table', 'rows']
    >>> [snippet.name for snippet in snippets(State(), [])]
    ['table']
    """
    rows = journey_batch(state, token_ids)
    found = [_table(state, rows)]
    if rows is not None:
        batch = written(rows)
        found.append(_rows(state, batch))
        repeated = [i for i, times in Counter(_given(state, rows)[:ROWS]).items() if times > 1]
        found += [_same(state, batch, repeated[0])] if repeated else []
    return found


def _given(state: State, batch: list[list[int]]) -> list[int]:
    """Return the IDs that the page looks up, in one row."""
    ids = {"batch": batch, "sequence": batch[:1], "single": [batch[0][:1]]}[state.choices.input]
    return [token_id for row in ids for token_id in row]


def _ids(state: State, batch: Rows) -> str:
    kind, dtype = state.choices.input, state.choices.dtype
    ids = {"batch": batch.rows, "sequence": batch.rows[0], "single": batch.rows[0][0]}[kind]
    shape = {"batch": "[B, T]", "sequence": "[T]", "single": "[ ]"}[kind]
    closing = ")" if dtype == "int64" else f", dtype=torch.{dtype})"
    literal = f"torch.tensor({ids}{closing}" if kind == "single" else ids_literal(ids, "torch.tensor(", closing)
    return f"{source_of(state)}\nids = {literal}  # {shape}\n"


def _table(state: State, batch: list[list[int]] | None) -> Snippet:
    settings, choices = state.settings, state.choices
    V, D = settings.vocab_size, settings.dim
    used = sorted(set(_given(state, batch))) if batch else []
    if used and choices.rows_in_use and V > ROWS:
        rows, of = f"{used[:ROWS]}", "the first that the batch uses"
    else:
        first = min(choices.row, max(0, V - ROWS))
        rows, of = f"slice({first}, {min(first + ROWS, V)})", "as on the screen"
    start, end = columns_shown(D, choices.column)
    code = token_table(settings) + f"rows = {rows}  # {of}\ncolumns = slice({start}, {end})\n"
    code += "print(token_table.weight.shape)\nprint(token_table.weight.detach()[rows, columns])\n"
    return Snippet(
        "table",
        "The token table",
        "An embedding layer is a table of V rows with D numbers, drawn from N(0, 1) when it is made. The seed fixes "
        "all of them.",
        code,
    )


def _rows(state: State, batch: Rows) -> Snippet:
    start, end = columns_shown(state.settings.dim, state.choices.column)
    code = token_table(state.settings) + (
        f"{_ids(state, batch)}"
        "vectors = token_table(ids).detach()\n"
        "print(ids.shape, vectors.shape)  # the shape of the input + [D]\n"
        f"print(vectors.reshape(-1, D)[:{ROWS}, {start}:{end}])\n"
        "print(torch.equal(vectors, token_table.weight[ids]))  # rows, copied\n"
    )
    note = batch.note if state.choices.input == "batch" else ""
    about = "Looking up copies the rows with these numbers: the result has the shape of the IDs with D behind it."
    return Snippet("rows", "The rows of these IDs", about + note, code)


def _same(state: State, batch: Rows, token_id: int) -> Snippet:
    code = token_table(state.settings) + (
        f"{_ids(state, batch)}"
        f"places = (ids.flatten() == {token_id}).nonzero().flatten()\n"
        f"vectors = token_table(ids).reshape(-1, D)[places].detach()  # [places, D]\n"
        f"print({token_id}, places[:2].tolist())\n"
        "print(torch.equal(vectors[0], vectors[1]))\n"
    )
    about = f"ID {token_id} stands at more than one place. Its row is the same at all of them: it knows no context."
    return Snippet("same_id", "The same ID, the same row", about, code)
