"""Find the experiments whose message is in a pasted traceback: plain text is matched, nothing of it is run."""

import re
from collections.abc import Callable
from typing import NamedTuple

from components.base.limits import MAX_TRACEBACK_CHARS
from components.failures.catalogue import FAILURES, GROUPS
from components.failures.experiment import Values

DTYPES = {
    "Float": "float32",
    "Double": "float64",
    "Half": "float16",
    "Bool": "bool",
    "Byte": "uint8",
    "Short": "int16",
}
POSITIONS = re.compile(r"\b\w*(?:pos|wpe)\w*\(")  # a call of a table for positions, by its usual names
LIBRARY = re.compile(r'File ".{0,400}(?:site-packages|dist-packages|/lib/python)')


class Pattern(NamedTuple):
    """A part of a message, the experiments that raise it, and a function from its match to values for one of them."""

    message: str
    experiments: tuple[str, ...]
    values: Callable[[str, re.Match], Values] = lambda name, match: {}


class Found(NamedTuple):
    """An experiment whose message is in a text, with those values of its parameters that the text has."""

    experiment: str
    values: Values


def _sizes(name: str, match: re.Match) -> Values:
    a, b = int(match["a"]), int(match["b"])
    return {"T": a, "extra": b - a} if name == "cannot_broadcast" else {"width": a} if b == a - 1 else {}


IDS = tuple(experiment.name for experiment in GROUPS["IDs and positions"])
PATTERNS = (
    Pattern(r"index out of range|device-side assert|srcSelectDimSize", IDS),
    Pattern(
        r"size of tensor a \((?P<a>\d{1,9})\) must match .{0,40} tensor b \((?P<b>\d{1,9})\)",
        ("cannot_broadcast", "dim_mismatch"),
        _sizes,
    ),
    Pattern(
        r"mat1 and mat2 shapes .{0,40}\(\d{1,9}x\d{1,9} and (?P<V>\d{1,9})x(?P<D>\d{1,9})\)",
        ("one_hot_without_num_classes",),
        lambda name, match: {"V": int(match["V"]), "D": int(match["D"])},
    ),
    Pattern(r"indexing axis dim should", ("no_rows",)),
    Pattern(
        r"scalar types: .{0,40}got (?:torch\.)?(?:cuda\.)?(?P<dtype>[A-Z][a-z]{2,9})Tensor",
        ("float_ids",),
        lambda name, match: {"wrong_dtype": DTYPES[match["dtype"]]} if match["dtype"] in DTYPES else {},
    ),
    Pattern(r"to have the same dtype", ("one_hot_integers",)),
    Pattern(r"must be Tensor, not", ("list_not_tensor",)),
    Pattern(r"must be within num_embeddings", ("padding_idx_outside",)),
    Pattern(r"Key '(?P<key>[^'\n]{0,40})' not present", ("unknown_vector",), lambda name, match: {"key": match["key"]}),
    Pattern(
        r"token for decoding: (?P<id>\d{1,12})",
        ("undecodable_id",),
        lambda name, match: {"token_id": int(match["id"])},
    ),
    Pattern(
        r"KeyError: '(?P<word>(?!Invalid token)[^'\n]{1,40})'",
        ("unknown_word",),
        lambda name, match: {"word": match["word"]},
    ),
    Pattern(r"disallowed special token", ("special_token",)),
    Pattern(r"expected sequence of length", ("own",), lambda name, match: {"ids": "1 2; 3"}),
)


def find_experiments(text: str) -> list[Found]:
    """Return the experiments whose message is in a text; the message that is last in the text comes first.

    Of a long text the end is searched, which has the exception. Values out of range are left out.

    >>> find_experiments("KeyError: 'cat'")
    [Found(experiment='unknown_word', values={'word': 'cat'})]
    >>> find_experiments("SyntaxError: invalid syntax")
    []
    """
    text = text[-MAX_TRACEBACK_CHARS:]
    matches = [(match, pattern) for pattern in PATTERNS for match in [*re.finditer(pattern.message, text)][-1:]]
    found = []
    for match, pattern in sorted(matches, key=lambda each: -each[0].start()):
        names = sorted(pattern.experiments, key=lambda name: _later(name, text, match))
        found += [Found(name, _valid(name, pattern.values(name, match))) for name in names]
    return found


def _later(name: str, text: str, match: re.Match) -> bool:
    """Return whether an experiment comes after the others that raise its message: the failing call decides."""
    if name == "past_position_table":
        return not POSITIONS.search(failing_call(text))
    if name in IDS:
        return bool(POSITIONS.search(failing_call(text)))
    if name in ("cannot_broadcast", "dim_mismatch"):
        return (name == "dim_mismatch") == (int(match["b"]) > int(match["a"]))
    return False


def _valid(name: str, values: Values) -> Values:
    """Return values that an experiment can be run with, or none."""
    try:
        FAILURES[name].with_defaults(values)
    except ValueError:
        return {}
    return values


def failing_call(text: str) -> str:
    """Return the line of a traceback's last frame outside of libraries; of it what Python marks below it, if it does.

    >>> failing_call('  File "a.py", line 2, in f\\n    wte(i) + wpe(p)\\n             ^^^^^^\\nIndexError: x')
    'wpe(p)'
    """
    lines, found = text.splitlines(), ""
    for number, line in enumerate(lines[:-1]):
        if line.lstrip().startswith('File "') and not LIBRARY.search(line):
            found = lines[number + 1]
            marks = lines[number + 2] if number + 2 < len(lines) else ""
            if "^" in marks and not marks.strip(" ^~"):
                start, end = marks.index(marks.strip()), len(marks.rstrip())
                found = found[start:end]
    return found.strip()
