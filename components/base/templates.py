"""The texts of a TOML file: format strings, filled with facts."""

from collections.abc import Mapping
from string import Formatter
from typing import Any

from components.base.learner_text import show_hidden
from components.base.text_format import true_minus

Facts = dict[str, Any]  # numbers, lists and short strings by the names that the texts use
Template = str | Mapping[str, str]


class _TrueMinus(Formatter):
    """Format strings in which negative numbers have a minus sign."""

    def format_field(self, value: Any, format_spec: str) -> str:
        text = format(value, format_spec)
        return true_minus(text) if isinstance(value, int | float) else text


def fill(text: Template, facts: Facts) -> str:
    """Return a text, filled with the facts, with hidden characters as codes.

    Of a table of texts it is the first whose fact is true, or the one named `else`. Facts are only inserted as values,
    so nothing in a learner's text is read as a format.

    >>> fill("“{word}” has {n:,} bytes: {cosine:.1f}.", {"word": "{n}", "n": 1000, "cosine": -0.5})
    '“{n}” has 1,000 bytes: −0.5.'
    >>> fill({"tied": "all {V}", "else": "none"}, {"tied": False, "V": 7})
    'none'
    """
    if not isinstance(text, str):
        text = next(variant for fact, variant in text.items() if fact == "else" or facts[fact])
    return show_hidden(_TrueMinus().vformat(text, (), facts))
