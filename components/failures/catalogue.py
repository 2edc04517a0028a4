"""The catalogue of the error lab by the message that one sees, and the outcome of running one of its experiments.

Every program shown is run, and every error shown is the one that the library raised in that run.
"""

from dataclasses import dataclass
from itertools import groupby
from typing import Any

from components.failures import cases, own
from components.failures.code_runner import CodeRun, run_code
from components.failures.experiment import TEXTS, Case, Experiment

_found = {each.name: each for module in (cases, own) for each in vars(module).values() if isinstance(each, Experiment)}
FAILURES = {name: _found[name] for name in TEXTS["experiments"]}
GROUPS = {title: tuple(group) for title, group in groupby(FAILURES.values(), key=lambda each: each.group)}


@dataclass(frozen=True)
class Outcome:
    """The run of an experiment, the run of its fix with the same variables, and what there is to say about them."""

    run: CodeRun
    fixed: CodeRun
    case: Case


def run_failure(name: str, **parameters: Any) -> Outcome:
    """Run an experiment of the catalogue and its fix, with defaults for parameters that are missing.

    Raises ValueError if the name is not in the catalogue or a parameter is out of range. The message is shown to
    learners.
    """
    if name not in FAILURES:
        raise ValueError(f"There is no experiment {name!r}: choose one of {', '.join(FAILURES)}.")
    experiment = FAILURES[name]
    values = experiment.with_defaults(parameters)
    program, fix = experiment.code(values)
    run = run_code(program)
    fixed = run_code(fix, run.variables)
    return Outcome(run, fixed, experiment.case(run, values))
