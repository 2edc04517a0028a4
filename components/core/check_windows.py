"""What a learner may think about windows: how many there are, what their targets are, and which tokens are lost."""

from random import Random

from components.core.check_tokens import token_name
from components.core.checks import Check, Ids, Option, ask, dice
from components.core.link import State
from components.core.settings import Settings
from components.core.shapes import window_count
from components.core.windows import lost_tokens, sliding_windows

IDS_SHOWN = 6


def questions(state: State, token_ids: Ids) -> list[Check]:
    """Return the checks of the lesson on windows; a text too short for a window gives way to one of another length.

    >>> [check.name for check in questions(State(), range(21))]
    ['count', 'tail', 'stride_T', 'targets']
    """
    settings, choose = state.settings, dice(state, "windows")
    n, whose = len(token_ids), "Your text"
    if window_count(n, settings.context_length, settings.stride) == 0:
        token_ids, whose = [], "A text"
        n = settings.context_length + 1 + choose.randint(settings.stride, 4 * settings.stride)
    return [
        *_count(n, whose, settings),
        *_tail(n, whose, settings),
        *_stride_is_length(state, token_ids),
        *_targets(n, whose, token_ids, settings, choose),
    ]


def places(first: int, last: int) -> str:
    """Return which places are meant.

    >>> places(4, 7), places(4, 4)
    ('places 4 to 7', 'place 4 alone')
    """
    return f"places {first:,} to {last:,}" if last > first else f"place {first:,} alone"


def _count(n: int, whose: str, settings: Settings) -> list[Check]:
    """Ask how many windows there are."""
    T, stride = settings.context_length, settings.stride
    N, down = window_count(n, T, stride), (n - T) // stride
    ratio = f"({n:,} - {T:,}) / {stride:,} = {(n - T) / stride:,.2f}"
    return ask(
        "count",
        f"{whose} has {n:,} tokens. T = {T:,}, stride = {stride:,}: how many windows, each with its targets?",
        f"{N:,}",
        [
            Option(f"{down:,}", "the number of windows is rounded down", f"{ratio}, and that is rounded up."),
            Option(
                f"{down + 1:,}",
                "a window needs no token after it",
                f"The last of these would have T = {T:,} inputs, but no token is left as its last target.",
            ),
            Option(
                f"{n // T:,}",
                "windows are pieces of T, whatever the stride",
                f"{n:,} / {T:,} leaves out the stride of {stride:,} and the target after the window.",
            ),
            Option(
                f"{n - T:,}",
                "a window starts at every token",
                f"A window starts at every token for stride = 1 only; here it is {stride:,}.",
            ),
            Option(f"{n:,}", "every token starts a window", f"The last {T:,} tokens have too few tokens after them."),
            Option("0", "targets lie outside the text's windows", f"One window and its target need {T + 1:,} tokens."),
        ],
        f"N is (tokens - T) / stride, rounded up: {ratio}, so {N:,}.",
    )


def _tail(n: int, whose: str, settings: Settings) -> list[Check]:
    """Ask how many tokens are left over at the end."""
    T, stride = settings.context_length, settings.stride
    N = window_count(n, T, stride)
    start = (N - 1) * stride  # of the last window; the tail is the same when the text begins there
    lost = lost_tokens(n - start, T, stride, [0]).tail
    return ask(
        "tail",
        f"{whose} has {n:,} tokens, T = {T:,}, stride = {stride:,}. How many tokens at its end fill no window, and are "
        "neither an input nor a target?",
        f"{lost:,}",
        [
            Option(
                "0", "the last window is filled up", "Sliding windows are always full: what is left over is left out."
            ),
            Option(
                f"{lost + 1:,}",
                "a token that is only a target is lost",
                f"The token at place {start + T:,} is the last target, so it is used.",
            ),
            Option(f"{n % T:,}", "the rest of tokens / T is lost", f"That leaves out the stride of {stride:,}."),
            Option(
                f"{stride:,}", "a whole stride is lost", f"Then another window would fit: the rest is below {stride:,}."
            ),
            Option(
                f"{T + 1:,}", "a whole window is lost", "What is left over has nothing to do with the size of a window."
            ),
        ],
        f"The last of N = {N:,} windows starts at place {start:,} and its last target is at place {start + T:,}; the "
        f"text ends at place {n - 1:,}, {lost:,} further on.",
    )


def _stride_is_length(state: State, token_ids: Ids) -> list[Check]:
    """Ask what becomes of the token between two windows where stride = T."""
    T = state.settings.context_length
    token = f", {token_name(state, token_ids, T)}," if len(token_ids) > T else ""
    return ask(
        "stride_T",
        f"With stride = T = {T:,}, the first window has {places(0, T - 1)}, the second {places(T, 2 * T - 1)}. What is "
        f"the token at place {T:,}{token} used for?",
        "a target of the first window, and an input of the second",
        [
            Option(
                "an input of the second window only",
                "stride = T skips targets",
                f"The targets of the first window are {places(1, T)}: place {T:,} is among them.",
            ),
            Option(
                "a target of both windows",
                "stride = T shows a target twice",
                f"The targets of the second window are {places(T + 1, 2 * T)}: place {T:,} is not among them.",
            ),
            Option(
                "a target of the first window only",
                "a token is either an input or a target",
                f"The second window starts with place {T:,}; a token may be both, in two windows or in one.",
            ),
        ],
        f"Targets reach one place further than inputs. With stride = T = {T:,} they join without a gap and without a "
        "repetition.",
    )


def _targets(n: int, whose: str, token_ids: Ids, settings: Settings, choose: Random) -> list[Check]:
    """Ask what the targets of one window are."""
    T, stride = settings.context_length, settings.stride
    k = choose.randrange(window_count(n, T, stride))
    start, shown = k * stride, ""
    if len(token_ids):
        part = [int(i) for i in token_ids[start : start + T + 1]]
        inputs, moved = (row[0, :IDS_SHOWN].tolist() for row in sliding_windows(part, T, 1))
        shown = f" Its IDs begin with {inputs}, its targets with {moved}."
    window = places(start, start + T - 1)
    return ask(
        "targets",
        f"{whose} has {n:,} tokens. With stride = {stride:,}, window {k:,} (counted from 0) reads {window}. Where are "
        "its targets?",
        places(start + 1, start + T),
        [
            Option(
                places(start + T, start + 2 * T - 1),
                "the targets are the next window",
                "Every token is to be told from those before it, so its target is the very next token.",
            ),
            Option(window, "the targets are the inputs", "A model that repeats its input has nothing to learn."),
            Option(
                places(start + T, start + T),
                "a window has one target",
                f"A window has a target for each of its T = {T:,} tokens: that makes {T:,} predictions at once.",
            ),
            Option(
                places(start, start + T),
                "the targets are the inputs and one token more",
                f"Targets have the shape of the inputs: {T:,}, not {T + 1:,}.",
            ),
        ],
        f"The targets are the inputs moved by one: {places(start + 1, start + T)}.{shown}",
    )
