"""What an experiment consists of: its parameters, its program, and the explanation of its run."""

import math
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from inspect import signature
from pathlib import Path
from typing import Any

from components.base.field_types import FieldType, IntegerField
from components.base.limits import MAX_CONTEXT_LENGTH, MAX_DIM, MAX_LAB_CELLS, MAX_SEED, MAX_VOCAB_SIZE
from components.base.templates import Facts, Template, fill
from components.failures.code_runner import CodeRun, run_code
from components.programs.handout import LIBRARIES, VALUES, assignments, cells, names_in

PROGRAMS = Path(__file__).with_name("programs")
TEXTS = tomllib.loads(Path(__file__).with_name("experiments.toml").read_text("utf-8"))
FAILS, FIXED = "It fails", "Fixed"  # the cells of a program, besides its values and the libraries


@dataclass(frozen=True)
class InvalidValue:
    """A value that makes the program fail or go wrong: the variable, the index in it, the value, and the reason."""

    name: str
    index: tuple[int, ...]
    value: Any
    reason: str

    def __str__(self) -> str:
        index = f"[{', '.join(map(str, self.index))}]" if self.index else ""
        return f"{self.name}{index} = {self.value!r}: {self.reason}"


@dataclass(frozen=True)
class Outcome:
    """The run of an experiment, the run of its fix with the same variables, and the explanation of both.

    `assumption` is what a learner may expect before the run, `change` describes the fix, `avoid` what would only hide
    the cause, and `gpu` what differs on a GPU.
    """

    run: CodeRun
    fixed: CodeRun
    invalid_values: list[InvalidValue]
    assumption: str
    explanation: str
    change: str
    avoid: str
    gpu: str


@dataclass(frozen=True)
class Parameter:
    """A value that the learner may set: its field type with its range, and its default."""

    field_type: FieldType
    default: Any


def whole_number(label: str, low: int, high: int, default: int) -> Parameter:
    return Parameter(IntegerField(label, low, high), default)


Values = Mapping[str, Any]
Result = tuple[list[InvalidValue], Facts]  # what is invalid in a run, and the facts that the texts need


@dataclass(frozen=True)
class Experiment:
    """An experiment of the catalogue; `find` takes its run and the parameters, `more` gives further arguments."""

    name: str
    texts: Mapping[str, Template]
    parameters: Mapping[str, Parameter]
    find: Callable[..., Result]
    more: Callable[..., Values]

    @property
    def title(self) -> str:
        return self.texts["title"]

    @property
    def group(self) -> str:
        """The heading in the catalogue."""
        return self.texts["group"]

    @property
    def remark(self) -> str:
        """What to notice in all experiments with the same cause."""
        return TEXTS["remarks"][self.texts["remark"]]

    @property
    def program(self) -> Path:
        """The file of the program, which runs unchanged with the default values."""
        return PROGRAMS / f"{self.name}.py"

    def arguments(self, values: Values) -> Values:
        """Return the values of the program for these values of the parameters."""
        return {**values, **self.more(**values)}

    def outcome(self, parameters: Values) -> Outcome:
        """Run the program and its fix, with defaults for parameters that are missing; raise as `with_defaults` does."""
        values = self.with_defaults(parameters)
        program, fix = self.code(values)
        run = run_code(program)
        fixed = run_code(fix, run.variables)
        invalid_values, facts = self.find(run, **values)
        parts = ("assumption", "explanation", "change", "avoid")
        texts = [fill(self.texts.get(part, ""), {**values, **facts}) for part in parts]
        return Outcome(run, fixed, invalid_values, *texts, fill(TEXTS["gpu"][self.texts["gpu"]], TEXTS["gpu"]))

    def code(self, values: Values) -> tuple[str, str]:
        """Return the program with these values of the parameters, and the fix that runs after it.

        How torch prints is set for the whole process, so that line of "Libraries" is only in the file.
        """
        program, arguments = cells(self.program), self.arguments(values)
        first, fixed = names_in(program[FAILS]), names_in(program[FIXED])
        imports, _, _ = program.get(LIBRARIES, "").partition("\n\n")
        fails = [assignments(program[VALUES], arguments, first)[0], imports, program[FAILS]]
        fix = [assignments(program[VALUES], arguments, fixed - first)[0], program[FIXED]]
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
    "V": whole_number("V", 1, MAX_VOCAB_SIZE, 6),
    "D": whole_number("D", 1, MAX_DIM, 3),
    "T": whole_number("T", 1, MAX_CONTEXT_LENGTH, 4),
    "seed": whole_number("seed", 0, MAX_SEED, 123),
}


def experiment(
    more: Callable[..., Values] = lambda **values: {}, **parameters: Parameter
) -> Callable[[Callable[..., Result]], Experiment]:
    """Turn a function into an experiment; its texts and its program are those of the same name.

    V, D, T and seed have common ranges and defaults, so they are only passed if they differ.
    """

    def create(find: Callable[..., Result]) -> Experiment:
        name, (_, *names) = find.__name__, signature(find).parameters  # after the run
        known = {name: parameters.get(name) or SIZES[name] for name in names}
        return Experiment(name, TEXTS["experiments"][name], known, find, more)

    return create


def check_sizes(values: Values) -> None:
    """Raise ValueError if a tensor of these sizes is too large for the error lab."""
    D = values.get("D", 1)
    for letters in ("V",), ("B", "T"):
        rows = math.prod(values.get(letter, 1) for letter in letters)
        if rows * D > MAX_LAB_CELLS:
            sizes = " × ".join(f"{letter} = {values[letter]:,}" for letter in (*letters, "D") if letter in values)
            limit = f"experiments are limited to {MAX_LAB_CELLS:,}"
            raise ValueError(f"{sizes} has {rows * D:,} elements; {limit}. Lower D to {MAX_LAB_CELLS // rows:,}.")
