"""What a learner may think about the sum: that it concatenates, ruins the token, or is balanced by √D in any case."""

import math

import torch

from components.core.balance import SPREADS, expected_length
from components.core.check_lookup import batch_size, some_ids
from components.core.checks import Check, Ids, Option, ask
from components.core.link import State
from components.core.walkthrough import draw_tables, walk

SMALLEST_DIM = 4  # below, √D and its absence look alike
TYPICAL_DIM = 64  # from here on a cosine of random vectors is near what is expected
CELLS_DRAWN = 4_096  # of both tables, for a question


def questions(state: State, token_ids: Ids) -> list[Check]:
    """Return the checks of the lesson on the sum.

    >>> [check.name for check in questions(State(), [])]
    ['shape', 'ratio', 'scale', 'cosine']
    >>> from components.core.settings import Settings
    >>> [check.name for check in questions(State(Settings(vocab_size=6, dim=3)), [])]
    ['shape', 'cell', 'scale', 'cosine']
    """
    settings = state.settings
    D, kind = settings.dim, "learned" if settings.position == "learned" else "sinusoidal"
    second = _cell(state, token_ids) or _ratio(max(SMALLEST_DIM, D), kind, state.choices.spread)
    return [*_shape(*batch_size(state, token_ids), D), *second, *_scale(D), *_cosine(max(TYPICAL_DIM, D), kind)]


def _shape(B: int, T: int, D: int) -> list[Check]:
    """Ask for the shape of the sum."""
    return ask(
        "shape",
        f"Token vectors [{B}, {T}, {D}] + position vectors [{T}, {D}]: what shape comes out?",
        str([B, T, D]),
        [
            Option(
                str([B, T, 2 * D]),
                "the two vectors are concatenated",
                f"They are added number by number, so D = {D:,} stays.",
            ),
            Option(
                str([B, 2 * T, D]),
                "positions are tokens of their own",
                f"Each of the T = {T:,} places gets its position added; there are no more places than before.",
            ),
            Option(
                "none: torch raises an error",
                "only equal shapes can be added",
                f"[{T}, {D}] is read as [1, {T}, {D}], and its one sheet is added to each of the B = {B:,} sequences.",
            ),
        ],
        f"A sum has the shape of what is added: [B, T, D] = [{B}, {T}, {D}].",
    )


def number(value: float) -> str:
    """Return a number to 4 decimals, without a minus before zero.

    >>> number(-0.00001)
    '0.0000'
    """
    return f"{round(value, 4) + 0.0:.4f}"


def _cell(state: State, token_ids: Ids) -> list[Check]:
    """Ask for one number of the sum, where tables are small enough to be drawn for it."""
    settings, choices = state.settings, state.choices
    V, D, T = settings.vocab_size, settings.dim, settings.context_length
    if settings.position == "none" or (V + T) * D > CELLS_DRAWN:
        return []
    ids = some_ids(state, token_ids, T)
    t, d = min(choices.t, len(ids) - 1), min(choices.d, D - 1)
    tables = draw_tables(settings)
    W, P = tables.token.weight[ids[t], d].item(), tables.position[t, d].item()
    out = walk(torch.tensor([ids]), settings, tables)["combined"].tensor[0, t, d].item()
    root = math.sqrt(D) if settings.scale else 1.0
    times = f", and √D = {root:.4f} multiplies the token vectors" if settings.scale else ""
    return ask(
        "cell",
        f"Place {t:,} of a sequence has ID {ids[t]:,}. W[{ids[t]}, {d}] = {number(W)} and P[{t}, {d}] = "
        f"{number(P)}{times}. What is the combined number in column {d:,}?",
        number(out),
        [
            Option(
                number(W * root), "positions stand beside the vectors", f"P[{t}, {d}] is added to this very number."
            ),
            Option(number(W * root * P), "token and position are multiplied", "They are added."),
            Option(number(out / 2), "the sum is an average", "Nothing is divided by 2: it is a sum."),
            Option(number(W / root + P), "√D should divide", f"The token vectors are multiplied by {root:.4f}."),
        ],
        f"{number(W)}{f' × {root:.4f}' if settings.scale else ''} + ({number(P)}) = {number(out)}, up to the last "
        "digit.",
    )


def _scale(D: int) -> list[Check]:
    """Ask what √D multiplies."""
    root = f"√{D} = {math.sqrt(D):.4f}"
    return ask(
        "scale",
        f"D = {D:,}. What did the embedding of the first Transformer do with {root}?",
        "it multiplied the token vectors by it, before positions were added",
        [
            Option(
                "it divided the token vectors by it",
                "√D should divide",
                "Its weights were drawn small, about 1/√D in spread; a product brings them up to the positions.",
            ),
            Option(
                "nothing: attention scores were divided by it",
                "√D is about attention",
                "Attention divides by the root of the size of its keys: another root, at another place.",
            ),
            Option(
                "it multiplied the sum of tokens and positions by it",
                "√D multiplies the sum",
                "Then it would change nothing in how the two compare; only the token vectors are multiplied.",
            ),
        ],
        "Vaswani et al. (2017), section 3.4: in the embedding layers the weights are multiplied by √D. The positions "
        "of section 3.5 are added afterwards.",
    )


def plain(ratio: float) -> str:
    """Return a ratio to three digits.

    >>> plain(0.0283), plain(22.63), plain(1448.2)
    ('0.0283', '22.6', '1,448')
    """
    return f"{ratio:,.0f}" if ratio >= 100 else f"{ratio:.3g}"


def _ratio(D: int, kind: str, spread: str) -> list[Check]:
    """Ask how token and position compare once √D has multiplied the tokens."""
    sigma, root = SPREADS[spread](D), math.sqrt(D)
    position = sigma * expected_length(D, kind) if kind == "learned" else expected_length(D, kind)
    without = sigma * expected_length(D, "learned") / position
    drawn = "positions are learned, drawn with the same spread" if kind == "learned" else "positions are sinusoidal"
    return ask(
        "ratio",
        f"Token weights are drawn from N(0, 1) times {sigma:.4g}, D = {D:,}, {drawn}. The token vectors are multiplied "
        f"by √D = {root:.4g}. About how many times as long as a position vector is a token vector then?",
        plain(without * root),
        [
            Option(
                "1",
                "√D always balances the two",
                f"What √D does depends on the weights: here the two stand at {plain(without)} to 1 without it.",
            ),
            Option(plain(without), "√D changes nothing", f"That is the ratio without √D = {root:.4g}."),
            Option(plain(without / root), "√D should divide", f"The token vectors are multiplied by {root:.4g}."),
            Option(plain(without * D), "D multiplies, and not its root", f"That is D = {D:,} times, not √D times."),
        ],
        f"Lengths are about {plain(sigma * root * root)} (token, with √D) and {plain(position)} (position).",
    )


def _cosine(D: int, kind: str) -> list[Check]:
    """Ask how much of the token is left in the sum."""
    over = expected_length(D, "learned") / expected_length(D, kind)
    expected = over / math.hypot(1, over)
    return ask(
        "cosine",
        f"Token weights are drawn from N(0, 1), D = {D:,}, positions are {kind}, nothing is scaled. About how large is "
        "the cosine of a token vector with itself plus its position? (1: the same direction, 0: nothing in common.)",
        f"{expected:.2f}",
        [
            Option(
                "0.00",
                "adding the position ruins the meaning",
                f"In D = {D:,} dimensions two random directions are nearly at right angles, so the token stays "
                "visible.",
            ),
            Option("1.00", "positions leave no trace", "A position vector is not short beside a token vector."),
            Option("0.50", "a sum is half one, half the other", "Cosines do not divide like shares."),
        ],
        f"Two vectors at right angles whose lengths are as {over:.3g} to 1 make a sum with a cosine of about "
        f"{expected:.2f} to the first: most of the token's direction is still there to be read.",
    )
