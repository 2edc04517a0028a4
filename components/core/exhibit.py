"""Running a few lines of code as an exhibit: what the last line gives, or what was raised, and by which expression.

The lines are written in this project; what a learner enters reaches them only as a number or a quoted word.
"""

import ast
import traceback
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

NAME = "<exhibit>"
LAST = "_"  # where Python's own prompt keeps the last value


@dataclass(frozen=True)
class Run:
    """What happened to `code`: the variables it left, what its last line gave, and what was raised, if anything.

    `exception` is the type that was raised, or None; `message` its text as raised; `failed` the expression that
    raised it, and `line` the number of its line, from 1.
    """

    code: str
    variables: Mapping[str, Any]
    result: Any = None
    exception: type[Exception] | None = None
    message: str = ""
    failed: str = ""
    line: int = 0

    @property
    def raised(self) -> str:
        """The last line of Python's traceback, or nothing where nothing was raised."""
        return f"{self.exception.__name__}: {self.message}" if self.exception else ""


def run_code(code: str) -> Run:
    """Run `code`, whose last line is an expression, in variables of its own; what it raises is caught.

    >>> run_code("rows = [10, 20]\\nrows[0] + rows[1]").result
    30
    >>> run = run_code("rows = [10, 20]\\nrows[0] + rows[2]")
    >>> run.raised, run.failed, run.line
    ('IndexError: list index out of range', 'rows[2]', 2)
    """
    tree = ast.parse(code)
    last = tree.body[-1]
    if isinstance(last, ast.Expr):
        target = ast.copy_location(ast.Name(LAST, ast.Store()), last)
        tree.body[-1] = ast.copy_location(ast.Assign([target], last.value), last)
    variables: dict[str, Any] = {}
    try:
        exec(compile(tree, NAME, "exec"), variables)
    except Exception as error:  # whatever a library raises is what this is for
        failed, line = _place(code, error)
        return Run(code, variables, None, type(error), str(error), failed, line)
    return Run(code, variables, variables.get(LAST))


def _place(code: str, error: Exception) -> tuple[str, int]:
    """Return the innermost expression of `code` in the traceback, and the number of its line."""
    frame = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == NAME][-1]
    line = code.splitlines()[frame.lineno - 1]
    if frame.end_lineno == frame.lineno and frame.end_colno:
        line = line.encode("utf-8")[frame.colno : frame.end_colno].decode("utf-8")
    return line.strip(), frame.lineno
