"""What a learner may think about a lookup: the shape it gives, how many rows a table has, and what a row knows."""

from itertools import chain

from components.core.check_tokens import token_name
from components.core.checks import Check, Ids, Option, ask, dice, many
from components.core.ids import parse_ids
from components.core.limits import BYTES_PER_FLOAT, table_bytes
from components.core.link import State
from components.core.settings import Settings
from components.core.shapes import batch_shape

IDS_READ = 512


def batch_size(state: State, token_ids: Ids) -> tuple[int, int]:
    """Return [B, T] of the batch, or of one that would fill the settings where there is none.

    >>> batch_size(State(), range(21)), batch_size(State(), [])
    ((2, 4), (2, 4))
    """
    try:
        return batch_shape(len(token_ids), state.settings, state.choices)
    except ValueError:
        return state.settings.batch_size, state.settings.context_length


def own_ids(state: State, token_ids: Ids) -> list[int]:
    """Return the learner's IDs, those typed or the first ones of the text, whether or not the table has their rows.

    >>> own_ids(State(), [464, 7850, 3331])
    [464, 7850, 3331]
    """
    if not state.choices.typed:
        return [int(token_ids[place]) for place in range(min(IDS_READ, len(token_ids)))]
    try:
        return list(chain(*parse_ids(state.choices.ids)))
    except ValueError:
        return []


def some_ids(state: State, token_ids: Ids, most: int) -> list[int]:
    """Return a run of the learner's IDs that have a row, the first typed or some of the text; else random ones.

    Which of the text's IDs, and which random ones, depends on the seed.

    >>> some_ids(State(), [464, 7850, 3331], most=3), len(some_ids(State(), [], most=4))
    ([464, 7850, 3331], 4)
    """
    V, choose = state.settings.vocab_size, dice(state, "ids")
    known = [i for i in own_ids(state, token_ids) if 0 <= i < V]
    start = 0 if state.choices.typed else choose.randint(0, max(0, len(known) - most))
    return known[start : start + most] or [choose.randrange(V) for _ in range(most)]


def twice(ids: list[int], V: int) -> list[tuple[int, int, int]]:
    """Return every ID with a row that comes again, and its first two places.

    >>> twice([9, 4, 9, 4, 4], V=5)
    [(4, 1, 3)]
    """
    places: dict[int, list[int]] = {}
    for place, token_id in enumerate(ids):
        places.setdefault(token_id, []).append(place)
    return [(i, at[0], at[1]) for i, at in places.items() if len(at) > 1 and 0 <= i < V]


def questions(state: State, token_ids: Ids) -> list[Check]:
    """Return the checks of the lesson on lookup.

    >>> [check.name for check in questions(State(), range(21))]
    ['shape', 'rows', 'same_row', 'bytes']
    """
    B, T = batch_size(state, token_ids)
    given = {"batch": [B, T], "sequence": [T], "single": []}[state.choices.input]
    n = B * T if state.choices.typed else len(token_ids) or dice(state, "lookup").randint(10, 99)
    settings = state.settings
    return [*_shape(given, settings), *_rows(n, settings), *_same_row(state, token_ids), *_size(B * T, settings)]


def _shape(given: list[int], settings: Settings) -> list[Check]:
    """Ask for the shape that comes out."""
    V, D, T = settings.vocab_size, settings.dim, settings.context_length
    ids = f"IDs {given}" if given else "A single ID, shape [],"
    verb = "go" if given else "goes"
    return ask(
        "shape",
        f"{ids} {verb} into a table with V = {V:,} and D = {D:,}. What shape comes out?",
        str([*given, D]),
        [
            Option(
                str([*given, V]),
                "D must equal V",
                f"V = {V:,} is how many rows there are; one row has D = {D:,} numbers.",
            ),
            Option(
                str([*given, T]),
                "D must equal T",
                f"T = {T:,} counts tokens. D = {D:,} is chosen freely, and is no count.",
            ),
            Option(str([V, D]), "a lookup gives the whole table", f"Only the rows asked for come out, not all {V:,}."),
            Option(
                str(given),
                "an ID is replaced by one number",
                f"Every ID is replaced by a whole row of D = {D:,} numbers.",
            ),
            Option(str([1, *given, D]), "a lookup adds a batch axis", "A lookup adds one axis, that of D, at the end."),
        ],
        f"The shape of the input, {given}, with D = {D:,} behind it: every ID becomes its row.",
    )


def _rows(n: int, settings: Settings) -> list[Check]:
    """Ask how many rows the table has after some tokens."""
    V, D = settings.vocab_size, settings.dim
    return ask(
        "rows",
        f"A table has V = {many(V, 'row')} of D = {D:,} numbers. A model looks up {many(n, 'token')}. How many rows "
        "has the table then?",
        f"{V:,}",
        [
            Option(f"{n:,}", "V is the number of tokens processed", f"{n:,} rows are read; the table has V = {V:,}."),
            Option(
                f"{V + n:,}",
                "every token that is processed adds a row",
                "A lookup reads rows. It writes none, and adds none.",
            ),
            Option(f"{D:,}", "rows and columns are the same", f"D = {D:,} is how many numbers a row has: the columns."),
            Option(f"{max(0, V - n):,}", "rows are used up", "A row is copied, and stays where it is."),
        ],
        f"V = {V:,} counts the rows: one for each ID that can be asked for, however many tokens are looked up.",
    )


def _same_row(state: State, token_ids: Ids) -> list[Check]:
    """Ask whether one ID gives one row at two places."""
    found = twice(own_ids(state, token_ids), state.settings.vocab_size)
    once = (some_ids(state, token_ids, 1)[0], 0, 1)
    token_id, first, second = dice(state, "same_row").choice(found or [once])
    name = f"ID {token_id:,}"
    if found and not state.choices.typed:
        name = f"The token {token_name(state, token_ids, first)}"
    stands = "stands" if found else "may stand"
    return ask(
        "same_row",
        f"{name} {stands} at places {first:,} and {second:,} of your IDs, counted from 0. What does the lookup give "
        "at the two places?",
        f"row {token_id:,} at both places, equal to the bit",
        [
            Option(
                "two rows that differ, because the words around differ",
                "the input row already knows the context",
                "A lookup is asked for one ID and sees no other; context comes in later, by attention.",
            ),
            Option(
                f"row {token_id:,} plus something for the place",
                "a lookup knows the place",
                "The place is said by a second table, which is added afterwards.",
            ),
            Option(
                "two random rows, drawn at each lookup",
                "rows are drawn at every lookup",
                "The table is drawn once, from the seed; lookups only read it.",
            ),
        ],
        f"The same ID gives the same row wherever it stands: W[{token_id}] is W[{token_id}]. A bank by the river and a "
        "bank with money start out as one vector.",
    )


def _size(n: int, settings: Settings) -> list[Check]:
    """Ask for the bytes of the table."""
    V, D = settings.vocab_size, settings.dim
    return ask(
        "bytes",
        f"How many bytes does a table of float32 with V = {V:,} and D = {D:,} take, when a batch uses {many(n, 'ID')} "
        "of it?",
        f"{table_bytes(V, D):,}",
        [
            Option(f"{V * D:,}", "a number takes one byte", f"A float32 takes {BYTES_PER_FLOAT} bytes."),
            Option(
                f"{table_bytes(n, D):,}", "only rows in use take memory", f"All V = {V:,} rows are there, used or not."
            ),
            Option(
                f"{2 * table_bytes(V, D):,}", "torch counts in float64", "float64 is Python's; torch takes float32."
            ),
        ],
        f"V × D = {V:,} × {D:,} = {V * D:,} numbers of {BYTES_PER_FLOAT} bytes each.",
    )
