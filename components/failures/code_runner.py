"""Run a short program and record its variables, or the exception with the expression that raised it.

The programs are written in this project; learner input reaches them only as numbers or quoted strings.
"""

import re
import traceback
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

FILE_NAME = "<experiment>"
# The `try` statement at the end of a program. It is found in the text, without a syntax tree: Python before 3.11.8 and
# 3.12.1 counts the depth of the trees of all threads together, and then raises SystemError (python/cpython#106905).
LAST_TRY = re.compile(r"^try:\n((?:(?: .*)?\n)+)except .*:\n(?:(?: .*)?\n)*(?: .*)?\Z", re.MULTILINE)


@dataclass(frozen=True)
class CodeRun:
    """The outcome of running `code`: its variables, its `result`, and the exception, if any.

    `exception` is the name of the exception, or "", and `message` its text; `failed` is the expression that raised it.
    """

    code: str
    variables: Mapping[str, Any]
    result: Any = None
    exception: str = ""
    message: str = ""
    failed: str = ""

    @property
    def raised(self) -> str:
        """The exception and its message, or an empty string if nothing was raised."""
        return f"{self.exception}: {self.message}" if self.exception else ""


def run_code(code: str, variables: Mapping[str, Any] | None = None) -> CodeRun:
    """Run `code` in a namespace of its own, which begins with `variables`, and catch whatever it raises.

    If `code` ends in a `try` statement, the lines in it are run as if they were outside of it. Nothing is printed, as a
    program would print in the terminal of the server.
    """
    compiled = compile(LAST_TRY.sub(r"if True:\n\1", code), FILE_NAME, "exec")  # the lines stay where they are
    found = {**(variables or {}), "print": lambda *values, **options: None}
    try:
        exec(compiled, found)
    except Exception as error:  # any exception of a library is a result of the experiment
        return CodeRun(code, found, None, type(error).__name__, str(error), _failed_expression(code, error))
    return CodeRun(code, found, found.get("result"))


def _failed_expression(code: str, error: Exception) -> str:
    """Return the innermost expression of `code` in the traceback."""
    frame = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == FILE_NAME][-1]
    line = code.splitlines()[frame.lineno - 1]
    if frame.end_lineno == frame.lineno:
        line = line.encode("utf-8")[frame.colno : frame.end_colno].decode("utf-8")
    return line.strip()
