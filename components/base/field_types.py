"""The types of setting fields: each one checks a value and reads a value from the text of a link.

`check` raises ValueError with a message that a learner can act on. `read` never raises: it returns the value and None,
or the nearest valid value and a message on what was replaced.
"""

import re
from dataclasses import dataclass, fields
from typing import Any


def quote(raw: Any, length: int = 40) -> str:
    """Return `raw` in quotation marks, on one line, cut to `length` characters, invisible characters replaced by �.

    >>> quote("abc"), quote("x" * 99, 3), quote("two\\nlines"), quote("\\u202e7")
    ("'abc'", "'xxx…'", "'two lines'", "'�7'")
    """
    line = " ".join(str(raw)[: length + 1].split())
    line = "".join(character if character.isprintable() else "�" for character in line)
    return f"'{line[:length]}…'" if len(str(raw)) > length else f"'{line}'"


MAX_OPTIONS_NAMED = 8
MAX_DIGITS = 4_000  # Python's int() raises ValueError beyond 4,300 digits


def _shown(number: int) -> str:
    return f"{number:,}" if abs(number) < 10**18 else quote(number, 20)


def _nearest(field: Any, value: float, shown: str, style: str) -> tuple[Any, str | None]:
    """Return the number of a field that is nearest to `value`, and a message if it is another one."""
    if field.low <= value <= field.high:
        return value, None
    side, limit = ("below", field.low) if value < field.low else ("above", field.high)
    return limit, f"{field.label} = {shown} is {side} the limit of {limit:{style}}: using {limit:{style}}."


@dataclass(frozen=True)
class IntegerField:
    """An integer from `low` to `high`, both included.

    >>> IntegerField("V", 1, 50).read("0", 8)
    (1, 'V = 0 is below the limit of 1: using 1.')
    >>> IntegerField("V", 1, 50).read("abc", 8)
    (8, "V = 'abc' is not a whole number from 1 to 50: using 8.")
    """

    label: str
    low: int
    high: int

    def check(self, value: Any) -> None:
        if isinstance(value, bool) or not isinstance(value, int):
            raise ValueError(f"{self.label} = {quote(value)} is not a whole number from {self.low:,} to {self.high:,}.")
        if not self.low <= value <= self.high:
            limits = f"is outside its limits: enter {self.low:,} to {self.high:,}."
            raise ValueError(f"{self.label} = {_shown(value)} {limits}")

    def read(self, raw: str, default: int) -> tuple[int, str | None]:
        if re.fullmatch(r"\s*[+-]?[0-9]+\s*", raw):
            value = int(raw.strip()[:MAX_DIGITS])
        else:
            problem = f"{self.label} = {quote(raw)} is not a whole number from {self.low:,} to {self.high:,}"
            return default, f"{problem}: using {default:,}."
        return _nearest(self, value, _shown(value), ",")


@dataclass(frozen=True)
class FloatField:
    """A number, with or without a fraction, from `low` to `high`, both included.

    >>> FloatField("rate", 0.0, 1e6).read("0.5", 1.0), FloatField("rate", 0.0, 1e6).read("1e9", 1.0)
    ((0.5, None), (1000000.0, "rate = '1e9' is above the limit of 1e+06: using 1e+06."))
    """

    label: str
    low: float
    high: float

    def check(self, value: Any) -> None:
        if isinstance(value, bool) or not isinstance(value, int | float) or not self.low <= value <= self.high:
            raise ValueError(f"{self.label} = {quote(value)} is not a number from {self.low:g} to {self.high:g}.")

    def read(self, raw: str, default: float) -> tuple[float, str | None]:
        if re.fullmatch(r"\s*[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]+)?\s*|\s*[+-]?inf\s*", raw, re.IGNORECASE):
            value = float(raw)
        else:
            problem = f"{self.label} = {quote(raw)} is not a number from {self.low:g} to {self.high:g}"
            return default, f"{problem}: using {default:g}."
        return _nearest(self, value, quote(raw), "g")


@dataclass(frozen=True)
class ChoiceField:
    """One of a few names.

    >>> ChoiceField("position", ("none", "learned")).read("foo", "learned")
    ('learned', "position = 'foo' is not one of none, learned: using learned.")
    """

    label: str
    options: tuple[str, ...]

    def check(self, value: Any) -> None:
        if value not in self.options:
            raise ValueError(f"{self.label} = {quote(value)} is not {self._named}.")

    def read(self, raw: str, default: str) -> tuple[str, str | None]:
        if raw in self.options:
            return raw, None
        return default, f"{self.label} = {quote(raw)} is not {self._named}: using {default or 'none'}."

    @property
    def _named(self) -> str:
        names = [option for option in self.options if option]
        few = len(names) <= MAX_OPTIONS_NAMED
        return f"one of {', '.join(names)}" if few else f"one of the {len(names)} options"


@dataclass(frozen=True)
class BooleanField:
    """True or False; 1 or 0 in a link.

    >>> BooleanField("scale").read("1", False), BooleanField("scale").read("maybe", False)
    ((True, None), (False, "scale = 'maybe' is neither 1 nor 0: using 0."))
    """

    label: str

    def check(self, value: Any) -> None:
        if not isinstance(value, bool):
            raise ValueError(f"{self.label} = {quote(value)} is neither True nor False.")

    def read(self, raw: str, default: bool) -> tuple[bool, str | None]:
        values = {"1": True, "0": False, "true": True, "false": False}
        if raw.lower() in values:
            return values[raw.lower()], None
        return default, f"{self.label} = {quote(raw)} is neither 1 nor 0: using {int(default)}."


@dataclass(frozen=True)
class TextField:
    """A line of text of at most `max_chars` characters.

    >>> TextField("search", 3).read("abcdef", "")
    ('abc', 'search has 6 characters; the limit is 3: using the first 3.')
    """

    label: str
    max_chars: int

    def check(self, value: Any) -> None:
        if not isinstance(value, str) or len(value) > self.max_chars:
            raise ValueError(f"{self.label} = {quote(value)} is not a text of at most {self.max_chars:,} characters.")

    def read(self, raw: str, default: str) -> tuple[str, str | None]:
        raw = raw.encode("utf-8", "replace").decode("utf-8")  # lone surrogates become ?
        if len(raw) <= self.max_chars:
            return raw, None
        problem = f"{self.label} has {len(raw):,} characters; the limit is {self.max_chars:,}"
        return raw[: self.max_chars], f"{problem}: using the first {self.max_chars:,}."


FieldType = IntegerField | FloatField | ChoiceField | BooleanField | TextField


def field_types_of(cls: type) -> dict[str, FieldType]:
    """Return the type of every field of a settings dataclass, by field name.

    >>> from components.base.settings import Settings
    >>> field_types_of(Settings)["dim"]
    IntegerField(label='D', low=1, high=1024)
    """
    return {f.name: f.metadata["field_type"] for f in fields(cls)}


def check_all(instance: Any) -> None:
    """Check every field of `instance` against its type. Raises ValueError for the first invalid value.

    >>> from components.base.settings import Settings
    >>> check_all(Settings())
    """
    for name, field_type in field_types_of(type(instance)).items():
        field_type.check(getattr(instance, name))


def write_query(instance: Any) -> dict[str, str]:
    """Return every field of `instance` as text for a link; True and False become 1 and 0.

    >>> from components.base.settings import Settings
    >>> write_query(Settings(dim=3))["dim"], write_query(Settings())["shuffle"]
    ('3', '0')
    """
    values = {name: getattr(instance, name) for name in field_types_of(type(instance))}
    return {name: str(int(value)) if isinstance(value, bool) else str(value) for name, value in values.items()}


def read_values(defaults: Any, query: dict[str, str]) -> tuple[dict[str, Any], list[str]]:
    """Return the valid values of the fields that `query` names, and a message for each value that was replaced.

    A value that cannot be read is replaced by that of `defaults`, one out of range by the nearest limit.

    >>> from components.base.settings import Settings
    >>> read_values(Settings(), {"dim": "0"})
    ({'dim': 1}, ['D = 0 is below the limit of 1: using 1.'])
    """
    values, problems = {}, []
    for name, field_type in field_types_of(type(defaults)).items():
        if name in query:
            values[name], problem = field_type.read(query[name], getattr(defaults, name))
            problems += [problem] if problem else []
    return values, problems
