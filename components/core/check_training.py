"""What a learner may think about training: which rows move, what padding_idx does, and what a flat map shows."""

from components.core.check_tokens import token_name
from components.core.checks import Check, Ids, Option, ask, dice
from components.core.choices import Choices
from components.core.limits import MAX_TRAINING_DIM, MAX_TRAINING_TOKENS
from components.core.link import State
from components.core.training_text import PAD, SPARE_ROWS

NAMES = {"sgd": "plain SGD", "momentum": "SGD with momentum", "adam": "Adam", "adamw": "AdamW"}
FLAT = 2  # directions on a map
IDS_SHOWN = 8
A_WINDOW = 6  # IDs, where the text has no window


def questions(state: State, token_ids: Ids) -> list[Check]:
    """Return the checks of the lesson on training.

    >>> [check.name for check in questions(State(), range(21))]
    ['moves', 'gradient', 'padding', 'map']
    """
    D = max(FLAT + 1, min(state.settings.dim, MAX_TRAINING_DIM))
    return [*_moves(state, token_ids), *_gradient(state, token_ids), *_padding(state.choices), *_flat_map(D)]


def reach(choices: Choices) -> str:
    """Return how far a step reaches: to the rows "looked up", to those "remembered" as well, or to "every" row.

    >>> reach(Choices()), reach(Choices(optimizer="adam")), reach(Choices(tied=True))
    ('looked up', 'remembered', 'every')
    """
    decays = choices.optimizer == "adamw" and choices.weight_decay > 0
    if choices.tied or decays:
        return "every"
    return "looked up" if choices.optimizer == "sgd" else "remembered"


def _moves(state: State, token_ids: Ids) -> list[Check]:
    """Ask which rows a step moves that are not in its batch."""
    choices = state.choices
    rule, how = NAMES[choices.optimizer], "tied to the table" if choices.tied else "a layer of its own"
    if choices.optimizer == "adamw":
        rule += f" with weight decay {choices.weight_decay:g}"
    place = dice(state, "training").randrange(max(1, len(token_ids)))
    seen = token_name(state, token_ids, place) if len(token_ids) else "a token"
    neither, one, both = "neither", "the first alone", "both"
    far = reach(choices)
    remembers = "Momentum and Adam keep a running sum or mean of earlier gradients, so the first goes on moving."
    why_wrong = {
        "looked up": {
            one: ("plain SGD remembers earlier gradients", "Plain SGD knows the gradient of this step only."),
            both: ("every step moves the whole table", "A row that is not looked up has a gradient of exactly 0."),
        },
        "remembered": {
            neither: ("without a gradient no row moves", "The step is made of more than the gradient of the moment."),
            both: ("what is remembered reaches every row", "The second never had a gradient to be remembered."),
        },
        "every": {
            neither: ("only rows that are looked up move", "Something else reaches every row here."),
            one: ("a row that never occurs cannot move", "It does not have to occur to be reached."),
        },
    }[far]
    tied = "The output layer is the table, and all rows take part in the softmax, so all get a gradient."
    why = {
        "looked up": "Only rows in the batch have a gradient, and plain SGD moves nothing else.",
        "remembered": f"{remembers} The second has nothing to remember.",
        "every": tied if choices.tied else "Weight decay shrinks every weight in every step, seen or not.",
    }[far]
    return ask(
        "moves",
        f"Optimizer: {rule}. Output layer: {how}. Suppose {seen} was in an earlier batch and is not in this one, "
        "and another token never occurs in the text. To which of their two rows does this step add something other "
        "than exactly 0?",
        {"looked up": neither, "remembered": one, "every": both}[far],
        [Option(text, *wrong) for text, wrong in why_wrong.items()],
        why,
    )


def _gradient(state: State, token_ids: Ids) -> list[Check]:
    """Ask how many rows get a gradient from one window."""
    T = state.settings.context_length
    n = min(len(token_ids), MAX_TRAINING_TOKENS)
    if n > T:
        start = dice(state, "window").randrange(n - T)
        window = [int(i) for i in token_ids[start : start + T + 1]]
        names = [token_name(state, token_ids, start + n).split(" (ID")[0] for n in range(min(T, IDS_SHOWN))]
        distinct = len(set(token_ids[:n]))
    else:
        window = dice(state, "window").choices(range(1, 2 * A_WINDOW), k=A_WINDOW)
        names = [f"ID {i}" for i in window[:-1]]
        distinct = len(set(window)) + 6
    V = distinct + 1 + SPARE_ROWS  # of the toy model, <pad> included
    inputs, asked = window[:-1], len(set(window[:-1]))
    shown = ", ".join(names) + (" …" if len(inputs) > IDS_SHOWN else "")
    tied = state.choices.tied
    wrong = [
        Option(f"{asked}", "only rows that are looked up have a gradient", "Tied, the output layer reaches all others.")
        if tied
        else Option(
            f"{V}", "every row has a gradient", f"The rows that were not looked up have exactly 0: {V - asked}."
        ),
        Option(
            f"{len(inputs)}",
            "every place has a row of its own",
            f"Among the {len(inputs)} IDs {asked} are different; an ID that comes again adds to the same gradient.",
        ),
        Option(
            f"{len(set(window))}",
            "targets are looked up as well",
            "Targets choose what the loss compares with; in the token table nothing is looked up for them.",
        ),
        Option("0", "no gradient passes a lookup", "None reaches the IDs, but the rows they picked do get one."),
    ]
    return ask(
        "gradient",
        f"The toy table has V = {V} rows; the output layer is {'the same table' if tied else 'a layer of its own'}. "
        f"Suppose a step takes one window, the tokens {shown} ({asked} different). How many rows of the token table "
        "get a gradient other than exactly 0?",
        f"{V if tied else asked}",
        wrong,
        f"Tied, each of the V = {V} rows is also an output, and each output takes part in the loss."
        if tied
        else f"A lookup sends its gradient back to the rows it read, here {asked}, and to no other.",
    )


def _padding(choices: Choices) -> list[Check]:
    """Ask what padding_idx does."""
    now = "is set: which of these does it" if choices.padding_idx else "is not set: which of these would it"
    return ask(
        "padding",
        f"padding_idx = {PAD} {now} do?",
        f"it keeps the lookup from sending a gradient to row {PAD}",
        [
            Option(
                "it hides <pad> from attention",
                "padding_idx masks attention",
                "Attention needs a mask of its own; an embedding knows nothing of it. (This toy model has no "
                "attention.)",
            ),
            Option(
                "it leaves <pad> out of the loss",
                "padding_idx masks the loss",
                "That is ignore_index of the loss. Here <pad> as a target counts like any other.",
            ),
            Option(
                "it fills short windows up with <pad>",
                "padding_idx does the padding",
                "The IDs must have been filled up before; it only names the row.",
            ),
        ],
        f"With it row {PAD} starts at zeros and gets no gradient from lookups. "
        + ("Tied, it gets one all the same, as an output." if choices.tied else "So it stays at zeros."),
    )


def _flat_map(D: int) -> list[Check]:
    """Ask what a flat map says about distances."""
    rest = f"{D - FLAT} directions" if D - FLAT > 1 else "direction"
    return ask(
        "map",
        f"On a flat map of rows with D = {D} numbers two tokens lie close together. What follows?",
        f"not much: they may be far apart in the other {rest}",
        [
            Option(
                f"their rows are close in all {D} dimensions",
                "distances in a 2-D map are real",
                f"The map keeps {FLAT} of {D} directions, and shows the rest as nothing.",
            ),
            Option(
                "the two tokens mean nearly the same",
                "close on a map means close in meaning",
                "Before training all rows are random, and some lie close on the map by chance.",
            ),
            Option(
                "the two tokens stand next to each other in the text",
                "a map shows places in the text",
                "A row has no place in the text; the same row serves all places of its token.",
            ),
        ],
        f"A map of {FLAT} directions can put together what is apart in the other {rest}. What is apart on this map "
        "is apart, though: leaving out directions only shortens distances.",
    )
