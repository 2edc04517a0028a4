"""Facts for the questions on errors, with the sizes that the learner has chosen there."""

from functools import lru_cache
from typing import Any

from components.base.field_types import quote
from components.base.link import State
from components.base.text_format import pluralize, true_minus
from components.failures.catalogue import FAILURES, run_failure
from components.lessons.errors.choices import clamped
from components.questions.own_ids import question_rng
from components.questions.quiz import Facts, Ids

LONGEST_VALUE = 200  # characters of a value in a prompt
SILENT = "none: nothing is raised"


def outcome(state: State, token_ids: Ids) -> Facts | None:
    """Return None if the experiment cannot be run with the learner's numbers."""
    experiment = FAILURES[state.choices.experiment]
    try:
        values = experiment.with_defaults(clamped(experiment, state))
        found = _raised(experiment.name, **values)
    except ValueError:
        return None
    labels = {name: parameter.field_type.label for name, parameter in experiment.parameters.items() if name != "seed"}
    sizes = [f"{label} = {_written(values[name])}" for name, label in labels.items()]
    raised = found["exception"] or SILENT
    facts = found | {"raised": raised, "silent": not found["exception"], "title": experiment.title}
    facts |= {"known_word": experiment.name in ("unknown_word", "unknown_vector") and facts["silent"]}
    return facts | {"sizes": ", ".join(sizes)}


def no_row(state: State, token_ids: Ids) -> Facts:
    V, rng = max(2, state.choices.lab_V), question_rng(state, "errors")
    n_equal, n_negative = rng.choice([(1, 2), (2, 1)])
    n_above = rng.randint(0, 1)
    ids = [V] * n_equal + [-rng.randint(1, V) for _ in range(n_negative)] + [V + rng.randint(1, V)] * n_above
    ids += [V - 1, *(rng.randrange(V - 1) for _ in range(2))]  # the last row once
    rng.shuffle(ids)
    n = n_equal + n_negative + n_above
    facts = {"V": V, "last": V - 1, "ids": ", ".join(true_minus(str(each)) for each in ids), "n": n, "n_plus_1": n + 1}
    facts |= {"n_equal": n_equal, "n_negative": n_negative, "n_above": n_above}
    return facts | {"n_without_equal": n - n_equal, "n_without_negative": n - n_negative}


def which_table(state: State, token_ids: Ids) -> Facts:
    T = max(1, state.choices.lab_T)
    return {"T": T, "rows": pluralize(T, "row"), "T_plus_1": T + 1, "last": T - 1} | _raised("past_position_table")


def silent(state: State, token_ids: Ids) -> Facts:
    return {name: clamped(FAILURES["silent_batch"], state)[name] for name in ("T", "D")}


def _written(value: Any) -> str:
    if isinstance(value, int):
        return true_minus(f"{value:,}")
    return quote(value, LONGEST_VALUE)[1:-1] or "[ ]"


@lru_cache(maxsize=32)
def _raised(name: str, **sizes: Any) -> dict[str, str]:
    """Return what an experiment raises, by what and why, and what may be assumed before; it is run once."""
    found = run_failure(name, **sizes)
    return {
        "exception": found.run.exception,
        "message": found.run.message,
        "failed": found.run.failed,
        "cause": f" {found.invalid_values[0]}." if found.invalid_values else f" {found.explanation}",
        "assumption": found.assumption.removesuffix("."),
    }
