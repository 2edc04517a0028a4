"""What a learner may think about errors: which IDs have a row, which table complains, that all mistakes raise one."""

from functools import lru_cache
from random import Random

from components.core.checks import Check, Ids, Option, ask, dice, many
from components.core.failures import run_failure
from components.core.link import State

SMALL_V, SMALL_D = 6, 1  # of experiments whose outcome depends on neither
MOST_T = 8  # of the silent sum, as in its experiment


def questions(state: State, token_ids: Ids) -> list[Check]:
    """Return the checks of the lesson on errors, about the sizes that the learner has set in it.

    >>> [check.name for check in questions(State(), [])]
    ['id_equals_v', 'no_row', 'which_table', 'silent']
    """
    choices = state.choices
    V, T = max(2, choices.lab_V), max(1, choices.lab_T)
    return [
        *_id_equals_v(V),
        *_no_row(V, dice(state, "errors")),
        *_which_table(T),
        *_silent(min(max(2, T), MOST_T), max(1, choices.lab_D)),
    ]


@lru_cache(maxsize=32)
def raised(name: str, **sizes: int) -> tuple[str, str]:
    """Return the type and the words of what an experiment raises, run once.

    >>> raised("id_equals_v", V=6, D=1)[0]
    'IndexError'
    """
    outcome = run_failure(name, **sizes)
    return (outcome.exception.__name__ if outcome.exception else "", outcome.message)


def _id_equals_v(V: int) -> list[Check]:
    """Ask what the ID V does."""
    kind, words = raised("id_equals_v", V=V, D=SMALL_D)
    return ask(
        "id_equals_v",
        f"A table has V = {V:,} rows. It is asked for ID {V:,}. What happens?",
        f"{kind} is raised",
        [
            Option(
                f"row {V:,} comes out, the last one",
                "ID = V is legal",
                f"Rows count from 0: the last of {V:,} is row {V - 1:,}.",
            ),
            Option("row 0 comes out", "IDs begin again past the end", "A lookup does not wrap at either end."),
            Option(
                "KeyError is raised",
                "a table is a dictionary of tokens",
                "A word vocabulary raises that; a table knows row numbers only.",
            ),
        ],
        f"The rows are 0 to {V - 1:,}. In torch's words: {kind}: {words}.",
    )


def _no_row(V: int, choose: Random) -> list[Check]:
    """Ask how many IDs of a batch have no row."""
    at, below = choose.choice([(1, 2), (2, 1)])
    above = choose.randint(0, 1)
    ids = [V] * at + [-choose.randint(1, V) for _ in range(below)] + [V + choose.randint(1, V)] * above
    ids += [V - 1, *(choose.randrange(V) for _ in range(2))]
    choose.shuffle(ids)
    none = at + below + above
    return ask(
        "no_row",
        f"A table has V = {V:,} rows. How many of these IDs have none: {', '.join(map(str, ids))}?",
        f"{none}",
        [
            Option(
                f"{none - at}",
                "ID = V is legal",
                f"Rows count from 0, so {V:,} is one too many; the last is {V - 1:,}.",
            ),
            Option(
                f"{none - below}",
                "negative IDs wrap",
                "Python lists count from the end for -1; a lookup raises an error for any negative ID.",
            ),
            Option(
                f"{none + 1}",
                "row V - 1 does not exist",
                f"ID {V - 1:,} is the last row: {V:,} rows are numbered 0 to {V - 1:,}.",
            ),
        ],
        f"Only 0 to {V - 1:,} have a row. Without one: {V:,} itself ({at}), negative IDs ({below}), larger ones "
        f"({above}).",
    )


def _which_table(T: int) -> list[Check]:
    """Ask which table complains about a sequence that is too long."""
    kind, words = raised("past_position_table", V=SMALL_V, D=SMALL_D, T=T)
    return ask(
        "which_table",
        f"The position table has T = {many(T, 'row')}. A sequence has {T + 1:,} tokens, each with an ID that has its "
        f"row. torch raises {kind}: {words}. Who says that?",
        "the position table",
        [
            Option(
                "the token table",
                "an index out of range always means a bad token",
                "Every ID has its row here. The words are the same for any table, and name none.",
            ),
            Option(
                "the sum of tokens and positions",
                "lengths are compared in the sum first",
                f"It does not come to a sum: place {T:,} was looked up before.",
            ),
            Option(
                "the tokenizer",
                "too long a text is refused by the tokenizer",
                "A tokenizer encodes a text of any length; it does not know T.",
            ),
        ],
        f"{T + 1:,} tokens ask the position table for rows 0 to {T:,}, and its last row is {T - 1:,}. Only the line in "
        "the traceback tells which table it was.",
    )


def _silent(T: int, D: int) -> list[Check]:
    """Ask about a sum that broadcasts into the right shape with the wrong meaning."""
    kind, _ = raised("silent_batch", T=T, D=min(D, 16))
    right = f"{kind} is raised" if kind else "no error, the right shape, and the wrong positions"
    return ask(
        "silent",
        f"B = T = {T}. Positions [{T}, {D}] become [{T}, 1, {D}] by unsqueeze(1) and are added to tokens [{T}, {T}, "
        f"{D}]. What comes of it?",
        right,
        [
            Option(
                "an error, because the axes do not fit",
                "a wrong sum always raises an error",
                f"[{T}, 1, {D}] can be stretched to [{T}, {T}, {D}], so torch has nothing to complain about.",
            ),
            Option(
                "no error, and the sum that was meant",
                "an axis of size 1 fits wherever it is put",
                "It was put where the places are, so the rows of positions now stand where the batch is.",
            ),
            Option(
                f"no error, and a result [{T}, {T}, {T}, {D}]",
                "every pair of axes makes a new one",
                "Shapes are compared axis by axis from the end; no axis is added here.",
            ),
        ],
        f"Sequence b gets row b of the positions at all of its {T} places. With a B that is neither T nor 1 torch "
        "would have refused.",
    )
