"""What a picture of a failure is made of: the IDs with what is wrong about each, and the rows asked of each table."""

from dataclasses import dataclass
from difflib import SequenceMatcher

from components.core.failures import Outcome
from components.core.nested import rows_of


@dataclass(frozen=True)
class Asked:
    """A table, and the rows that were asked of it: its name, its shape [rows, D], and the row numbers in order."""

    table: str
    shape: tuple[int, int]
    rows: list[int]


def tables_asked(outcome: Outcome) -> list[Asked]:
    """Return which rows were asked of the token table and of the position table, where there are such tables.

    >>> from components.core.failures import run_failure
    >>> tables_asked(run_failure("past_position_table", T=2))[1]
    Asked(table='position_table', shape=(2, 3), rows=[0, 1, 2])
    """
    variables, found = outcome.run.variables, []
    for table, indices in (("token_table", "ids"), ("position_table", "places")):
        if table in variables and hasattr(variables.get(indices), "dtype"):
            rows = variables[indices].reshape(-1).tolist()
            if all(type(row) is int for row in rows):
                found.append(Asked(table, tuple(variables[table].weight.shape), sorted(set(rows))))
    return found


def id_rows(outcome: Outcome) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the IDs, or the words, row by row: the name of the row, and for each what it is and why it cannot work.

    >>> from components.core.failures import run_failure
    >>> id_rows(run_failure("id_equals_v"))
    [('ids[0]', [('0', ''), ('5', ''), ('6', 'the token table has rows 0 to 5')])]
    """
    variables = outcome.run.variables
    if "sentence" in variables:
        name, rows = "sentence", [((), [((i,), repr(word)) for i, word in enumerate(variables["sentence"])])]
    elif outcome.ids is not None or "ids" in variables:
        ids = variables["ids"] if outcome.ids is None else outcome.ids
        name, rows = "ids", list(rows_of(ids.tolist() if hasattr(ids, "tolist") else ids))
    else:
        return []
    bad = {offender.place: offender.why for offender in outcome.offending if offender.name == name}
    places = {offender.place: offender.why for offender in outcome.offending if offender.name == "places"}
    return [
        (
            name + "".join(f"[{i}]" for i in where),
            [(str(value), bad.get(place) or places.get(place[-1:], "")) for place, value in row],
        )
        for where, row in rows
    ]


def changed_lines(code: str, repair: str) -> list[int]:
    """Return the numbers of the lines of the repair, from 1, that are not in the code.

    >>> changed_lines("a\\nb\\nc", "a\\nB\\nc\\nd")
    [2, 4]
    """
    steps = SequenceMatcher(None, code.splitlines(), repair.splitlines(), autojunk=False).get_opcodes()
    return [line + 1 for tag, *_, start, end in steps if tag != "equal" for line in range(start, end)]
