"""The catalogue of the error lab, by group.

Every program shown is run, and every error shown is the one that the library raised in that run.
"""

from itertools import groupby
from typing import Any

from components.failures import cases, own
from components.failures.experiment import TEXTS, Experiment, Outcome

_found = {each.name: each for module in (cases, own) for each in vars(module).values() if isinstance(each, Experiment)}
FAILURES = {name: _found[name] for name in TEXTS["experiments"]}
GROUPS = {title: tuple(group) for title, group in groupby(FAILURES.values(), key=lambda each: each.group)}


def run_failure(name: str, **parameters: Any) -> Outcome:
    """Run an experiment of the catalogue and its fix, with defaults for parameters that are missing.

    Raises ValueError if the name is not in the catalogue or a parameter is out of range. The message is shown to
    learners.
    """
    if name not in FAILURES:
        raise ValueError(f"There is no experiment {name!r}: choose one of {', '.join(FAILURES)}.")
    return FAILURES[name].outcome(parameters)
