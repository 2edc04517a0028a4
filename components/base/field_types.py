"""The types of setting fields: each one reads a value from the text of a link, and checks a value."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar

from components.base.learner_text import show_hidden
from components.base.text_format import true_minus

MAX_OPTIONS_NAMED = 8
MAX_DIGITS = 4_000  # Python's int() raises ValueError beyond 4,300 digits


def quote(raw: Any, length: int = 40) -> str:
    """Return `raw` in quotation marks, on one line, cut to `length` characters, hidden ones as codes."""
    text = str(raw)
    line = " ".join(text[:length].split())
    return f"'{show_hidden(line)}{'…' if len(text) > length else ''}'"


@dataclass(frozen=True)
class FieldType:
    """The type of a field; messages, which are shown to learners, begin with its label and name its `fault`.

    `read` returns the value of a text and None, or the nearest valid value or the default, and a message on what was
    replaced.
    """

    label: str

    types: ClassVar[tuple[type, ...]] = (str,)

    def check(self, value: Any) -> None:
        """Raise ValueError unless a link gives back exactly this value."""
        if type(value) not in self.types or self.read(write_value(value), value)[1]:
            raise ValueError(f"{self.label} = {quote(value)} is {self.fault}.")

    def _replaced(self, raw: str, shown: str) -> str:
        return f"{self.label} = {quote(raw)} is {self.fault}: using {shown}."


@dataclass(frozen=True)
class NumberField(FieldType):
    """A number from `low` to `high`, both included."""

    low: float
    high: float

    noun: ClassVar[str]
    style: ClassVar[str]  # of the limits in a message
    pattern: ClassVar[str]
    number: ClassVar[Callable[[str], float]]  # the number that a text of this pattern contains

    @property
    def fault(self) -> str:
        return f"not a {self.noun} from {self._limit(self.low)} to {self._limit(self.high)}"

    def _limit(self, number: float) -> str:
        return true_minus(f"{number:{self.style}}")

    def read(self, raw: str, default: float) -> tuple[float, str | None]:
        if not re.fullmatch(self.pattern, raw, re.IGNORECASE):
            return default, self._replaced(raw, self._limit(default))
        value = self.number(raw)
        if self.low <= value <= self.high:
            return value, None
        side, limit = ("below", self.low) if value < self.low else ("above", self.high)
        nearest = self._limit(limit)
        return limit, f"{self.label} = {_shown(value)} is {side} the limit of {nearest}: using {nearest}."


def _shown(number: float) -> str:
    return true_minus(f"{number:,}") if abs(number) < 10**18 else quote(number, 20)


@dataclass(frozen=True)
class IntegerField(NumberField):
    types, noun, style, pattern = (int,), "whole number", ",", r"\s*[+-]?[0-9]+\s*"

    def number(self, raw: str) -> int:
        return int(raw.strip()[:MAX_DIGITS])

    def check(self, value: Any) -> None:
        if type(value) is int and not self.low <= value <= self.high:
            limits = f"is outside its limits: enter {self._limit(self.low)} to {self._limit(self.high)}."
            raise ValueError(f"{self.label} = {_shown(value)} {limits}")
        super().check(value)


@dataclass(frozen=True)
class FloatField(NumberField):
    types, noun, style, number = (float, int), "number", "g", float
    pattern = r"\s*[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]+)?\s*|\s*[+-]?inf\s*"


@dataclass(frozen=True)
class ChoiceField(FieldType):
    """One of a few names."""

    options: tuple[str, ...]

    @property
    def fault(self) -> str:
        names = [option for option in self.options if option]
        few = len(names) <= MAX_OPTIONS_NAMED
        return f"not one of {', '.join(names)}" if few else f"not one of the {len(names)} options"

    def read(self, raw: str, default: str) -> tuple[str, str | None]:
        return (raw, None) if raw in self.options else (default, self._replaced(raw, default or "none"))


@dataclass(frozen=True)
class BooleanField(FieldType):
    """True or False; 1 or 0 in a link."""

    types = (bool,)
    fault = "neither 1 nor 0"

    def read(self, raw: str, default: bool) -> tuple[bool, str | None]:
        value = {"1": True, "0": False, "true": True, "false": False}.get(raw.lower())
        return (default, self._replaced(raw, write_value(default))) if value is None else (value, None)


@dataclass(frozen=True)
class TextField(FieldType):
    """A line of text of at most `max_chars` characters."""

    max_chars: int

    @property
    def fault(self) -> str:
        return f"not a text of at most {self.max_chars:,} characters"

    def read(self, raw: str, default: str) -> tuple[str, str | None]:
        raw = raw.encode("utf-8", "replace").decode("utf-8")  # lone surrogates become ?
        if len(raw) <= self.max_chars:
            return raw, None
        problem = f"{self.label}: {len(raw):,} characters are more than the limit of {self.max_chars:,}"
        return raw[: self.max_chars], f"{problem}, so the first {self.max_chars:,} are used."


def setting_field(default: Any, field_type: FieldType, of_text: bool = False) -> Any:
    """Return a dataclass field with a default and the type of its values; `of_text`: a new text resets it."""
    return field(default=default, metadata={"field_type": field_type, "of_text": of_text})


def field_types_of(cls: type) -> dict[str, FieldType]:
    return {f.name: f.metadata["field_type"] for f in fields(cls)}


class CheckedFields:
    """What makes a frozen dataclass check its fields: it raises the ValueError of the first wrong value.

    An index starts at 0, and is clamped to the valid range when it is rendered.
    """

    def __post_init__(self) -> None:
        for name, field_type in field_types_of(type(self)).items():
            field_type.check(getattr(self, name))


def write_value(value: Any) -> str:
    """Return a value as text for a link; True and False become 1 and 0."""
    return str(int(value)) if isinstance(value, bool) else str(value)


def write_query(instance: Any) -> dict[str, str]:
    return {name: write_value(getattr(instance, name)) for name in field_types_of(type(instance))}


def read_values(defaults: Any, query: dict[str, str]) -> tuple[dict[str, Any], list[str]]:
    """Return the valid values of the fields that `query` names, and a message for each value that was replaced.

    A value that cannot be read is replaced by that of `defaults`, one out of range by the nearest limit.
    """
    values, problems = {}, []
    for name, field_type in field_types_of(type(defaults)).items():
        if name in query:
            values[name], problem = field_type.read(query[name], getattr(defaults, name))
            problems += [problem] if problem else []
    return values, problems
