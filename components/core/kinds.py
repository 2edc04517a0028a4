"""The kinds of value that a setting can have: each checks a value, and reads one from the text of a link.

`check` raises ValueError with a sentence a learner can act on. `read` never raises: it returns the nearest valid
value with the sentence that says what was replaced, or the value and None.
"""

import re
from dataclasses import dataclass, fields
from typing import Any


def quote(raw: Any, length: int = 40) -> str:
    """Return `raw` in quotation marks on one line, cut to `length` characters, with a mark for what cannot be seen.

    >>> quote("abc"), quote("x" * 99, 3), quote("two\\nlines"), quote("\\u202e7")
    ("'abc'", "'xxx…'", "'two lines'", "'�7'")
    """
    line = " ".join(str(raw)[: length + 1].split())
    line = "".join(character if character.isprintable() else "�" for character in line)
    return f"'{line[:length]}…'" if len(str(raw)) > length else f"'{line}'"


MAX_OPTIONS_NAMED = 8
MAX_DIGITS = 4_000  # Python refuses to read numbers much longer


@dataclass(frozen=True)
class Whole:
    """A whole number from `low` to `high`, both included.

    >>> Whole("V", 1, 50).read("0", 8)
    (1, 'V = 0 is below the limit of 1: using 1.')
    >>> Whole("V", 1, 50).read("abc", 8)
    (8, "V = 'abc' is not a whole number from 1 to 50: using 8.")
    """

    label: str
    low: int
    high: int

    def check(self, value: Any) -> None:
        if isinstance(value, bool) or not isinstance(value, int):
            raise ValueError(f"{self.label} = {quote(value)} is not a whole number from {self.low:,} to {self.high:,}.")
        if not self.low <= value <= self.high:
            raise ValueError(f"{self.label} = {value:,} is outside its limits: enter {self.low:,} to {self.high:,}.")

    def read(self, raw: str, default: int) -> tuple[int, str | None]:
        if re.fullmatch(r"\s*[+-]?[0-9]+\s*", raw):
            value = int(raw.strip()[:MAX_DIGITS])
        else:
            problem = f"{self.label} = {quote(raw)} is not a whole number from {self.low:,} to {self.high:,}"
            return default, f"{problem}: using {default:,}."
        shown = f"{value:,}" if abs(value) < 10**18 else quote(raw.strip(), 20)
        if value < self.low:
            return self.low, f"{self.label} = {shown} is below the limit of {self.low:,}: using {self.low:,}."
        if value > self.high:
            return self.high, f"{self.label} = {shown} is above the limit of {self.high:,}: using {self.high:,}."
        return value, None


@dataclass(frozen=True)
class Number:
    """A number, with or without a fraction, from `low` to `high`, both included.

    >>> Number("rate", 0.0, 1e6).read("0.5", 1.0), Number("rate", 0.0, 1e6).read("1e9", 1.0)
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
        if value < self.low:
            return self.low, f"{self.label} = {quote(raw)} is below the limit of {self.low:g}: using {self.low:g}."
        if value > self.high:
            return self.high, f"{self.label} = {quote(raw)} is above the limit of {self.high:g}: using {self.high:g}."
        return value, None


@dataclass(frozen=True)
class OneOf:
    """One name out of a few.

    >>> OneOf("position", ("none", "learned")).read("foo", "learned")
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
        return f"one of {', '.join(names)}" if few else f"one of the {len(names)} that there are"


@dataclass(frozen=True)
class Flag:
    """Yes or no; 1 or 0 in a link.

    >>> Flag("scale").read("1", False), Flag("scale").read("maybe", False)
    ((True, None), (False, "scale = 'maybe' is neither 1 nor 0: using 0."))
    """

    label: str

    def check(self, value: Any) -> None:
        if not isinstance(value, bool):
            raise ValueError(f"{self.label} = {quote(value)} is neither True nor False.")

    def read(self, raw: str, default: bool) -> tuple[bool, str | None]:
        known = {"1": True, "0": False, "true": True, "false": False}
        if raw.lower() in known:
            return known[raw.lower()], None
        return default, f"{self.label} = {quote(raw)} is neither 1 nor 0: using {int(default)}."


@dataclass(frozen=True)
class Line:
    """A line of text of at most `longest` characters.

    >>> Line("search", 3).read("abcdef", "")
    ('abc', 'search has 6 characters, 3 is the limit: the first 3 are kept.')
    """

    label: str
    longest: int

    def check(self, value: Any) -> None:
        if not isinstance(value, str) or len(value) > self.longest:
            raise ValueError(f"{self.label} = {quote(value)} is not a text of at most {self.longest:,} characters.")

    def read(self, raw: str, default: str) -> tuple[str, str | None]:
        raw = raw.encode("utf-8", "replace").decode("utf-8")  # half characters (lone surrogates) become ?
        if len(raw) <= self.longest:
            return raw, None
        problem = f"{self.label} has {len(raw):,} characters, {self.longest:,} is the limit"
        return raw[: self.longest], f"{problem}: the first {self.longest:,} are kept."


Kind = Whole | Number | OneOf | Flag | Line


def kinds_of(cls: type) -> dict[str, Kind]:
    """Return the kind of every field of a settings dataclass, by field name."""
    return {f.name: f.metadata["kind"] for f in fields(cls)}


def check_all(instance: Any) -> None:
    """Check every field of `instance` against its kind; raises ValueError at the first that does not fit."""
    for name, kind in kinds_of(type(instance)).items():
        kind.check(getattr(instance, name))


def write_query(instance: Any) -> dict[str, str]:
    """Return every field of `instance` as text for a link; yes and no become 1 and 0."""
    values = {name: getattr(instance, name) for name in kinds_of(type(instance))}
    return {name: str(int(value)) if isinstance(value, bool) else str(value) for name, value in values.items()}


def read_values(before: Any, query: dict[str, str]) -> tuple[dict[str, Any], list[str]]:
    """Return the field values that `query` names, made valid, and a sentence for each that had to be replaced."""
    values, problems = {}, []
    for name, kind in kinds_of(type(before)).items():
        if name in query:
            values[name], problem = kind.read(query[name], getattr(before, name))
            problems += [problem] if problem else []
    return values, problems
