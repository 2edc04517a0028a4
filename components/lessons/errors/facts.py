"""Facts for the questions on errors, with the sizes that the learner has chosen there."""

from functools import lru_cache

from components.base.link import State
from components.base.text_format import pluralize
from components.failures.catalogue import run_failure
from components.questions.own_ids import question_rng
from components.questions.quiz import Facts, Ids

SMALL_V, SMALL_D = 6, 1  # of experiments whose outcome depends on neither
MAX_T = 8  # of the silent sum, as in its experiment


def id_equals_v(state: State, token_ids: Ids) -> Facts:
    """Return the facts on a lookup of ID V.

    >>> from components.lessons.errors.choices import Choices
    >>> id_equals_v(State(choices=Choices()), [])["exception"]
    'IndexError'
    """
    V = max(2, state.choices.lab_V)
    return {"V": V, "last": V - 1} | _raised("id_equals_v", V=V, D=SMALL_D)


def no_row(state: State, token_ids: Ids) -> Facts:
    """Return the facts on a batch with IDs that are out of range."""
    V, rng = max(2, state.choices.lab_V), question_rng(state, "errors")
    n_equal, n_negative = rng.choice([(1, 2), (2, 1)])
    n_above = rng.randint(0, 1)
    ids = [V] * n_equal + [-rng.randint(1, V) for _ in range(n_negative)] + [V + rng.randint(1, V)] * n_above
    ids += [V - 1, *(rng.randrange(V) for _ in range(2))]
    rng.shuffle(ids)
    n = n_equal + n_negative + n_above
    facts = {"V": V, "last": V - 1, "ids": ", ".join(map(str, ids)), "n": n, "n_plus_1": n + 1}
    facts |= {"n_equal": n_equal, "n_negative": n_negative, "n_above": n_above}
    return facts | {"n_without_equal": n - n_equal, "n_without_negative": n - n_negative}


def which_table(state: State, token_ids: Ids) -> Facts:
    """Return the facts on a sequence that is too long for the position embedding table."""
    T = max(1, state.choices.lab_T)
    facts = {"T": T, "rows": pluralize(T, "row"), "T_plus_1": T + 1, "last": T - 1}
    return facts | _raised("past_position_table", V=SMALL_V, D=SMALL_D, T=T)


def silent(state: State, token_ids: Ids) -> Facts:
    """Return the facts on a sum that broadcasts to the right shape with the wrong meaning."""
    return {"T": min(max(2, state.choices.lab_T), MAX_T), "D": max(1, state.choices.lab_D)}


@lru_cache(maxsize=32)
def _raised(name: str, **sizes: int) -> dict[str, str]:
    """Return the type and the message of what an experiment raises; it is run once.

    >>> _raised("id_equals_v", V=6, D=1)
    {'exception': 'IndexError', 'message': 'index out of range in self'}
    """
    outcome = run_failure(name, **sizes)
    return {"exception": outcome.exception.__name__ if outcome.exception else "", "message": outcome.message}
