"""What a learner may think about random numbers: that a seed is enough by itself, or that it is good for nothing."""

from components.core.checks import Check, Ids, Option, ask
from components.core.embeddings import DRAWN_IN_BLOCKS, token_table
from components.core.link import State
from components.core.settings import Settings


def questions(state: State, token_ids: Ids) -> list[Check]:
    """Return the checks of the lesson on published results.

    >>> [check.name for check in questions(State(), [])]
    ['needed', 'drawn_before', 'first_row']
    """
    return [*_needed(state.settings), *_drawn_before(state.settings), *_first_row(state.settings)]


def _needed(settings: Settings) -> list[Check]:
    """Ask what it takes to see the same numbers elsewhere."""
    V, D, T, seed = settings.vocab_size, settings.dim, settings.context_length, settings.seed
    return ask(
        "needed",
        f"A friend wants to see the numbers of your two tables, W [{V}, {D}] and learned P [{T}, {D}]. They have the "
        "same release of torch, on a CPU as well. What else do they need?",
        f"the seed {seed}, both sizes, and that W is drawn before P",
        [
            Option(
                f"the seed {seed}, and nothing else",
                "a seed alone fixes all numbers",
                "A seed fixes a stream of numbers; the sizes and the order say which table takes which of them.",
            ),
            Option(
                f"the seed {seed} and your text",
                "the tables depend on the text",
                "A table that is not trained knows nothing of any text; the text only chooses rows.",
            ),
            Option(
                "your computer: a seed works on one machine only",
                "random numbers cannot be repeated elsewhere",
                "A seed starts the same stream in the same software, wherever that runs.",
            ),
        ],
        f"torch.manual_seed({seed}), nn.Embedding({V}, {D}), nn.Embedding({T}, {D}), in this order, give the same "
        "numbers.",
    )


def _drawn_before(settings: Settings) -> list[Check]:
    """Ask how much of the stream is gone when the position table begins."""
    V, D, T = settings.vocab_size, settings.dim, settings.context_length
    return ask(
        "drawn_before",
        f"torch.manual_seed({settings.seed}), then a token table [{V}, {D}], then a learned position table [{T}, {D}]. "
        "How many numbers have been drawn when the position table begins?",
        f"{V * D:,}",
        [
            Option(
                "0",
                "every table starts from the seed",
                "There is one stream of numbers, and the second table goes on where the first one ended.",
            ),
            Option(f"{V:,}", "a row is drawn as one number", f"Each of the V = {V:,} rows has D = {D:,} numbers."),
            Option(
                f"{(V + T) * D:,}",
                "all tables are drawn at once",
                f"That is after the position table, which takes T × D = {T * D:,} more.",
            ),
        ],
        f"V × D = {V:,} × {D:,} = {V * D:,}. So another V gives another position table, with the same seed.",
    )


def _first_row(settings: Settings) -> list[Check]:
    """Ask whether one row more changes the first one; the answer is found by drawing as much of both as it takes."""
    V, D, seed = settings.vocab_size, settings.dim, settings.seed
    enough = min(V, 2 + 2 * DRAWN_IN_BLOCKS // D)  # rows; what comes behind them does not reach back to the first
    before, after = (token_table(rows, D, seed).weight[0] for rows in (enough, enough + 1))
    same = bool((before == after).all())
    stays, changes = "row 0 stays the same, to the bit", "numbers of row 0 change"
    wrong = (
        Option(
            changes,
            "another V gives another table throughout",
            "The stream is the same, and row 0 is what comes first in it.",
        )
        if same
        else Option(
            stays,
            "the first numbers of a stream never change",
            f"The last {DRAWN_IN_BLOCKS} numbers of a table are drawn in another way where its size is no multiple of "
            "that.",
        )
    )
    return ask(
        "first_row",
        f"The seed stays {seed}, D stays {D:,}. V goes from {V:,} to {V + 1:,}, and the token table is drawn anew. "
        "What about row 0?",
        stays if same else changes,
        [
            wrong,
            Option(
                "that is left to chance",
                "a seed fixes nothing",
                "Nothing here is left to chance: each of the two tables comes out the same every time.",
            ),
            Option(
                f"all its numbers shrink by the factor {V} / {V + 1}",
                "weights are shared out among the rows",
                "Every number is drawn from N(0, 1) by itself, whatever V is.",
            ),
        ],
        "The table is drawn row after row, and a new row comes last."
        if same
        else f"torch draws normal numbers in blocks of {DRAWN_IN_BLOCKS}, and redoes the end of a table that is no "
        "multiple of that; with V or with V + 1 rows, that end reaches back to row 0.",
    )
