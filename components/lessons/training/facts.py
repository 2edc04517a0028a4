"""Facts for the questions on training."""

from components.base.limits import MAX_TRAINING_DIM, MAX_TRAINING_TOKENS
from components.base.link import State
from components.lessons.training.choices import Choices
from components.questions.own_ids import question_rng, token_name
from components.questions.quiz import Facts, Ids
from components.training.training_text import PAD, training_text

OPTIMIZER_NAMES = {"sgd": "plain SGD", "momentum": "SGD with momentum", "adam": "Adam", "adamw": "AdamW"}
MAP_DIM = 2  # directions on a map
IDS_SHOWN = 8
WINDOW_IDS = 6  # of a made-up window, if the text has none


def updates(state: State, token_ids: Ids) -> Facts:
    """Return the facts on rows outside the batch that a step changes."""
    choices, updated = state.choices, _updated_rows(state.choices)
    optimizer = OPTIMIZER_NAMES[choices.optimizer]
    if choices.optimizer == "adamw":
        optimizer += f" with weight decay {choices.weight_decay:g}"
    seen, position = "a token", question_rng(state, "updates").randrange(max(1, len(token_ids)))
    if len(token_ids):
        seen = token_name(state, token_ids, position)
    output = "tied to the table" if choices.tied else "a layer of its own"
    cases = {case: updated == case for case in ("looked_up", "remembered", "every")}
    return cases | {"optimizer": optimizer, "output": output, "seen": seen, "tied": choices.tied}


def gradient(state: State, token_ids: Ids) -> Facts:
    """Return the facts on the rows that get a gradient from one window of the text, or of another one.

    >>> gradient(State(choices=Choices()), range(21))["V"]
    25
    """
    T, rng = state.settings.context_length, question_rng(state, "window")
    ids = [int(i) for i in token_ids[:MAX_TRAINING_TOKENS]]
    if len(ids) > T and len(set(ids)) > 1:
        start = rng.randrange(len(ids) - T)
        window = ids[start : start + T + 1]
        names = [token_name(state, token_ids, start + n).split(" (ID")[0] for n in range(min(T, IDS_SHOWN))]
    else:
        ids = window = [*rng.choices(range(1, 2 * WINDOW_IDS), k=WINDOW_IDS - 1), 0]
        names = [f"ID {i}" for i in window[:-1]]
    inputs = window[:-1]
    V = training_text(ids, context_length=1, stride=1).vocab_size
    n, n_different = len(inputs), len(set(inputs))
    facts = {"V": V, "tied": state.choices.tied, "tokens": ", ".join(names) + (" …" if n > IDS_SHOWN else "")}
    facts |= {"n": n, "n_different": n_different, "n_others": V - n_different}
    return facts | {"n_with_target": len(set(window))}


def padding(state: State, token_ids: Ids) -> Facts:
    """Return the facts on padding_idx."""
    return {"pad": PAD, "is_set": state.choices.padding_idx, "tied": state.choices.tied}


def projection(state: State, token_ids: Ids) -> Facts:
    """Return the facts on the directions that a 2-D projection leaves out.

    >>> projection(State(), [])
    {'D': 16, 'others': '14 directions'}
    """
    D = max(MAP_DIM + 1, min(state.settings.dim, MAX_TRAINING_DIM))
    return {"D": D, "others": f"{D - MAP_DIM} directions" if D - MAP_DIM > 1 else "direction"}


def _updated_rows(choices: Choices) -> str:
    """Return which rows a step updates: those "looked_up", those "remembered" by the optimizer as well, or "every" row.

    >>> _updated_rows(Choices()), _updated_rows(Choices(optimizer="adam")), _updated_rows(Choices(tied=True))
    ('looked_up', 'remembered', 'every')
    """
    decays = choices.optimizer == "adamw" and choices.weight_decay > 0
    if choices.tied or decays:
        return "every"
    return "looked_up" if choices.optimizer == "sgd" else "remembered"
