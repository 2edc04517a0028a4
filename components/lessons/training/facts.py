"""Facts for the questions on training."""

from functools import lru_cache
from hashlib import sha256
from itertools import combinations, pairwise, product

from jaxtyping import Float
from torch import Tensor
from torch.nn import functional as F

from components.base.learner_text import visible
from components.base.link import State
from components.base.text_format import pluralize
from components.caches.encoding import tokenizer
from components.caches.shared import shared
from components.caches.turns import torch_turn
from components.lessons.training.choices import Choices
from components.lessons.training.setup import checked_text, training_config
from components.questions.own_ids import question_rng, token_name
from components.questions.quiz import Facts, Ids
from components.training.config import TrainingConfig
from components.training.model import Training
from components.training.row_changes import MOST_ALIKE_ROWS
from components.training.training_text import PAD, TrainingText

OPTIMIZER_NAMES = {"sgd": "plain SGD", "momentum": "SGD with momentum", "adam": "Adam", "adamw": "AdamW"}
IDS_SHOWN = 8
CLEARLY = 0.01  # so much more alike than any other two are those that are asked for
MAX_MEET_LOGITS = 20_000  # B x T x V of a step: 200 of them take about 0.1 s


def meet(state: State, token_ids: Ids) -> Facts | None:
    """Return the two tokens whose rows are most alike after the steps of one press, and pairs that others expect.

    None if nothing can be trained in a moment, if no token often follows both, or if the weights are tied: then rows
    that follow each other become alike as well.
    """
    found = _text_and_config(state, token_ids)
    if found is None:
        return None
    text, config = found
    steps = Choices().train_more
    if config.tied or config.batch_size * text.inputs.shape[1] * text.vocab_size > MAX_MEET_LOGITS:
        return None
    rows = text.rows.tolist()
    before = {row: {a for a, b in pairwise(rows) if b == row} for row in text.frequent_rows(MOST_ALIKE_ROWS)}
    pairs, windows = [*combinations(before, 2)], (state.settings.context_length, state.settings.stride)
    found = _cosines_after(text, windows, config, steps)
    if found is None or not pairs:
        return None
    cosines = dict(zip(product(before, repeat=2), found.flatten().tolist(), strict=True))
    first, second = max(pairs, key=cosines.__getitem__)
    follower = text.common_follower(first, second)
    if follower is None:
        return None
    pairs.remove((first, second))
    if any(cosines[pair] > cosines[first, second] - CLEARLY for pair in pairs):
        return None
    pairs = [pair for pair in pairs if text.common_follower(*pair) is None]
    beside = next((pair for pair in map(sorted, pairwise(rows)) if tuple(pair) in pairs), None)
    if beside is None:
        return None
    least = min(pairs, key=lambda pair: cosines[pair])
    same_before = next((pair for pair in pairs if before[pair[0]] & before[pair[1]]), (first, second))  # or no option
    encoder = tokenizer(state.settings.tokenizer, state.text)

    def quoted(*rows: int) -> str:
        return " and ".join(f"“{visible(encoder.token_bytes(text.token_ids[row]))}”" for row in rows)

    facts = {"steps": steps, "pair": quoted(first, second), "cosine": cosines[first, second]}
    facts |= {"follows": quoted(follower)}
    for name, pair in {"beside": tuple(beside), "same_before": same_before, "least": least}.items():
        facts |= {name: quoted(*pair), f"{name}_cosine": cosines[pair]}
    return facts


# A few kB each: of a class with a seed for each learner.
@shared(256, key=lambda text, *rest: (sha256(text.rows).digest(), *rest))
def _cosines_after(
    text: TrainingText, windows: tuple[int, int], config: TrainingConfig, steps: int
) -> Float[Tensor, "n n"] | None:
    """Return the cosine similarity of every two of the frequent rows after some steps; None if NaN.

    `windows` are T and the stride, by which the windows of the same text differ.
    """
    training = Training(text, config)
    with torch_turn:
        for _ in range(steps):
            training.step()
    if training.diverged:
        return None
    table = training.table[text.frequent_rows(MOST_ALIKE_ROWS)]  # [n, D]
    return F.cosine_similarity(table[:, None], table[None], dim=-1)


def updates(state: State, token_ids: Ids) -> Facts:
    choices = state.choices
    config = training_config(state.settings, 1, choices)[0]
    updated = "looked_up" if choices.optimizer == "sgd" else "remembered"
    if choices.tied or config.decay_factor not in (0, 1):  # with 0 a row without a gradient has been 0 since step 1
        updated = "every"
    seen, position = "a token", question_rng(state, "updates").randrange(max(1, len(token_ids)))
    if len(token_ids):
        seen = token_name(state, token_ids, position)
    cases = {case: updated == case for case in ("looked_up", "remembered", "every")}
    return cases | _description(choices) | {"seen": seen, "decays": config.decays}


def padding(state: State, token_ids: Ids) -> Facts:
    return {"pad": PAD, "is_set": state.choices.padding_idx, "tied": state.choices.tied}


def parameters(state: State, token_ids: Ids) -> Facts | None:
    found = _text_and_config(state, token_ids)
    if found is None:
        return None
    text, config = found
    V, D, T = text.vocab_size, config.dim, state.settings.context_length
    learned, n_table, n_positions = config.position == "learned", V * D, T * D
    n = n_table * (1 if config.tied else 2) + n_positions * learned
    positions = {"learned": "learned positions", "sinusoidal": "sinusoidal positions", "none": "no positions"}
    shape = "" if config.position == "none" else f" [{T}, {D}]"
    output = "the same table as its output layer" if config.tied else f"an output layer [{D}, {V}] without bias"
    fixed = " Sinusoidal positions are computed, not trained." if config.position == "sinusoidal" else ""
    facts = {"V": V, "D": D, "T": T, "n": n, "tied": config.tied, "learned": learned, "fixed": fixed}
    facts |= {"single": T == 1, "rows": pluralize(T, "row")}
    facts |= {"positions": positions[config.position] + shape, "output": output}
    facts |= {"n_without_table": n - n_table, "n_window": n_positions, "n_table_twice": n + n_table}
    return facts | {"n_other_positions": n - n_positions if learned else n + n_positions}


def _description(choices: Choices) -> Facts:
    optimizer = OPTIMIZER_NAMES[choices.optimizer]
    if choices.optimizer == "adamw":
        optimizer += f" with weight decay {choices.weight_decay:g}"
    output = "tied to the table" if choices.tied else "a layer of its own"
    weights = "tied weights" if choices.tied else "weights not tied"
    return {"optimizer": optimizer, "output": output, "weights": weights, "tied": choices.tied}


def moves(state: State, token_ids: Ids) -> Facts | None:
    """Return which rows the first step changes, and which rows others might expect; sets of one size are one option.

    None if there is nothing to train on.
    """
    found = _text_and_config(state, token_ids)
    if found is None:
        return None
    text, config = found
    T, stride = state.settings.context_length, state.settings.stride
    windows, inputs, targets, moved = _first_step(text, config)
    still = {PAD} if config.padding_idx else set()
    every = {*range(text.vocab_size)}
    sets = {
        "looked_up": ({*inputs} - still, "looked up"),
        "with_targets": ({*inputs, *targets} - still, "targets too"),
        "used": ({row for row in every if text.counts[row]}, "the whole text"),
        "but_pad": (every - {PAD}, "all but <pad>"),
        "every": (every, "every row"),
    }
    options = {len(rows): f"{len(rows):,}: {words}" for rows, words in reversed(sets.values())}
    reached = "looked_up"
    if config.tied or config.decay_factor != 1:
        reached = "but_pad" if still and not config.tied else "every"
    if moved != sets[reached][0]:
        return None  # for example a step too small for float32
    answer = next(f"{len(rows):,}: {words}" for rows, words in sets.values() if rows == moved)
    options |= {len(moved): answer, 0: "0: no row"}
    texts = {name: options[len(rows)] for name, (rows, _) in sets.items()} | {"none": options[0]}
    positions = [w * stride + t for w in windows for t in range(T)]  # those beyond the end of the text are padding
    tokens = ", ".join(
        token_name(state, token_ids, n).split(" (ID")[0] if n < len(text.rows) else "<pad>"
        for n in positions[:IDS_SHOWN]
    )
    tokens += " …" if len(positions) > IDS_SHOWN else ""
    facts = {"answer": answer, "V": text.vocab_size, "tokens": tokens, "few": reached == "looked_up"}
    facts |= {"decays": config.decays}
    return _description(state.choices) | texts | facts


def _text_and_config(state: State, token_ids: Ids) -> tuple[TrainingText, TrainingConfig] | None:
    try:
        text = checked_text(token_ids, state.settings)
        return text, training_config(state.settings, text.vocab_size, state.choices)[0]
    except ValueError:
        return None


@lru_cache(8)
def _first_step(text: TrainingText, config: TrainingConfig) -> tuple[list[int], list[int], list[int], set[int]]:
    """Return the windows, inputs and targets of the first step, and the rows that it changes."""
    training = Training(text, config)
    windows = training.upcoming_windows
    training.step()
    moved = training.table.ne(training.previous_table).any(dim=1).nonzero().flatten().tolist()
    return windows.tolist(), training.batch.flatten().tolist(), text.targets[windows].flatten().tolist(), {*moved}
