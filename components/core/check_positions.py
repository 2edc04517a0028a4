"""What a learner may think about positions: that order shows by itself, or that all position tables are alike."""

import math
from random import Random

from components.core.balance import expected_length
from components.core.checks import Check, Ids, Option, ask, dice, many
from components.core.link import State
from components.core.positions import sinusoidal_table

SMALLEST_DIM = 4  # in which both layouts can be told apart


def questions(state: State, token_ids: Ids) -> list[Check]:
    """Return the checks of the lesson on positions.

    >>> [check.name for check in questions(State(), [])]
    ['shuffle', 'length', 'past_T', 'layout']
    """
    settings = state.settings
    T, D = settings.context_length, settings.dim
    return [
        *_shuffle(T, settings.position, dice(state, "positions")),
        *_length(D + D % 2),
        *_past_the_end(T),
        *_layout(max(SMALLEST_DIM, D), settings.layout),
    ]


def _shuffle(T: int, position: str, choose: Random) -> list[Check]:
    """Ask what it does to the vectors that two tokens change places; one place leaves nothing to ask."""
    if T < 2:
        return []
    first, second = sorted(choose.sample(range(T), 2))
    same = "the same vectors, in another order"
    others = "two vectors that were not there before; the others stay"
    every = "other vectors at every place"
    off = position == "none"
    tables = "Positions are off." if off else f"Positions are {position}."
    return ask(
        "shuffle",
        f"{tables} Two different tokens, at places {first:,} and {second:,} of T = {T:,}, change places. What comes "
        "out?",
        same if off else others,
        [
            Option(
                same,
                "adding positions leaves the set of vectors as it is",
                f"A token that moves from place {first:,} to {second:,} has another row of positions added to it.",
            ),
            Option(
                others,
                "a token's row knows where it stands",
                "Without positions a vector is the row of its ID, wherever that stands.",
            ),
            Option(
                every,
                "a vector depends on all tokens around it",
                "Neither lookup nor sum looks at another token; that begins with attention.",
            ),
            Option(
                "the very same vectors, in the same order",
                "order makes no difference at all",
                f"Row {first:,} of the result now belongs to the other token.",
            ),
        ],
        "Without positions the rows only change places: order leaves no trace in the set of vectors."
        if off
        else f"The two tokens that moved have P[{first}] and P[{second}] exchanged in their sums; all others keep "
        "theirs.",
    )


def _length(D: int) -> list[Check]:
    """Ask for the length of a sinusoidal row."""
    return ask(
        "length",
        f"How long is a row of a sinusoidal position table with D = {D:,}: the root of the sum of its squares?",
        f"{expected_length(D, 'sinusoidal'):.4f}",
        [
            Option(
                f"{expected_length(D, 'learned'):.4f}",
                "learned and sinusoidal are the same",
                f"√{D} is about the length of a row drawn from N(0, 1), as a learned table starts.",
            ),
            Option(
                f"{math.sqrt(D / 3):.4f}",
                "sines and cosines are evenly spread numbers",
                f"√({D}/3) would hold for numbers spread evenly from -1 to 1; it has been published, and is wrong.",
            ),
            Option(f"{D / 2:.4f}", "a length is the sum of squares", f"{D // 2} is the sum of squares: take its root."),
            Option("1.0000", "every row has length 1", "Every pair has length 1, and a row has more than one."),
        ],
        f"Each pair of sine and cosine adds exactly 1 to the sum of squares, and there are D/2 = {D // 2:,} pairs: "
        f"√{D // 2}.",
    )


def _past_the_end(T: int) -> list[Check]:
    """Ask what both kinds of positions do past T."""
    return ask(
        "past_T",
        f"A learned position table has T = {many(T, 'row')}, and a sinusoidal one is drawn for as many places. A "
        f"sequence of {T + 1:,} tokens comes. What about the position vector of place {T:,}?",
        "learned: there is none, torch raises an error; sinusoidal: its formula gives it",
        [
            Option(
                "learned or sinusoidal: there is none, torch raises an error",
                "learned and sinusoidal are the same",
                f"The sines and cosines of place {T:,} can be computed like those of any other place.",
            ),
            Option(
                "learned or sinusoidal: the pattern goes on",
                "a learned table has a pattern that goes on",
                f"A learned table is {many(T, 'row')} of numbers that were trained, and no formula.",
            ),
            Option(
                f"learned: place {T:,} takes row 0 again; sinusoidal: its formula gives it",
                "positions begin again past the end",
                f"Row {T:,} is asked for, and a lookup does not wrap.",
            ),
        ],
        f"A learned table ends at row {T - 1:,}; a formula has no end. (What a model makes of a place it was never "
        "trained on is another question.)",
    )


def _layout(D: int, name: str) -> list[Check]:
    """Ask where a certain column stands in the learner's layout."""
    row = sinusoidal_table(2, D, name)[1]
    here = int((row - math.cos(1)).abs().argmin())
    other = "halves" if name == "interleaved" else "interleaved"
    there = int((sinusoidal_table(2, D, other)[1] - math.cos(1)).abs().argmin())
    return ask(
        "layout",
        f"A sinusoidal table with D = {D:,} in the layout {name}: in which column, counted from 0, does row t have "
        "cos(t), the cosine of the fastest wave?",
        f"{here:,}",
        [
            Option(
                f"{there:,}",
                "the layout of sines and cosines is unique",
                f"That is its column in the other layout, {other}: both are in use, and do not fit each other.",
            ),
            Option("0", "cosines come first", "In both layouts column 0 is a sine: row 0 of the table begins with 0."),
            Option(
                f"{D - 1:,}",
                "the fastest wave comes last",
                "It is the first of the sines, and the first of the cosines.",
            ),
        ],
        "interleaved writes sin, cos, sin, cos …: the first cosine is in column 1."
        if name == "interleaved"
        else f"halves writes all {math.ceil(D / 2):,} sines first: the first cosine is in column {here:,}.",
    )
