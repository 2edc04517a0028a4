"""Run a short program and record its result, or the exception with the expression that raised it.

The programs are written in this project; learner input reaches them only as numbers or quoted strings.
"""

import ast
import traceback
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from components.base.source import parse

FILE_NAME = "<experiment>"
RESULT = "_"  # the name that Python's own prompt gives the last value


@dataclass(frozen=True)
class CodeRun:
    """The outcome of running `code`: its variables, the value of its last line, and the exception, if any.

    `exception` is the name of the exception, or "", and `message` its text; `failed` is the expression that raised it,
    and `line` its line number, from 1.
    """

    code: str
    variables: Mapping[str, Any]
    result: Any = None
    exception: str = ""
    message: str = ""
    failed: str = ""
    line: int = 0

    @property
    def raised(self) -> str:
        """The last line of Python's traceback, or an empty string if nothing was raised."""
        return f"{self.exception}: {self.message}" if self.exception else ""


def run_code(code: str) -> CodeRun:
    """Run `code` in a namespace of its own and catch whatever it raises; its last line may be an expression.

    >>> run_code("rows = [10, 20]\\nrows[0] + rows[1]").result
    30
    >>> run = run_code("rows = [10, 20]\\nrows[0] + rows[2]")
    >>> run.raised, run.failed, run.line
    ('IndexError: list index out of range', 'rows[2]', 2)
    """
    tree = parse(code)
    last = tree.body[-1]
    if isinstance(last, ast.Expr):
        target = ast.copy_location(ast.Name(RESULT, ast.Store()), last)
        tree.body[-1] = ast.copy_location(ast.Assign([target], last.value), last)
    variables: dict[str, Any] = {}
    try:
        exec(compile(tree, FILE_NAME, "exec"), variables)
    except Exception as error:  # any exception of a library is a result of the experiment
        failed, line = _failed_expression(code, error)
        return CodeRun(code, variables, None, type(error).__name__, str(error), failed, line)
    return CodeRun(code, variables, variables.get(RESULT))


def _failed_expression(code: str, error: Exception) -> tuple[str, int]:
    """Return the innermost expression of `code` in the traceback, and its line number."""
    frame = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == FILE_NAME][-1]
    line = code.splitlines()[frame.lineno - 1]
    if frame.end_lineno == frame.lineno and frame.end_colno:
        line = line.encode("utf-8")[frame.colno : frame.end_colno].decode("utf-8")
    return line.strip(), frame.lineno
