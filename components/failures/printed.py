"""A program and its result as text: which lines a fix changes, and a value as Python's prompt prints it."""

from difflib import SequenceMatcher
from typing import Any

import numpy as np

LINE_WIDTH = 44  # characters of a line of printed elements
MAX_ELEMENTS = 36  # of a tensor that is printed in full


def changed_lines(code: str, fix: str) -> list[str]:
    """Return which lines a fix changes or adds, by their numbers in the fix, or removes, by those in the code.

    >>> changed_lines("a\\nb\\nc", "a\\nB\\nc\\nd"), changed_lines("a\\nb", "a")
    (['line 2', 'line 4'], ['line 2 removed'])
    """
    found = []
    for tag, start, end, new_start, new_end in SequenceMatcher(
        None, code.splitlines(), fix.splitlines(), autojunk=False
    ).get_opcodes():
        if tag == "delete":
            found += [f"line {line + 1} removed" for line in range(start, end)]
        elif tag != "equal":
            found += [f"line {line + 1}" for line in range(new_start, new_end)]
    return found


def format_result(value: Any) -> str:
    """Return a value as Python's prompt prints it; a tensor as its shape and its elements, abbreviated if large.

    torch's own print follows process-wide settings, and is wider than a phone.

    >>> import torch
    >>> print(format_result(torch.tensor([[1.0, -0.00002], [0.25, 3.0]])))
    shape [2, 2]
    [[ 1.     -0.    ]
     [ 0.25    3.    ]]
    >>> format_result("Hi")
    "'Hi'"
    """
    if not hasattr(value, "detach"):
        return repr(value)
    elements = np.array2string(
        value.detach().numpy(), LINE_WIDTH, precision=4, suppress_small=True, threshold=MAX_ELEMENTS, edgeitems=2
    )
    return f"shape {list(value.shape)}\n{elements}"
