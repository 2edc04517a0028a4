"""What a failure is made of: code with the learner's numbers in it, what cannot work there and why, and the repair."""

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from inspect import signature
from typing import Any

from components.core.exhibit import Run
from components.core.kinds import Kind, OneOf, Whole
from components.core.limits import MAX_CONTEXT_LENGTH, MAX_DIM, MAX_LAB_CELLS, MAX_SEED, MAX_VOCAB_SIZE
from components.core.nested import leaves

IDS_DTYPES = ("int64", "int32")  # what nn.Embedding takes


@dataclass(frozen=True)
class Offender:
    """A value that cannot work: the variable, its place in there, the value, and why.

    >>> str(Offender("ids", (0, 2), 6, "the token table has rows 0 to 5"))
    'ids[0, 2] = 6: the token table has rows 0 to 5'
    """

    name: str
    place: tuple[int, ...]
    value: Any
    why: str

    def __str__(self) -> str:
        place = f"[{', '.join(map(str, self.place))}]" if self.place else ""
        return f"{self.name}{place} = {self.value!r}: {self.why}"


@dataclass(frozen=True)
class Case:
    """A failure with numbers in: `thought`, what one might think before; `code` and `repair`, both complete programs.

    `offending` and `explain` look at what the code left behind; `change` says what the repair changes, `gpu` what
    differs on a GPU.
    """

    thought: str
    code: str
    offending: Callable[[Run], list[Offender]]
    explain: Callable[[Run], str]
    repair: str
    change: str
    gpu: str
    ids: list | None = None  # the IDs to draw, where the code may not get as far as a tensor of them


@dataclass(frozen=True)
class Parameter:
    """A value that the learner may set: its kind with its range, and what it is without them."""

    kind: Kind
    default: Any


@dataclass(frozen=True)
class Failure:
    """One entry of the catalogue: `case` gives it with numbers in."""

    name: str
    title: str
    parameters: Mapping[str, Parameter]
    case: Callable[..., Case]

    def with_defaults(self, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """Return all parameters, checked; raises ValueError, in a plain sentence, for what is out of bounds."""
        unknown = set(parameters) - set(self.parameters)
        if unknown:
            known = ", ".join(self.parameters)
            raise ValueError(f"{self.name} has no parameter {min(unknown)!r}: it takes {known}.")
        values = {name: parameters.get(name, known.default) for name, known in self.parameters.items()}
        for name, known in self.parameters.items():
            known.kind.check(values[name])
        if problem := too_many_cells(values):
            raise ValueError(problem)
        return values

    @property
    def thought(self) -> str:
        """What one might think before the code runs, with the defaults in."""
        return self.case(**self.with_defaults({})).thought

    @property
    def code(self) -> str:
        """The code that goes wrong, with the defaults in."""
        return self.case(**self.with_defaults({})).code


SIZES = {
    "V": Parameter(Whole("V", 1, MAX_VOCAB_SIZE), 6),
    "D": Parameter(Whole("D", 1, MAX_DIM), 3),
    "T": Parameter(Whole("T", 1, MAX_CONTEXT_LENGTH), 4),
    "seed": Parameter(Whole("seed", 0, MAX_SEED), 123),
}


def failure(title: str, **parameters: Parameter) -> Callable[[Callable[..., Case]], Failure]:
    """Turn a function that returns a case into an entry of the catalogue; V, D, T and seed need no description."""

    def entry(case: Callable[..., Case]) -> Failure:
        known = {name: parameters.get(name) or SIZES[name] for name in signature(case).parameters}
        return Failure(case.__name__, title, known, case)

    return entry


def too_many_cells(values: Mapping[str, Any]) -> str | None:
    """Return a sentence where a tensor of these sizes would be larger than this page runs, else None.

    >>> too_many_cells({"V": 50_257, "D": 256})
    'V = 50,257 x D = 256 has 12,865,792 cells; experiments go up to 1,048,576. Lower D to 20.'
    """
    D = values.get("D", 1)
    for letters in ("V",), ("B", "T"):
        rows = math.prod(values.get(letter, 1) for letter in letters)
        if rows * D > MAX_LAB_CELLS:
            sizes = " x ".join(f"{letter} = {values[letter]:,}" for letter in (*letters, "D") if letter in values)
            limit = f"experiments go up to {MAX_LAB_CELLS:,}"
            return f"{sizes} has {rows * D:,} cells; {limit}. Lower D to {MAX_LAB_CELLS // rows:,}."
    return None


def token_table(V: int, D: int, seed: int) -> str:
    """Return the lines that draw a token table [V, D], the one that every lesson draws for this seed."""
    return f"""\
import torch
from torch import nn

V, D = {V}, {D}
draw = torch.Generator().manual_seed({seed})
W = torch.randn(V, D, generator=draw)
token_table = nn.Embedding.from_pretrained(W)
"""


def rows_named(rows: int) -> str:
    """Return which rows a table has.

    >>> rows_named(4), rows_named(1), rows_named(0)
    ('has rows 0 to 3', 'has row 0 only', 'has no rows')
    """
    return f"has rows 0 to {rows - 1:,}" if rows > 1 else "has row 0 only" if rows else "has no rows"


def outside(run: Run, V: int, name: str = "ids") -> list[Offender]:
    """Return the IDs of the tensor `name` that have no row in a table of V rows."""
    rows = f"the token table {rows_named(V)}"
    ids = leaves(run.variables[name].tolist())
    return [Offender(name, place, i, rows) for place, i in ids if not 0 <= i < V]


def shape(run: Run, name: str, axis: int, why: str) -> Offender:
    """Return the size of one axis of the tensor `name` as the value that does not fit."""
    return Offender(f"{name}.shape", (axis,), run.variables[name].shape[axis], why)


def every(values: Iterable[tuple[tuple[int, ...], Any]], why: str) -> list[Offender]:
    """Return every ID as a value that cannot work."""
    return [Offender("ids", place, value, why) for place, value in values]


def dtypes(*names: str) -> Parameter:
    """Return a choice of dtypes by their names in torch, the first as the default."""
    return Parameter(OneOf("dtype", names), names[0])


ISSUES = "https://github.com/pytorch/pytorch/issues"
ON_GPU = {
    "lookup": (
        "The lookup starts all the same, and a check inside the GPU's own code stops it: a *device-side assert*. GPU "
        "work runs beside Python, so the exception may be raised at a later, innocent line; with the environment "
        "variable `CUDA_LAUNCH_BLOCKING=1` every line waits, and the traceback points at the lookup again. No ID is "
        "named there either, and the process cannot use the GPU any more until it is started again. The quickest way "
        "to the cause is the same batch on the CPU. This could not be run here. Sources: "
        "[CUDA semantics](https://docs.pytorch.org/docs/stable/notes/cuda.html#asynchronous-execution) in PyTorch's "
        f"documentation, [a report of such a lookup]({ISSUES}/29966), and [why only a restart helps]({ISSUES}/17425)."
    ),
    "checked": (
        "The same: types and shapes are compared before any work goes to the GPU, so the exception comes at once and "
        "from the same line; its words may name another device. This could not be run here. Source: "
        "[CUDA semantics](https://docs.pytorch.org/docs/stable/notes/cuda.html#asynchronous-execution) in PyTorch's "
        "documentation, which tells what does not come at once."
    ),
    "silent": (
        "The same numbers, and no exception either: [broadcasting]"
        "(https://docs.pytorch.org/docs/stable/notes/broadcasting.html) follows one rule everywhere. This could not be "
        "run here."
    ),
    "none": "No GPU takes part: this happens in Python before there is a tensor.",
}
