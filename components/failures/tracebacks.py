"""Find the experiments whose message is in a pasted traceback: plain text is matched, nothing of it is run."""

import re
from typing import NamedTuple

from components.base.limits import MAX_TRACEBACK_CHARS
from components.failures.catalogue import FAILURES, GROUPS, run_failure
from components.failures.experiment import Values

DTYPES = {"Float": "float32", "Double": "float64", "Half": "float16", "Bool": "bool", "Byte": "uint8", "Short": "int16"}
# A call of a table for positions, by its usual names
POSITIONS = re.compile(r"(?<![a-zA-Z])(?:[Pp]os\w{0,80}|wpe|pe)(?:\[\w{0,20}\])?\(")
ASSERTIONS = re.compile(r"Assertion `.{0,400}")  # of a GPU
OF_A_LOOKUP = re.compile("srcSelectDimSize|vectorized.gather")
TORCH = re.compile(r'File ".{0,400}[/\\]torch[/\\]')


class Found(NamedTuple):
    """An experiment whose message is in a text, with those values of its parameters that the text has."""

    experiment: str
    values: Values


IDS = tuple(experiment.name for experiment in GROUPS["IDs and positions"])
SIZES = r"size of tensor a \((?P<a>\d{1,9})\) must match .{0,40} tensor b \((?P<b>\d{1,9})\) at non-singleton dimension"
# Part of a message: the experiments that raise it. A named group is a parameter of them, besides a, b and dtype.
PATTERNS = {
    r"index out of range in self|device-side assert|srcSelectDimSize|out of DATA bounds": IDS,
    f"{SIZES} 1": ("cannot_broadcast", "dim_mismatch"),  # [B, T, D], or [T, D]
    f"{SIZES} 2": ("dim_mismatch",),
    r"mat1 and mat2 shapes .{0,40}\(\d{1,9}x\d{1,9} and (?P<V>\d{1,9})x(?P<D>\d{1,9})\)": (
        "one_hot_without_num_classes",
    ),
    r"indexing axis dim should": ("no_rows",),
    r"scalar types: .{0,40}got (?:torch\.)?(?:cuda\.|CPU|CUDA)?(?P<dtype>[A-Z]\w{2,9}?)(?:Tensor|Type)": ("float_ids",),
    r"(?:to|must) have the same dtype.{0,20}\b(?:[Ll]ong|[Ii]nt)": ("one_hot_integers",),
    r"embedding\(\).{0,60}must be Tensor, not": ("list_not_tensor",),
    r"must be within num_embeddings": ("padding_idx_outside",),
    r"Key '(?P<key>[^'\n]{0,40})' not present": ("unknown_vector",),
    r"token for decoding: (?P<token_id>\d{1,12})": ("undecodable_id",),
    r"KeyError: (['\"])(?P<word>(?!Invalid token|Key ')[^\n]{1,40}?)\1": ("unknown_word",),
    r"disallowed special token": ("special_token",),
    r"expected sequence of length": ("own",),
}


def find_experiments(text: str) -> list[Found]:
    """Return the experiments whose message is in a text; the message that is last in the text comes first.

    Of a long text the end is searched, which has the exception. If a value is out of range, none is returned.
    """
    text = text[-MAX_TRACEBACK_CHARS:]
    asserted = ASSERTIONS.findall(text)
    if asserted and not any(map(OF_A_LOOKUP.search, asserted)):  # for example that a target is out of range
        return []
    matches = [(match, names) for message, names in PATTERNS.items() for match in [*re.finditer(message, text)][-1:]]
    found = []
    for match, names in sorted(matches, key=lambda each: -each[0].start()):
        if names == IDS and POSITIONS.search(failing_call(text)):
            names = sorted(IDS, key=lambda name: name != "past_position_table")
        of_match = [Found(name, _values(name, match)) for name in names]
        found += sorted(of_match, key=lambda each: not each.values)
    return found


def _values(name: str, match: re.Match) -> Values:
    """Return the values of an experiment's parameters that a message has; none if it does not fail with them."""
    match name:
        case "cannot_broadcast":
            values = {"T": int(match["a"]), "extra": int(match["b"]) - int(match["a"])}
        case "dim_mismatch":
            values = {"width": int(match["a"])} if int(match["b"]) == int(match["a"]) - 1 else {}
        case "float_ids":
            values = {"wrong_dtype": DTYPES.get(match["dtype"])}
        case "own":
            values = {"ids": "1 2; 3"}
        case _:
            found = match.groupdict().items()
            values = {key: type(FAILURES[name].parameters[key].default)(text) for key, text in found}
    try:
        return values if run_failure(name, **values).run.exception else {}
    except ValueError:
        return {}


def failing_call(text: str) -> str:
    """Return the code line of the last frame outside torch, or the call in it that Python marks, without arguments."""
    lines, found = text.splitlines(), ""
    for number, line in enumerate(lines[:-1]):
        if line.lstrip().startswith('File "') and not TORCH.search(line):
            found = lines[number + 1]
            marks = lines[number + 2] if number + 2 < len(lines) else ""
            if "^" in marks and not marks.strip(" ^~"):
                start, end = marks.index(marks.strip()), len(marks.rstrip())
                called, opened, _ = found[start:end].partition("(")
                found = called + opened
    return found.strip()
