"""What an experiment consists of: its parameters, its program, and what there is to say about its run."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from inspect import signature
from pathlib import Path
from typing import Any

from components.base.field_types import FieldType, IntegerField
from components.base.limits import MAX_CONTEXT_LENGTH, MAX_DIM, MAX_LAB_CELLS, MAX_SEED, MAX_VOCAB_SIZE
from components.failures.invalid_values import InvalidValue
from components.programs.handout import LIBRARIES, VALUES, assignments, cells, names_in

PROGRAMS = Path(__file__).with_name("programs")
FAILS, FIXED = "It fails", "Fixed"  # the cells of a program, besides its values and the libraries


@dataclass(frozen=True)
class Case:
    """What there is to say about the run of an experiment with the learner's numbers.

    `assumption` is what a learner may expect before the run, `change` describes the fix, `avoid` what would only hide
    the cause, and `gpu` what differs on a GPU.
    """

    assumption: str
    invalid_values: list[InvalidValue]
    explanation: str
    change: str
    gpu: str
    avoid: str = ""
    ids: list | None = None  # the IDs to show if the program fails before it creates a tensor of them


@dataclass(frozen=True)
class Parameter:
    """A value that the learner may set: its field type with its range, and its default."""

    field_type: FieldType
    default: Any


Values = Mapping[str, Any]


@dataclass(frozen=True)
class Experiment:
    """An experiment of the catalogue; `case` takes its run and the parameters, `more` gives further arguments.

    `remark` is what to notice in all experiments with the same cause; `group` is by the message that one sees.
    """

    name: str
    title: str
    remark: str
    group: str
    parameters: Mapping[str, Parameter]
    case: Callable[..., Case]
    more: Callable[..., Values]

    @property
    def program(self) -> Path:
        """The file of the program, which runs as it stands with the default values."""
        return PROGRAMS / f"{self.name}.py"

    def arguments(self, values: Values) -> Values:
        """Return the values of the program for these values of the parameters."""
        return {**values, **self.more(**values)}

    def code(self, values: Values) -> tuple[str, str]:
        """Return the program with these values of the parameters, and the fix that runs after it.

        How torch prints is set for the whole process, so that line of "Libraries" is only in the file.
        """
        program, arguments = cells(self.program), self.arguments(values)
        first, fixed = names_in(program[FAILS]), names_in(program[FIXED])
        imports, _, _ = program.get(LIBRARIES, "").partition("\n\n")
        fails = [assignments(program[VALUES], arguments, first).text, imports, program[FAILS]]
        fix = [assignments(program[VALUES], arguments, fixed - first).text, program[FIXED]]
        return "\n\n".join(filter(None, fails)), "\n\n".join(filter(None, fix))

    def with_defaults(self, parameters: Values) -> dict[str, Any]:
        """Return all parameters, with defaults for those that are missing.

        Raises ValueError if a name is unknown or a value is out of range. The message is shown to learners.
        """
        if unknown := parameters.keys() - self.parameters.keys():
            names = ", ".join(self.parameters)
            raise ValueError(f"{self.name} has no parameter {min(unknown)!r}: it takes {names}.")
        values = {name: parameters.get(name, parameter.default) for name, parameter in self.parameters.items()}
        for name, parameter in self.parameters.items():
            parameter.field_type.check(values[name])
        check_sizes(values)
        return values


SIZES = {
    "V": Parameter(IntegerField("V", 1, MAX_VOCAB_SIZE), 6),
    "D": Parameter(IntegerField("D", 1, MAX_DIM), 3),
    "T": Parameter(IntegerField("T", 1, MAX_CONTEXT_LENGTH), 4),
    "seed": Parameter(IntegerField("seed", 0, MAX_SEED), 123),
}
V_FROM_2 = Parameter(IntegerField("V", 2, MAX_VOCAB_SIZE), 6)


def experiment(
    title: str, remark: str, group: str, more: Callable[..., Values] = lambda **values: {}, **parameters: Parameter
) -> Callable[[Callable[..., Case]], Experiment]:
    """Turn a function that returns a case into an experiment; its program is the file of the same name.

    V, D, T and seed have common ranges and defaults, so they are only passed if they differ.
    """

    def create(case: Callable[..., Case]) -> Experiment:
        _, *names = signature(case).parameters  # after the run
        known = {name: parameters.get(name) or SIZES[name] for name in names}
        return Experiment(case.__name__, title, remark, group, known, case, more)

    return create


def check_sizes(values: Values) -> None:
    """Raise ValueError if a tensor of these sizes is too large for the error lab."""
    D = values.get("D", 1)
    for letters in ("V",), ("B", "T"):
        rows = math.prod(values.get(letter, 1) for letter in letters)
        if rows * D > MAX_LAB_CELLS:
            sizes = " x ".join(f"{letter} = {values[letter]:,}" for letter in (*letters, "D") if letter in values)
            limit = f"experiments are limited to {MAX_LAB_CELLS:,}"
            raise ValueError(f"{sizes} has {rows * D:,} elements; {limit}. Lower D to {MAX_LAB_CELLS // rows:,}.")
