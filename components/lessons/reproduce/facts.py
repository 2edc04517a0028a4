"""Facts for the questions on reproducible random numbers."""

from components.base.link import State
from components.embedding.tables import NORMAL_BLOCK, token_table
from components.questions.quiz import Facts, Ids


def needed(state: State, token_ids: Ids) -> Facts:
    settings = state.settings
    return {"V": settings.vocab_size, "D": settings.dim, "T": settings.context_length, "seed": settings.seed}


def sampled_before(state: State, token_ids: Ids) -> Facts | None:
    """Return the facts on the numbers of a table, unless torch samples the end of it again, which takes more."""
    facts = needed(state, token_ids)
    V, D, T = facts["V"], facts["D"], facts["T"]
    if V * D % NORMAL_BLOCK:
        return None
    return facts | {"before": V * D, "after": (V + T) * D}


def first_row(state: State, token_ids: Ids) -> Facts:
    """Return the facts on row 0 of a table with one more row; the comparison uses as few rows as it needs."""
    facts = needed(state, token_ids)
    V, D, seed = facts["V"], facts["D"], facts["seed"]
    n_rows = min(V, 2 + NORMAL_BLOCK // D)  # later rows have no effect on the first one
    before, after = (token_table(rows, D, seed).weight[0] for rows in (n_rows, n_rows + 1))
    return facts | {"V_plus_1": V + 1, "same": before.equal(after), "block": NORMAL_BLOCK}
