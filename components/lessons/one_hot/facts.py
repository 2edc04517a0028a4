"""Facts for the questions on one-hot vectors."""

from components.base.link import State
from components.base.text_format import numbered, pluralize
from components.embedding.one_hot import costs
from components.questions.own_ids import batch_shape_or_default, sample_ids
from components.questions.quiz import Facts, Ids

IDS_ASKED = 7


def multiplications(state: State, token_ids: Ids) -> Facts:
    V, D, (B, T) = state.settings.vocab_size, state.settings.dim, batch_shape_or_default(state, token_ids)
    n = B * T
    product = costs(n, V, D).multiplications
    facts = {"n": n, "V": V, "D": D, "product": product, "ids": pluralize(n, "ID"), "numbers": pluralize(D, "number")}
    facts |= {"copied": n * D, "takes": pluralize(product, "multiplication"), "single_row": V == 1}
    return facts | {"both_multiply": _of_each(product, n * D), "of_ids": _of_each(n * V, n)}


def _of_each(product: int, lookup: int) -> str:
    return f"{product:,} for both" if product == lookup else f"{product:,} and {lookup:,}"


def linear(state: State, token_ids: Ids) -> Facts:
    facts = multiplications(state, token_ids)
    V_times_D = facts["V"] * facts["D"]
    return facts | {"V_times_D": V_times_D, "size": pluralize(V_times_D, "number")}


def gradient(state: State, token_ids: Ids) -> Facts:
    """Return the facts on IDs of which one occurs more than once."""
    V, ids = state.settings.vocab_size, sample_ids(state, token_ids, IDS_ASKED)
    if len(set(ids)) == len(ids):
        ids = [*ids, ids[0]]
    n, n_different = len(ids), len(set(ids))
    facts = {"V": V, "D": state.settings.dim, "ids": ids, "repeated": next(i for i in ids if ids.count(i) > 1)}
    facts |= {"n": n, "n_different": n_different, "n_plus_different": n + n_different}
    return facts | {"selected": pluralize(n_different, "row")}


def columns(state: State, token_ids: Ids) -> Facts:
    ids = sample_ids(state, token_ids, IDS_ASKED)
    largest = max(ids)
    facts = {"V": state.settings.vocab_size, "D": state.settings.dim, "ids": ids, "n_different": len(set(ids))}
    facts |= {"largest": largest, "columns": numbered("column", 0, largest) + " alone" * (largest == 0)}
    return facts | {"n_columns": largest + 1, "n_columns_plus_1": largest + 2}
