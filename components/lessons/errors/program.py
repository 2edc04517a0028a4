"""The program of the lesson on errors: the chosen experiment with the learner's numbers, and its fix."""

from collections.abc import Sequence
from inspect import signature
from typing import Any

from components.base.link import State
from components.failures.catalogue import FAILURES
from components.failures.printed import format_result
from components.lessons.errors.choices import clamped


def show_error(experiment, arguments):
    """Run the chosen experiment, then its fix."""
    # %% The experiment
    # Each experiment is a function. An error is caught and printed with its type and its message; if there is none,
    # the result is printed.
    try:
        print(format_result(experiment(**arguments, fixed=False)))
    except Exception as error:
        print(f"{type(error).__name__}: {error}")
    # %% The fix
    # The same function with `fixed=True`; it raises nothing.
    print(format_result(experiment(**arguments, fixed=True)))


STORIES = (show_error,)


def values(state: State, token_ids: Sequence[int]) -> dict[str, Any] | None:
    """Return the values of the story; None if the experiment is not possible with these numbers.

    >>> from components.lessons.errors.choices import Choices
    >>> values(State(choices=Choices()), [])["arguments"]
    {'V': 6, 'D': 3, 'seed': 123}
    """
    experiment = FAILURES[state.choices.experiment]
    try:
        found = experiment.arguments(experiment.with_defaults(clamped(experiment, state)))
    except ValueError:
        return None
    names = [name for name in signature(experiment.program).parameters if name != "fixed"]
    return {"experiment": experiment.program, "arguments": {name: found[name] for name in names}}
