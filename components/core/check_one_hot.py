"""What a learner may think about one-hot rows: that they must be made, cost nothing, or learn in another way."""

from components.core.check_lookup import batch_size, some_ids
from components.core.checks import Check, Ids, Option, ask, many
from components.core.limits import MAX_ONE_HOT_CELLS
from components.core.link import State
from components.core.one_hot import costs

IDS_ASKED = 7


def questions(state: State, token_ids: Ids) -> list[Check]:
    """Return the checks of the lesson on one-hot rows.

    >>> [check.name for check in questions(State(), range(21))]
    ['multiplications', 'linear', 'gradient', 'columns']
    """
    V, D = state.settings.vocab_size, state.settings.dim
    B, T = batch_size(state, token_ids)
    N = min(B * T, max(1, MAX_ONE_HOT_CELLS // V))  # as many as the page multiplies
    ids = some_ids(state, token_ids, IDS_ASKED)
    return [*_multiplications(N, V, D), *_linear(N, V, D), *_gradient(ids, V), *_columns(ids, V, D)]


def _multiplications(N: int, V: int, D: int) -> list[Check]:
    """Ask what a lookup costs."""
    product = costs(N, V, D).multiplications
    return ask(
        "multiplications",
        f"How many multiplications does it take to look up N = {N:,} IDs in a table with V = {V:,} and D = {D:,}?",
        "0",
        [
            Option(
                f"{product:,}",
                "a one-hot step must exist",
                f"That is N × V × D, for one-hot rows [{N}, {V}] times the table. A lookup makes no such rows.",
            ),
            Option(
                f"{N * D:,}", "a number is multiplied to be copied", f"These {N * D:,} numbers are copied as they are."
            ),
            Option(
                f"{N:,}", "an ID is multiplied by something", "An ID is the number of a row, and is not reckoned with."
            ),
            Option(f"{2 * N * D:,}", "a lookup multiplies and adds", "It does neither: it copies."),
        ],
        f"A lookup copies rows. The one-hot product gives the same, with N × V × D = {product:,} multiplications, "
        f"all but {N * D:,} of them by 0.",
    )


def _linear(N: int, V: int, D: int) -> list[Check]:
    """Ask for the shape of the weight of a linear layer that does the same."""
    return ask(
        "linear",
        f"nn.Linear({V}, {D}, bias=False) takes one-hot rows [{N}, {V}] to vectors [{N}, {D}]. What is the shape of "
        "its weight?",
        str([D, V]),
        [
            Option(
                str([V, D]),
                "a linear layer keeps its weight as a table",
                f"It multiplies by its weight transposed, so the table [{V}, {D}] lies in it on its side.",
            ),
            Option(str([N, V]), "the weight is the one-hot rows", "Those are its input, and change with every batch."),
            Option(
                str([V * D]),
                "the weight is one long row",
                f"It has {V * D:,} numbers, but in {D:,} rows of {V:,} columns.",
            ),
            Option(str([1, V, D]), "the weight has a batch axis", "A weight is the same for every batch."),
        ],
        f"[out, in] = [D, V] = [{D}, {V}]: torch keeps the weight of a linear layer transposed.",
    )


def _gradient(ids: list[int], V: int) -> list[Check]:
    """Ask which rows of the table get a gradient, whichever way they were picked."""
    if len(set(ids)) == len(ids):
        ids = [*ids, ids[0]]
    distinct, n = len(set(ids)), len(ids)
    return ask(
        "gradient",
        f"A table with V = {many(V, 'row')} is multiplied by the one-hot rows of the IDs {ids}, and a loss is sent "
        "back. How many rows of the table can get a gradient other than 0?",
        f"{distinct:,}",
        [
            Option(
                f"{V:,}",
                "the one-hot product reaches every row",
                f"The other rows are multiplied by 0 everywhere, so their gradient is exactly 0: {V - distinct:,} of "
                "them.",
            ),
            Option(
                f"{n:,}",
                "every place has a row of its own",
                f"There are {n:,} places, but ID {ids[0]:,} for one stands more than once: its row gets the sum.",
            )
            if ids.count(ids[0]) > 1
            else Option(
                f"{n:,}", "every place has a row of its own", "An ID that comes again has one row: it gets the sum."
            ),
            Option("0", "no gradient passes a lookup", "None reaches the IDs, but the rows they picked do get one."),
            Option(f"{n + distinct:,}", "an ID that comes again has a second row", "One ID, one row, however often."),
        ],
        f"The different IDs name {many(distinct, 'row')} of the table; product and lookup send the same gradient to "
        "the table.",
    )


def _columns(ids: list[int], V: int, D: int) -> list[Check]:
    """Ask how many columns one_hot makes when it is not told."""
    top, distinct = max(ids), len(set(ids))
    return ask(
        "columns",
        f"The table has V = {V:,} rows and D = {D:,} columns. How many columns has F.one_hot(ids), without "
        f"num_classes, for ids = {ids}?",
        f"{top + 1:,}",
        [
            Option(
                f"{V:,}", "one_hot knows the table", f"It sees the IDs alone, and the largest of this batch is {top:,}."
            ),
            Option(
                f"{top:,}", "IDs count from 1", f"IDs count from 0, so {top:,} as the largest makes one column more."
            ),
            Option(
                f"{distinct:,}",
                "there is a column for each ID of the batch",
                "Columns are numbered like rows of the table.",
            ),
            Option(f"{top + 2:,}", "one column more is for unknown IDs", "one_hot knows of no unknown IDs."),
        ],
        f"The largest ID is {top:,}, so there are columns 0 to {top:,}. For the product with this table say "
        f"num_classes={V}.",
    )
