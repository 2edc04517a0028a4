"""Facts for the questions on the way from text to combined embeddings."""

from components.base.limits import BYTES_PER_FLOAT
from components.base.link import State
from components.lessons.home.shown import Step, first_steps, journey_ids, repeated_steps
from components.questions.own_ids import batch_shape_or_default, question_rng, sample_ids, token_name
from components.questions.quiz import Facts, Ids


def same_id(state: State, token_ids: Ids) -> Facts | None:
    """Return the facts on two tokens with the same ID; None if there are none, or if positions are off."""
    steps = _steps(state, token_ids)
    same = repeated_steps(steps)
    if not same or state.settings.position == "none":
        return None
    first, second = same
    facts = {"id": first.token_id, "name": _name(state, token_ids, first.token_id)}
    facts |= {"first": first.position, "second": second.position, "same": first.position == second.position}
    facts |= {"first_sequence": first.sequence, "second_sequence": second.sequence}
    return facts | {"apart": first.sequence != second.sequence}


def numbers(state: State, token_ids: Ids) -> Facts:
    """Return the facts on how many numbers the model reads for the batch.

    >>> numbers(State(), range(9))["n_numbers"]
    128
    """
    V, D, ids = state.settings.vocab_size, state.settings.dim, journey_ids(token_ids, state.settings)
    B, T = batch_shape_or_default(state, token_ids) if ids is None else ids.shape
    n = B * T
    facts = {"V": V, "D": D, "B": B, "T": T, "n": n, "n_numbers": n * D, "per_number": BYTES_PER_FLOAT}
    return facts | {"n_appended": 2 * n * D, "n_table": V * D, "n_bytes": BYTES_PER_FLOAT * n * D}


def context(state: State, token_ids: Ids) -> Facts:
    """Return the facts on a token among others: one of the figure, or any if there is none."""
    steps = _steps(state, token_ids) or [Step(0, 0, sample_ids(state, token_ids, 1)[0])]
    step = question_rng(state, "context").choice(steps)
    return {"position": step.position, "name": _name(state, token_ids, step.token_id)}


def _steps(state: State, token_ids: Ids) -> list[Step]:
    ids = journey_ids(token_ids, state.settings)
    return [] if ids is None else first_steps(ids)


def _name(state: State, token_ids: Ids, token_id: int) -> str:
    found = [] if state.settings.typed else [n for n, each in enumerate(token_ids) if each == token_id][:1]
    return token_name(state, token_ids, found[0]) if found else f"ID {token_id}"
