"""A learner's values as literals of Python: whatever a text contains, it stays text."""

import re
from pprint import pformat
from typing import Any

WIDTH = 110
PIECE = re.compile(r"[\s\S]{1,80}(?<=\s)|[\s\S]{1,80}")  # up to the last white space, if there is any


def quoted(text: str) -> str:
    """Return a text as a literal in double quotes, or as Python writes it if it contains quotes or escapes.

    >>> print(quoted("it's"), quoted('say "hi"'), quoted("a\\u202eb"))
    "it's" 'say "hi"' "a\\u202eb"
    """
    written = repr(text)
    return f'"{written[1:-1]}"' if written[0] == "'" and '"' not in written and "\\'" not in written else written


def literal(value: Any) -> str:
    """Return a value as a literal; a long text in several pieces, one with lines between triple quotes.

    >>> literal(10_000), literal(9_999), literal([2, 3]), literal("one\\ntwo")
    ('10_000', '9999', '[2, 3]', '\"\"\"one\\ntwo\"\"\"')
    >>> len(literal([7] * 99).splitlines())  # not a line for each
    3
    """
    if type(value) is int and value >= 10_000:
        return f"{value:_}"
    if not isinstance(value, str):
        several = isinstance(value, list | dict)
        return pformat(value, width=WIDTH, compact=True, sort_dicts=False) if several else repr(value)
    plain = value.replace("\n", "").isprintable() and "\\" not in value and '"""' not in f'{value}""'
    if "\n" in value and plain and "\n# %%" not in value:  # a line like that would begin a cell of the notebook
        return f'"""{value}"""'
    pieces = [f"    {quoted(piece)}\n" for piece in PIECE.findall(value)]
    return f"(\n{''.join(pieces)})" if len(value) > WIDTH else quoted(value)
