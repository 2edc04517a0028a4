"""The result of a program as text."""

from typing import Any

import numpy as np

LINE_WIDTH = 44  # characters of a line of printed elements
MAX_ELEMENTS = 36  # of a tensor that is printed in full


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
