"""Facts for the questions on the way from text to combined embeddings."""

from components.base.limits import BYTES_PER_FLOAT
from components.base.link import State
from components.base.text_format import pluralize
from components.lessons.home.shown import Journey, Step, journey, same_id_steps
from components.questions.own_ids import batch_shape_or_default, question_rng, sample_ids, token_name
from components.questions.quiz import Facts, Ids


def same_id(state: State, token_ids: Ids) -> Facts | None:
    """Return None if no two tokens have the same ID, or if positions are off."""
    followed = _followed(state, token_ids)
    same = same_id_steps(followed) if followed else None
    if not same or state.settings.position == "none":
        return None
    first, second = same
    facts = {"id": first.token_id, "name": _name(state, token_ids, first.token_id)}
    facts |= {"first": first.position, "second": second.position, "same": first.position == second.position}
    facts |= {"first_sequence": first.sequence, "second_sequence": second.sequence}
    return facts | {"apart": first.sequence != second.sequence}


def numbers(state: State, token_ids: Ids) -> Facts:
    V, D, (B, T) = state.settings.vocab_size, state.settings.dim, batch_shape_or_default(state, token_ids)
    n = B * T
    facts = {"V": V, "D": D, "B": B, "T": T, "n": n, "n_numbers": n * D, "per_number": BYTES_PER_FLOAT}
    facts |= {"tokens": pluralize(n, "token"), "ids": pluralize(n, "ID"), "numbers": pluralize(D, "number")}
    facts |= {"off": state.settings.position == "none"}
    return facts | {"n_appended": 2 * n * D, "n_table": V * D, "n_bytes": BYTES_PER_FLOAT * n * D}


def context(state: State, token_ids: Ids) -> Facts:
    """Return the facts on one of the tokens in the figure, or on any if there is none."""
    followed = _followed(state, token_ids)
    steps = [*followed.steps().values()] if followed else [Step(0, 0, sample_ids(state, token_ids, 1)[0])]
    step = question_rng(state, "context").choice(steps)
    single = followed is not None and followed.ids.numel() == 1
    name = _name(state, token_ids, step.token_id) if followed else f"ID {step.token_id}"
    return {"position": step.position, "name": name, "single": single, "off": state.settings.position == "none"}


def _followed(state: State, token_ids: Ids) -> Journey | None:
    """Return None if there are no IDs, or some are out of range: the page then shows an error instead of a figure."""
    try:
        followed = journey(token_ids, state.settings)
    except ValueError:
        return None
    in_range = followed.ids.min() >= 0 and followed.ids.max() < state.settings.vocab_size
    return followed if in_range else None


def _name(state: State, token_ids: Ids, token_id: int) -> str:
    found = [] if state.settings.typed else [n for n, each in enumerate(token_ids) if each == token_id][:1]
    return token_name(state, token_ids, found[0]) if found else f"ID {token_id}"
